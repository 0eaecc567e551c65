/**
 * Deviations: what a service may do otherwise than printed wherever it does it, each as a change of what the reference
 * service answers, with the clauses that print it: one of them has to head what platen says.
 */

import type { ClauseId } from '../../src/specification/clauses.ts';
import { mapHeaders, type ChangedAnswer, type PassingAnswer } from '../mutants/meddling-proxy.ts';

export interface PlantedDeviation {
  readonly name: string;
  /** Any of these may head it. */
  readonly clauses: readonly (ClauseId | `${string}*`)[];
  readonly meddle: (answer: PassingAnswer) => ChangedAnswer;
}

const wasGood = ({ status }: PassingAnswer): boolean => status >= 200 && status < 300;
const lineOf = ({ method, path }: PassingAnswer): string => `${method} ${path.replace(/\?.*/, '')}`;
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json>>;

function jsonIn({ body }: PassingAnswer): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function status(pattern: RegExp, code: number): PlantedDeviation['meddle'] {
  return (answer) => (wasGood(answer) && pattern.test(lineOf(answer)) ? { status: code } : undefined);
}

/** 204 and nothing, without the digest of what was there. */
function emptied(pattern: RegExp): PlantedDeviation['meddle'] {
  return (answer) =>
    wasGood(answer) && pattern.test(lineOf(answer))
      ? { status: 204, body: '', ...withoutHeader('Content-MD5')(answer) }
      : undefined;
}

function body(pattern: RegExp, change: (value: Json) => Json | undefined): PlantedDeviation['meddle'] {
  return (answer) => {
    const value = wasGood(answer) && pattern.test(lineOf(answer)) ? jsonIn(answer) : undefined;
    const changed = value === undefined ? undefined : change(value);
    return changed === undefined ? undefined : { body: JSON.stringify(changed) };
  };
}

const oldestFirst = body(
  /^GET \/(computers|printers|printjobs)(\/[\d,]+(\/(printers|printjobs)(\/[\d,]+)*)?)?$/,
  (value) => (Array.isArray(value) ? (value as readonly Json[]).toReversed() : undefined),
);

/** Every object at any depth of good answers. */
function objects(pattern: RegExp, change: (fields: Fields) => Fields): PlantedDeviation['meddle'] {
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map(walk);
    if (!isFields(value)) return value;
    return change(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)])));
  };
  return body(pattern, walk);
}

function withoutHeader(name: string): PlantedDeviation['meddle'] {
  return ({ headers }) => ({
    headers: mapHeaders(headers, (key, value) => (key.toLowerCase() === name.toLowerCase() ? [] : [key, value])),
  });
}

const without =
  (name: string) =>
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
const changing =
  (name: string, change: (value: Json) => Json) =>
  (fields: Fields): Fields =>
    Object.hasOwn(fields, name) ? { ...fields, [name]: change(fields[name] as Json) } : fields;

const onlyIf =
  (has: string, change: (fields: Fields) => Fields) =>
  (fields: Fields): Fields =>
    Object.hasOwn(fields, has) ? change(fields) : fields;

function errors(change: (error: Fields, answer: PassingAnswer) => ChangedAnswer): PlantedDeviation['meddle'] {
  return (answer) => {
    const value = answer.status >= 400 ? jsonIn(answer) : undefined;
    return isFields(value) && Object.hasOwn(value, 'code') ? change(value, answer) : undefined;
  };
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const renaming =
  (rename: (name: string) => string) =>
  (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [/^[a-z][a-zA-Z]*$/.test(key) ? rename(key) : key, value]),
    );

const ids = (value: Json): Json => (typeof value === 'number' ? String(value) : value);
const asSeconds = (value: Json): Json => (typeof value === 'string' ? Math.round(Date.parse(value) / 1000) : value);
const asMilliseconds = (value: Json): Json => (typeof value === 'string' ? Date.parse(value) : value);

const LISTS = /^GET \/(computers|printers|printjobs|webhooks)\b(?!.*\/states)/;
const JOB_DELETES = /^DELETE \/(printers\/[^/]+\/)?printjobs/;
const COMPUTER_DELETES = /^DELETE \/computers/;
const JOB_LISTS = /^GET \/(printers\/[^/]+\/)?printjobs(\/[\d,]+)?$/;

const dev = (
  name: string,
  clauses: PlantedDeviation['clauses'],
  meddle: PlantedDeviation['meddle'],
): PlantedDeviation => ({ name, clauses, meddle });

/** Endpoints whose success has a printed status, another one of which each. */
const STATUSES: readonly (readonly [string, RegExp, PlantedDeviation['clauses']])[] = [
  ['POST /printjobs', /^POST \/printjobs$/, ['print-jobs/created-201']],
  ['GET /ping', /^GET \/ping$/, ['misc/ping']],
  ['GET /noop', /^GET \/noop$/, ['misc/noop']],
  ['GET /computers', /^GET \/computers$/, ['computers/list']],
  ['GET /computers/{computer_set}', /^GET \/computers\/[\d,]+$/, ['computers/list-set']],
  ['GET /printers', /^GET \/printers$/, ['printers/list']],
  ['GET /printers/{printer_set}', /^GET \/printers\/[\d,]+$/, ['printers/list-set']],
  ['GET /computers/{computer_set}/printers', /^GET \/computers\/[\d,]+\/printers$/, ['printers/list-of-computers']],
  ['GET /printjobs', /^GET \/printjobs$/, ['print-jobs/list']],
  ['GET /printjobs/{print_job_set}', /^GET \/printjobs\/[\d,]+$/, ['print-jobs/list-set']],
  ['GET /printers/{printer_set}/printjobs', /^GET \/printers\/[\d,]+\/printjobs$/, ['print-jobs/list-of-printers']],
  ['GET /printjobs/states', /^GET \/printjobs\/states$/, ['print-jobs/states-all']],
  ['GET /printjobs/{print_job_set}/states', /^GET \/printjobs\/[\d,]+\/states$/, ['print-jobs/states-set']],
  ['DELETE of jobs', JOB_DELETES, ['print-jobs/delete-200-ids']],
  ['DELETE of computers', COMPUTER_DELETES, ['computers/delete-set', 'computers/delete-all']],
  ['GET scales of a computer', /^GET \/computer\/\d+\/scales$/, ['scales/list']],
  ['GET scales by name', /^GET \/computer\/\d+\/scales\/[^/]+$/, ['scales/list-by-name']],
  ['GET one scale', /^GET \/computer\/\d+\/scale\//, ['scales/read-one']],
];

const FIELDS: readonly (readonly [string, string, RegExp, ClauseId])[] = [
  ['whoami', 'numComputers', /^GET \/whoami$/, 'accounts/field-num-computers'],
  ['whoami', 'totalPrints', /^GET \/whoami$/, 'accounts/field-total-prints'],
  ['whoami', 'credits', /^GET \/whoami$/, 'accounts/field-credits'],
  ['whoami', 'connected', /^GET \/whoami$/, 'accounts/field-connected'],
  ['whoami', 'canCreateSubAccounts', /^GET \/whoami$/, 'accounts/field-can-create-sub-accounts'],
  ['computers', 'createTimestamp', /^GET \/computers(\/[\d,]+)?$/, 'computers/field-create-timestamp'],
  ['computers', 'hostname', /^GET \/computers/, 'computers/field-hostname'],
  ['printers', 'description', /^GET \/(printers|computers\/[^/]+\/printers)(\/[\d,]+)?$/, 'printers/field-description'],
  ['printers', 'default', /^GET \/(printers|computers\/[^/]+\/printers)(\/[\d,]+)?$/, 'printers/field-default'],
  ['states', 'age', /states$/, 'states/field-age'],
  ['states', 'data', /states$/, 'states/field-data'],
  ['states', 'clientVersion', /states$/, 'states/field-client-version'],
  ['scales', 'ageOfData', /scale/, 'scales/field-age-of-data'],
  ['scales', 'count', /scale/, 'scales/field-count'],
  ['webhooks', 'secret', /webhook/, 'webhooks/field-secret'],
];

const NUMBERS: readonly (readonly [string, RegExp, ClauseId])[] = [
  ['numComputers', /^GET \/whoami$/, 'accounts/field-num-computers'],
  ['totalPrints', /^GET \/whoami$/, 'accounts/field-total-prints'],
  ['credits', /^GET \/whoami$/, 'accounts/field-credits'],
  ['age', /states$/, 'states/field-age'],
  ['ageOfData', /scale/, 'scales/field-age-of-data'],
  ['deviceNum', /scale/, 'scales/field-device-num'],
  ['webhookId', /webhook/, 'webhooks/field-webhook-id'],
  ['printJobId', /states$/, 'states/field-print-job-id'],
];

const WRAPS: readonly (readonly [string, RegExp, PlantedDeviation['clauses']])[] = [
  ['GET /computers', /^GET \/computers(\/[\d,]+)?$/, ['computers/list', 'computers/list-set']],
  ['GET /printers', /^GET \/printers(\/[\d,]+)?$/, ['printers/list', 'printers/list-set']],
  ['GET /printjobs', JOB_LISTS, ['print-jobs/list*']],
  ['GET /webhooks', /^GET \/webhooks$/, ['webhooks/list']],
  ['states', /^GET \/printjobs\/([\d,]+\/)?states$/, ['print-jobs/states*']],
  ['scales', /^GET \/computer\/\d+\/scales/, ['scales/list*']],
  ['DELETE of jobs', JOB_DELETES, ['print-jobs/delete-200-ids']],
  ['DELETE of computers', COMPUTER_DELETES, ['computers/delete-set', 'computers/delete-all']],
];

export const PLANTED: readonly PlantedDeviation[] = [
  ...STATUSES.map(([name, pattern, clauses]) =>
    dev(
      `${name} answers ${name === 'POST /printjobs' ? 200 : 201}`,
      clauses,
      status(pattern, name === 'POST /printjobs' ? 200 : 201),
    ),
  ),
  dev('POST /printjobs answers 202', ['print-jobs/created-201'], status(/^POST \/printjobs$/, 202)),
  dev('GET /noop answers 204', ['misc/noop'], emptied(/^GET \/noop$/)),
  dev('GET /ping answers 204', ['misc/ping'], emptied(/^GET \/ping$/)),
  dev('DELETE of jobs answers 204 and nothing', ['print-jobs/delete-200-ids'], emptied(JOB_DELETES)),
  dev(
    'DELETE of computers answers 204 and nothing',
    ['computers/delete-set', 'computers/delete-all'],
    emptied(COMPUTER_DELETES),
  ),
  dev(
    'POST /printjobs answers {"id": 5}',
    ['print-jobs/created-id-integer'],
    body(/^POST \/printjobs$/, (id) => ({ id })),
  ),
  dev(
    'POST /printjobs answers {"printJobId": 5, "state": "new"}',
    ['print-jobs/created-id-integer'],
    body(/^POST \/printjobs$/, (printJobId) => ({ printJobId, state: 'new' })),
  ),
  dev(
    'POST /printjobs answers {"data": {"id": 5}}',
    ['print-jobs/created-id-integer'],
    body(/^POST \/printjobs$/, (id) => ({ data: { id } })),
  ),
  dev('POST /printjobs answers "5"', ['print-jobs/created-id-integer'], body(/^POST \/printjobs$/, ids)),
  dev(
    'POST /printjobs answers [5]',
    ['print-jobs/created-id-integer'],
    body(/^POST \/printjobs$/, (id) => [id]),
  ),
  dev(
    'DELETE of jobs answers ids as strings',
    ['print-jobs/delete-200-ids'],
    body(JOB_DELETES, (all) => (all as readonly Json[]).map(ids)),
  ),
  dev(
    'DELETE of computers answers [{"id": 5}]',
    ['computers/delete-set', 'computers/delete-all'],
    body(COMPUTER_DELETES, (all) => (all as readonly Json[]).map((id) => ({ id }))),
  ),
  ...WRAPS.map(([name, pattern, clauses]) =>
    dev(
      `${name}: the list stands in {"data": […]}`,
      clauses,
      body(pattern, (data) => (Array.isArray(data) ? { data, total: (data as readonly Json[]).length } : undefined)),
    ),
  ),
  dev(
    'all lists stand in {"data": […]}',
    ['computers/list*', 'printers/list*', 'print-jobs/*', 'webhooks/list', 'scales/list*'],
    body(LISTS, (data) => (Array.isArray(data) ? { data } : undefined)),
  ),
  dev(
    'all lists stand in {"items": […], "total": n}',
    ['computers/list*', 'printers/list*', 'print-jobs/*', 'webhooks/list', 'scales/list*'],
    body(LISTS, (items) => (Array.isArray(items) ? { items, total: (items as readonly Json[]).length } : undefined)),
  ),
  dev(
    'GET /whoami answers {"account": {…}}',
    ['accounts/whoami'],
    body(/^GET \/whoami$/, (account) => ({ account })),
  ),
  dev(
    'GET /whoami answers [{…}]',
    ['accounts/whoami'],
    body(/^GET \/whoami$/, (account) => [account]),
  ),
  dev(
    'GET /account/state answers {"state": …}',
    ['accounts/state-json-string'],
    body(/^GET \/account\/state$/, (state) => ({ state })),
  ),
  dev(
    'POST /webhook answers the one webhook',
    ['webhooks/create-answers-list'],
    body(/^POST \/webhook$/, (all) => (all as readonly Json[])[0]),
  ),
  dev(
    'PATCH /webhook answers the one webhook',
    ['webhooks/update-answers-list'],
    body(/^PATCH \/webhook\//, (all) => (all as readonly Json[])[0]),
  ),
  dev('DELETE /webhook answers 204 and nothing', ['webhooks/delete-answers-list'], emptied(/^DELETE \/webhook\//)),
  dev(
    'GET /account/tag/{name} answers null',
    ['accounts/tag-read', 'accounts/tag-value-string'],
    body(/^GET \/account\/tag\//, () => null),
  ),
  ...FIELDS.map(([name, field, pattern, clause]) =>
    dev(`${name} lack ${field}`, [clause], objects(pattern, without(field))),
  ),
  ...NUMBERS.map(([field, pattern, clause]) =>
    dev(`${field} is text`, [clause], objects(pattern, changing(field, ids))),
  ),
  dev('no X-Account', ['authentication/x-account'], withoutHeader('X-Account')),
  dev('no Request-Id', ['service/request-id-present'], withoutHeader('Request-Id')),
  dev('no Records-Total', ['service/records-total'], withoutHeader('Records-Total')),
  dev('no Records-Returned', ['service/records-returned'], withoutHeader('Records-Returned')),
  dev('no Records-Returned-Limit', ['service/records-returned-limit'], withoutHeader('Records-Returned-Limit')),
  dev('no WWW-Authenticate', ['authentication/www-authenticate'], withoutHeader('WWW-Authenticate')),
  dev(
    'errors are {"error": "…"}',
    ['errors/*'],
    errors(({ message }) => ({ body: JSON.stringify({ error: message }) })),
  ),
  dev(
    'errors are {"error": {…}}',
    ['errors/*'],
    errors((error) => ({ body: JSON.stringify({ error }) })),
  ),
  dev(
    'errors have no uid',
    ['errors/*'],
    errors((error) => ({ body: JSON.stringify(without('uid')(error)) })),
  ),
  dev(
    'errors have no code',
    ['errors/*'],
    errors((error) => ({ body: JSON.stringify(without('code')(error)) })),
  ),
  dev(
    '401 is 403',
    ['authentication/missing-credentials-401'],
    errors((_, answer) => (answer.status === 401 ? { status: 403 } : undefined)),
  ),
  dev(
    '401 is 403 Forbidden',
    ['authentication/missing-credentials-401', 'errors/invalid-credentials'],
    errors((error, answer) =>
      answer.status === 401 ? { status: 403, body: JSON.stringify({ ...error, code: 'Forbidden' }) } : undefined,
    ),
  ),
  dev(
    'the code of a 401 is Unauthorized',
    ['errors/invalid-credentials'],
    errors((error, answer) =>
      answer.status === 401 ? { body: JSON.stringify({ ...error, code: 'Unauthorized' }) } : undefined,
    ),
  ),
  dev(
    'the code of a 400 is BadRequest',
    ['errors/invalid-content'],
    errors((error, answer) =>
      answer.status === 400 ? { body: JSON.stringify({ ...error, code: 'BadRequest' }) } : undefined,
    ),
  ),
  dev(
    'all keys are in snake_case',
    ['*'],
    objects(/^(GET|POST|PATCH) \/(whoami|computers|printers|printjobs|computer|webhook|account$)/, renaming(snake)),
  ),
  dev(
    'all keys are in PascalCase',
    ['*'],
    objects(/^(GET|POST|PATCH) \/(whoami|computers|printers|printjobs|computer|webhook|account$)/, renaming(pascal)),
  ),
  dev(
    'all ids are text',
    ['*'],
    objects(/^(GET|POST|PATCH) \/(whoami|computers|printers|printjobs|computer|webhook|account$)/, (fields) =>
      ['id', 'webhookId', 'printJobId', 'computerId'].reduce((changed, name) => changing(name, ids)(changed), fields),
    ),
  ),
  dev('lists begin with the oldest', ['service/page-dir-default'], (answer) =>
    /[?&]dir=/.test(answer.path) ? undefined : oldestFirst(answer),
  ),
  dev(
    'all times are seconds',
    ['*'],
    objects(/^GET \/(computers|printers|printjobs)/, changing('createTimestamp', asSeconds)),
  ),
  dev(
    'all times are milliseconds',
    ['*'],
    objects(/^GET \/(computers|printers|printjobs)/, changing('createTimestamp', asMilliseconds)),
  ),
  dev(
    'computers lack their id in printers',
    ['printers/*', 'computers/*'],
    objects(/^GET \/(printers|computers\/[^/]+\/printers)/, onlyIf('hostname', without('id'))),
  ),
];
