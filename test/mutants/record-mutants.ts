/**
 * Mutants of what is shown: computers, printers, print jobs and their states, each with one field or one list
 * that is not as it should be.
 */

import type { ClauseId } from '../../src/specification/clauses.ts';
import type { Meddle, PassingAnswer } from './meddling-proxy.ts';
import { without } from './mutant-tools.ts';
import { type Mutant, inAnswers } from './mutant.ts';
import { json } from './mutants.ts';

type Fields = Record<string, unknown>;

const COMPUTERS = /^GET \/computers(\/[\d,]+)?(\?|$)/;
const PRINTERS = /^GET (\/computers\/[\d,]+)?\/printers(\/[\d,]+)?(\?|$)/;
const JOBS = /^GET (\/printers\/[\d,]+)?\/printjobs(\/[\d,]+)?(\?|$)/;
const STATES = /^GET \/printjobs\/([\d,]+\/)?states/;

const each =
  (change: (record: Fields) => Fields) =>
  (records: readonly Fields[]): readonly Fields[] =>
    records.map(change);
const field =
  (name: string, change: (value: unknown) => unknown) =>
  (record: Fields): Fields => ({ ...record, [name]: change(record[name]) });
const asText = (value: unknown): unknown => String(value);
const asNumber = (): unknown => 7;
const wholeRate = (printrate: { readonly rate: number }): object => ({
  ...printrate,
  rate: Math.floor(printrate.rate),
});
const asNull = (): unknown => null;
const capability =
  (name: string, change: (value: unknown) => unknown) =>
  (printer: Fields): Fields =>
    typeof printer['capabilities'] === 'object' && printer['capabilities'] !== null
      ? { ...printer, capabilities: field(name, change)(printer['capabilities'] as Fields) }
      : printer;
const states =
  (change: (state: Fields) => Fields) =>
  (histories: readonly (readonly Fields[])[]): unknown =>
    histories.map((history) => history.map(change));

/** Lists of these paths with every record changed. */
const records =
  (paths: RegExp) =>
  (clause: ClauseId, name: string, change: (record: Fields) => Fields): Mutant =>
    inAnswers(clause, name, json(paths, each(change)));
/** Lists of these paths as a whole. */
const lists =
  (paths: RegExp) =>
  (clause: ClauseId, name: string, change: (list: never) => unknown): Mutant =>
    inAnswers(clause, name, json(paths, change));
const computer = records(COMPUTERS);
const printer = records(PRINTERS);
const state = (clause: ClauseId, name: string, change: (state: Fields) => Fields): Mutant =>
  inAnswers(clause, name, json(STATES, states(change)));

const computerFields: readonly (readonly [ClauseId, string, (value: unknown) => unknown])[] = [
  ['computers/field-id', 'id', asText],
  ['computers/field-name', 'name', asNumber],
  ['computers/field-inet', 'inet', asNumber],
  ['computers/inet-ipv4', 'inet', () => 'localhost'],
  ['computers/field-inet6', 'inet6', asNumber],
  ['computers/field-hostname', 'hostname', asNumber],
  ['computers/field-version', 'version', asNumber],
  ['computers/version-as-reported', 'version', () => '0.0.1'],
  ['computers/field-jre', 'jre', () => '17'],
  ['computers/field-create-timestamp', 'createTimestamp', asNumber],
  ['computers/create-timestamp-utc', 'createTimestamp', () => '2026-01-01T00:00:00+02:00'],
  ['computers/field-state', 'state', asNumber],
  ['computers/name-as-reported', 'name', (value) => String(value).trim().toUpperCase()],
];
const printerFields: readonly (readonly [ClauseId, string, (value: unknown) => unknown])[] = [
  ['printers/field-id', 'id', asText],
  ['printers/field-computer', 'computer', asNumber],
  ['printers/field-name', 'name', asNumber],
  ['printers/name-as-reported', 'name', (value) => String(value).trim().toUpperCase()],
  ['printers/field-description', 'description', asNumber],
  ['printers/field-capabilities', 'capabilities', asNumber],
  ['printers/field-default', 'default', asText],
  ['printers/field-create-timestamp', 'createTimestamp', asNumber],
  ['printers/field-state', 'state', asNumber],
  ['printers/state-not-null', 'state', asNull],
];
const capabilityFields: readonly (readonly [ClauseId, string, (value: unknown) => unknown])[] = [
  ['printers/capability-bins', 'bins', () => 'Tray 1'],
  ['printers/capability-collate', 'collate', asText],
  ['printers/capability-copies', 'copies', asText],
  ['printers/capability-copies-one', 'copies', () => 0],
  ['printers/capability-color', 'color', asText],
  ['printers/capability-dpis', 'dpis', () => 600],
  ['printers/capability-dpis-form', 'dpis', () => ['600 dpi']],
  ['printers/capability-duplex', 'duplex', asText],
  ['printers/capability-extent', 'extent', () => 'large'],
  ['printers/capability-extent-form', 'extent', () => [[1, 2]]],
  ['printers/capability-extent-empty', 'extent', (value) => (String(value) === '' ? null : value)],
  ['printers/capability-medias', 'medias', () => null],
  ['printers/capability-nup', 'nup', () => 4],
  ['printers/capability-nup-empty', 'nup', (value) => (String(value) === '' ? [1] : value)],
  ['printers/capability-papers', 'papers', () => ['A4']],
  ['printers/capability-papers-size', 'papers', () => ({ A4: '210x297' })],
  [
    'printers/capability-papers-unknown',
    'papers',
    (papers) =>
      Object.fromEntries(
        Object.entries(papers as Fields).map(([name, size]) => [name, String(size) === ',' ? [0, 0] : size]),
      ),
  ],
  ['printers/capability-printrate', 'printrate', () => 20],
  ['printers/capability-printrate-null', 'printrate', (value) => value ?? {}],
  ['printers/printrate-unit', 'printrate', (value) => value && { ...(value as Fields), unit: 'pages' }],
  ['printers/printrate-rate', 'printrate', (value) => value && { ...(value as Fields), rate: '20' }],
  ['printers/printrate-rate', 'printrate', (value) => value && wholeRate(value as { readonly rate: number })],
  ['printers/capability-supports-custom-paper-size', 'supports_custom_paper_size', asText],
];
const stateFields: readonly (readonly [ClauseId, string, (value: unknown) => unknown])[] = [
  ['states/field-print-job-id', 'printJobId', asText],
  ['states/field-state', 'state', asNumber],
  ['states/field-message', 'message', asNumber],
  ['states/message-not-null', 'message', asNull],
  ['states/field-data', 'data', asText],
  ['states/data-not-null', 'data', asNull],
  ['states/field-client-version', 'clientVersion', () => 1],
  ['states/field-create-timestamp', 'createTimestamp', asNumber],
  ['states/field-age', 'age', asText],
];

const isOf =
  (wanted: unknown) =>
  (record: Fields): boolean =>
    record['state'] === wanted;
const dropState = (name: string) => (histories: readonly (readonly Fields[])[]) =>
  histories.map((history) => history.filter((one) => !isOf(name)(one)));

/** Answers to a submission whose body matches are turned into a refusal, or into an acceptance. */
const submission =
  (matches: (body: Fields) => boolean, change: (answer: PassingAnswer) => { status: number; body: string }): Meddle =>
  (answer) => {
    if (answer.method !== 'POST' || answer.path !== '/printjobs') return undefined;
    try {
      return matches(JSON.parse(answer.request.body.toString('utf8')) as Fields) ? change(answer) : undefined;
    } catch {
      return undefined;
    }
  };
const refused = () => ({
  status: 400,
  body: JSON.stringify({ uid: 'x', code: 'BadRequest', message: 'no' }),
});
const accepted = (): { status: number; body: string } => ({ status: 201, body: '1' });
const lacks =
  (name: string) =>
  (body: Fields): boolean =>
    body[name] === undefined;

export const RECORD_MUTANTS: readonly Mutant[] = [
  ...computerFields.map(([clause, name, change]) =>
    computer(clause, `${name} of a computer is not what it should be`, field(name, change)),
  ),
  ...printerFields.map(([clause, name, change]) =>
    printer(clause, `${name} of a printer is not what it should be`, field(name, change)),
  ),
  ...capabilityFields.map(([clause, name, change]) =>
    printer(clause, `${name} of the capabilities is not what it should be`, capability(name, change)),
  ),
  ...stateFields.map(([clause, name, change]) =>
    state(clause, `${name} of a state is not what it should be`, field(name, change)),
  ),
  computer('computers/fields-always-present', 'a computer without jre', without('jre')),
  lists(COMPUTERS)('computers/id-unique', 'two computers of one id', (list: readonly Fields[]) =>
    list.map((one) => ({ ...one, id: list[0]?.['id'] })),
  ),
  lists(COMPUTERS)('computers/id-unique', 'two computers of one name are one', (list: readonly Fields[]) =>
    list.filter((one, at) => list.findIndex(({ name }) => name === one['name']) === at),
  ),
  lists(COMPUTERS)('computers/list', 'computers in an object', (list: unknown) => ({ computers: list })),
  lists(/^GET \/computers\/\d+,/)(
    'computers/list-set',
    'a set of computers without its last',
    (list: readonly Fields[]) => list.slice(0, -1),
  ),
  lists(COMPUTERS)('computers/known-after-report', 'the newest computer is not listed', (list: readonly Fields[]) =>
    list.slice(1),
  ),
  printer('printers/fields-always-present', 'a printer without default', without('default')),
  printer(
    'printers/capabilities-null',
    'capabilities that nobody knows are an empty object',
    field('capabilities', (value) => value ?? {}),
  ),
  printer(
    'printers/computer-whole',
    'the computer of a printer is its id and name',
    field('computer', (value) => ({ id: (value as Fields)['id'], name: (value as Fields)['name'] })),
  ),
  printer(
    'printers/computer-is-its-own',
    'the computer of a printer is another one',
    field('computer', (value) => ({ ...(value as Fields), id: 1_000_000 })),
  ),
  lists(/^GET \/printers(\?|$)/)('printers/list', 'printers in an object', (list: unknown) => ({
    printers: list,
  })),
  lists(/^GET \/printers\/[\d,]+/)(
    'printers/list-set',
    'a set of printers without its last',
    (list: readonly Fields[]) => list.slice(0, -1),
  ),
  lists(/^GET \/computers\/[\d,]+\/printers\/[\d,]+/)(
    'printers/list-set-of-computers',
    'a set of printers of computers without its last',
    (list: readonly Fields[]) => list.slice(0, -1),
  ),
  lists(PRINTERS)('printers/paginated', 'pages of printers upside down', (list: readonly Fields[]) =>
    list.toReversed(),
  ),
  lists(/^GET \/printers(\?|$)/)(
    'printers/known-after-report',
    'the newest printer is not listed',
    (list: readonly Fields[]) => list.slice(1),
  ),
  state(
    'states/client-version-null',
    'a client version at every state',
    field('clientVersion', (value) => value ?? '1.0'),
  ),
  state('states/fields-always-present', 'a state without data', without('data')),
  inAnswers('states/sent-to-client', 'no state sent_to_client', json(STATES, dropState('sent_to_client'))),
  inAnswers('states/error', 'no state error', json(STATES, dropState('error'))),
  inAnswers(
    'states/history-kept',
    'only the last state is shown',
    json(STATES, (histories: readonly (readonly Fields[])[]) => histories.map((history) => history.slice(-1))),
  ),
  state('states/new-by-service', 'the state new is said to be of a client', (one) =>
    isOf('new')(one) ? { ...one, clientVersion: '1.2.3' } : one,
  ),
  state('states/done-by-client', 'the state done is said to be of the service', (one) =>
    isOf('done')(one) ? { ...one, clientVersion: null } : one,
  ),
  state('states/error-by-client', 'the state error is said to be of the service', (one) =>
    isOf('error')(one) ? { ...one, clientVersion: null } : one,
  ),
  state('states/new-first', 'the state new is the newest', (one) =>
    isOf('new')(one) ? { ...one, createTimestamp: '2199-01-01T00:00:00.000Z' } : one,
  ),
  state('states/create-timestamp-of-client', 'states of a client have the time of a day before', (one) =>
    one['clientVersion'] === null ? one : { ...one, createTimestamp: '2001-01-01T00:00:00.000Z' },
  ),
  state('states/create-timestamp-of-service', 'states have the time of a zone, labelled Z', (one) => ({
    ...one,
    createTimestamp: new Date(Date.parse(String(one['createTimestamp'])) + 2 * 3_600_000).toISOString(),
  })),
  state('states/create-timestamp-of-service', 'states of the service have the time of a day before', (one) =>
    one['clientVersion'] === null ? { ...one, createTimestamp: '2001-01-01T00:00:00.000Z' } : one,
  ),
  state('states/expired-by-service', 'the state expired is said to be of a client', (one) =>
    isOf('expired')(one) ? { ...one, clientVersion: '1.2.3' } : one,
  ),
  state('states/expired-age', 'the state expired has the age 0', (one) =>
    isOf('expired')(one) ? { ...one, age: 0 } : one,
  ),
  state('states/sent-to-client-not-before', 'every job is said to be sent at once', (one) =>
    isOf('new')(one) ? { ...one, state: 'sent_to_client' } : one,
  ),
  computer(
    'states/computer-disconnected',
    'a computer that is away is in the state gone',
    field('state', (value) => (value === 'disconnected' ? 'gone' : value)),
  ),
  computer(
    'states/computer-connected-differs',
    'every computer is disconnected',
    field('state', () => 'disconnected'),
  ),
  printer(
    'states/printer-online',
    'a printer that is ready is in the state idle',
    field('state', (value) => (value === 'online' ? 'idle' : value)),
  ),
  printer(
    'states/printer-offline',
    'a printer that is not ready is in the state away',
    field('state', (value) => (value === 'offline' ? 'away' : value)),
  ),
  lists(/^GET \/printjobs(\?|$)/)('print-jobs/list', 'print jobs in an object', (list: unknown) => ({
    jobs: list,
  })),
  lists(/^GET \/printjobs\/[\d,]+(\?|$)/)(
    'print-jobs/list-set',
    'a set of jobs without its last',
    (list: readonly Fields[]) => list.slice(0, -1),
  ),
  lists(/^GET \/printers\/[\d,]+\/printjobs(\?|$)/)(
    'print-jobs/list-of-printers',
    'jobs of printers without the last',
    (list: readonly Fields[]) => list.slice(0, -1),
  ),
  lists(/^GET \/printers\/[\d,]+\/printjobs\/[\d,]+/)(
    'print-jobs/list-set-of-printers',
    'a set of jobs of printers without its last',
    (list: readonly Fields[]) => list.slice(0, -1),
  ),
  lists(JOBS)('print-jobs/paginated', 'pages of jobs upside down', (list: readonly Fields[]) => list.toReversed()),
  lists(JOBS)('print-jobs/created-listed', 'the newest job is not listed', (list: readonly Fields[]) => list.slice(1)),
  lists(/^GET \/printjobs\/states/)('print-jobs/states-all', 'all states in an object', (list: unknown) => ({
    states: list,
  })),
  lists(/^GET \/printjobs\/[\d,]+\/states/)(
    'print-jobs/states-set',
    'the states of a set without its last job',
    (list: readonly unknown[]) => list.slice(0, -1),
  ),
  lists(/^GET \/printjobs\/[\d,]+\/states/)(
    'print-jobs/states-set',
    'the states of two jobs of a set',
    (list: readonly unknown[]) => list.slice(0, 2),
  ),
  lists(/^DELETE .*\/printjobs/)(
    'print-jobs/delete-nothing',
    'a cancellation of nothing answers null',
    (ids: readonly number[]) => (ids.length === 0 ? null : ids),
  ),
  lists(/^DELETE \/computers/)('computers/delete-set', 'a deletion of computers answers nothing', () => []),
  ...(['printerId', 'contentType', 'content'] as const).map((name): Mutant =>
    inAnswers(
      (
        {
          printerId: 'print-jobs/printer-id-missing-refused',
          contentType: 'print-jobs/content-type-missing-refused',
          content: 'print-jobs/content-missing-refused',
        } as const
      )[name],
      `a job without ${name} is accepted`,
      submission(lacks(name), accepted),
    ),
  ),
  inAnswers(
    'print-jobs/qty-zero-refused',
    'a qty of 0 is accepted',
    submission(({ qty }) => qty === 0, accepted),
  ),
  inAnswers(
    'print-jobs/qty-negative-refused',
    'a negative qty is accepted',
    submission(({ qty }) => Number(qty) < 0, accepted),
  ),
  inAnswers(
    'print-jobs/content-type-other-refused',
    'any contentType is accepted',
    submission(
      ({ contentType }) => typeof contentType === 'string' && !/^(pdf|raw)_(uri|base64)$/.test(contentType),
      accepted,
    ),
  ),
  inAnswers('print-jobs/printer-id-unknown-refused', 'a job for no printer is accepted', (answer) =>
    answer.method === 'POST' && answer.path === '/printjobs' && answer.status >= 400 && /[Pp]rinter/.test(answer.body)
      ? accepted()
      : undefined,
  ),
  inAnswers(
    'print-jobs/options-null',
    'options null are refused',
    submission(({ options }) => options === null, refused),
  ),
  inAnswers(
    'print-jobs/options-empty',
    'empty options are refused',
    submission(({ options }) => JSON.stringify(options) === '{}', refused),
  ),
  inAnswers('print-jobs/only-required-fields', 'a job without title is refused', submission(lacks('title'), refused)),
  inAnswers(
    'print-jobs/uri-unreachable-accepted',
    'a job with a URI is refused',
    submission(({ contentType }) => String(contentType).endsWith('_uri'), refused),
  ),
  inAnswers(
    'print-jobs/body-content-type',
    'RAW content is refused',
    submission(({ contentType }) => String(contentType).startsWith('raw_'), refused),
  ),
  inAnswers('print-jobs/created-id-grows', 'ids of jobs go down', (answer) =>
    answer.method === 'POST' && answer.path === '/printjobs' && answer.status === 201
      ? { body: String(1_000_000 - Number(answer.body)) }
      : undefined,
  ),
  inAnswers(
    'print-jobs/idempotency-conflict-no-job',
    'a job refused with 409 is listed all the same',
    json(/^GET \/printers\/\d+\/printjobs$/, (list: readonly Fields[]) => [...list, { ...list[0], id: 1 }]),
  ),
  inAnswers('print-jobs/accepted-while-disconnected', 'a job for a computer that is away is refused', (answer) =>
    answer.method === 'POST' && answer.path === '/printjobs' ? refused() : undefined,
  ),
  inAnswers('authentication/x-auth-with-api-key', 'X-Auth-With says Basic', ({ headers, body }) => ({
    body,
    headers: headers.map((text) => (text === 'ApiKey' ? 'Basic' : text)),
  })),
  state('states/new', 'the state new is called created', (one) =>
    isOf('new')(one) ? { ...one, state: 'created' } : one,
  ),
  state('states/new-at-once', 'the state new is called queued at first', (one) =>
    isOf('new')(one) ? { ...one, state: 'queued' } : one,
  ),
];
