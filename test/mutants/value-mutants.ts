/**
 * Mutants that show with values at their edges, with the second of two like things, and with large numbers alone: the
 * plain example of a rule, the first report of a job and the first page are right.
 */

import type { DeliveredJob } from '../../src/link/device-link.ts';
import { LIST_HEADERS } from '../../src/specification/headers.ts';
import type { AskingMeddle, Meddle, PassingRequest, Rewrite } from './meddling-proxy.ts';
import { broken, inAnswers, inRequests, inRules, onLink, type Mutant } from './mutant.ts';
import { headerOf, instead, isForm, jsonOf, refuse, sent } from './mutant-tools.ts';
import { json } from './mutants.ts';
import type { LinkMeddling } from './meddling-link.ts';
import { events, sender } from './webhook-sender.ts';

type Fields = Record<string, unknown>;
type State = { readonly state: string };

const SUBMIT = /^POST \/printjobs$/;
const CREATE = /^POST \/account$/;
const CHANGE = /^PATCH \/account$/;
const STATES = /^GET \/printjobs\/[\d,]+\/states/;
const READINGS = /^GET \/computer\/\d+\/scale/;
const PRINTERS = /^GET (\/computers\/[\d,]+)?\/printers/;
const WEBHOOKS = /^GET \/webhooks/;
const WRITES = /^(POST|PATCH|PUT) /;
const LOWER_CASE_ESCAPE = /%(?=[a-f]|.[a-f])[0-9a-f]{2}/g;
const HUNDRED = 100;
const ADDRESS_MOST = 1_024;
const TITLE_MOST = 1_000;
const ALLOWED_KEYS = 10;
const ALLOWED_KEYS_IN_ALL = 50;
const WORKING_KEYS = 5;
const PAGES_MOST = 10;

const inAddress = (name: string, change: (address: string) => string): Mutant =>
  inRequests(
    'print-jobs/body-content',
    name,
    sent(SUBMIT, ({ content, contentType, ...rest }: Fields) => ({
      ...rest,
      contentType,
      content: String(contentType).endsWith('_uri') ? change(String(content)) : content,
    })),
  );

export const eachReading = (change: (reading: Fields) => Fields): AskingMeddle =>
  json(READINGS, (value: Fields | Fields[]) => (Array.isArray(value) ? value.map(change) : change(value)));

const inHistories = (change: (history: readonly State[]) => readonly State[]): AskingMeddle =>
  json(STATES, (histories: readonly (readonly State[])[]) => histories.map(change));

const bodyHas = (pattern: RegExp): AskingMeddle =>
  refuse(WRITES, ({ request }) => !isForm(request) && pattern.test(request.body.toString('utf8')));

/** What the same request said the last time is refused. */
function refusingAgain(pattern: RegExp, what: (request: PassingRequest) => unknown): AskingMeddle {
  const last = new Map<string, unknown>();
  return (answer) => {
    const { method, path, request, status } = answer;
    if (!pattern.test(`${method} ${path}`) || status >= 300) return undefined;
    const said = what(request);
    const place = `${path} ${headerOf(request, 'x-child-account-by-id') ?? ''}`;
    const isSame = said !== undefined && last.get(place) === said;
    if (said !== undefined) last.set(place, said);
    return isSame ? refuse(pattern)(answer) : undefined;
  };
}

const named = (name: string) => (request: PassingRequest) => (jsonOf(request) as Fields | undefined)?.[name];

const keyOf = (request: PassingRequest): string => {
  const [, credentials = ''] = (headerOf(request, 'authorization') ?? '').split(' ');
  return Buffer.from(credentials, 'base64').toString('utf8').replace(/:$/, '');
};

/** Keys that no request is authenticated by. */
class DeadKeys {
  readonly #dead = new Set<string>();
  readonly #living = new Map<string, string>();

  readonly rewrite: Rewrite = (request) => {
    if (!this.#dead.has(keyOf(request))) return undefined;
    const { headers } = request;
    return {
      headers: headers.map((value, at) => (/^authorization$/i.test(headers[at - 1] ?? '') ? 'Basic bm9uZTo=' : value)),
    };
  };

  /** Those that an account has beyond a number. */
  readonly beyond: AskingMeddle = ({ method, path, status, body }) => {
    if (!path.startsWith('/account/apikey/') || status >= 300) return undefined;
    if (method === 'DELETE') this.#living.delete(path);
    if (method !== 'POST') return undefined;
    const key = JSON.parse(body) as string;
    if (this.#living.size >= ALLOWED_KEYS && !this.#living.has(path)) this.#dead.add(key);
    this.#living.set(path, key);
    return undefined;
  };

  /** Those that a creation made beyond a number. */
  readonly ofCreation: AskingMeddle = ({ method, path, status, body }) => {
    if (method !== 'POST' || path !== '/account' || status >= 300) return undefined;
    const { ApiKeys } = JSON.parse(body) as { readonly ApiKeys: Readonly<Record<string, string>> };
    for (const key of Object.values(ApiKeys).slice(WORKING_KEYS)) this.#dead.add(key);
    return undefined;
  };
}

function withFewPapers({ capabilities, ...printer }: Fields): Fields {
  const { papers, ...others } = { papers: undefined, ...(capabilities as Fields | null) };
  if (typeof papers !== 'object' || papers === null) return { ...printer, capabilities };
  const few = Object.fromEntries(Object.entries(papers).slice(0, HUNDRED));
  return { ...printer, capabilities: { ...others, papers: few } };
}

const beyondTen = new DeadKeys();
const beyondFive = new DeadKeys();

/** No more keys than this at a time. */
function atMostKeys(most: number): AskingMeddle {
  const living = new Set<string>();
  return (answer) => {
    const { method, path, status } = answer;
    if (!path.startsWith('/account/apikey/') || status >= 300) return undefined;
    if (method === 'DELETE') living.delete(path);
    if (method !== 'POST') return undefined;
    if (living.size >= most && !living.has(path)) return refuse(/./)(answer);
    living.add(path);
    return undefined;
  };
}

/** On each connection no more jobs than this. */
function atMostJobs(most: number): LinkMeddling {
  const counts = new WeakMap<object, number>();
  return {
    jobs: (job, line) => {
      const count = (counts.get(line) ?? 0) + 1;
      counts.set(line, count);
      return count > most ? [] : [job];
    },
  };
}

/** The second end of a job has it delivered again. */
function againAtSecondEnd(): LinkMeddling {
  const jobs = new Map<number, DeliveredJob>();
  const ended = new Set<number>();
  return {
    jobs: (job) => {
      jobs.set(job.jobId, job);
      return [job];
    },
    session: (session, { request }) => ({
      async reportJobState(report) {
        await session.reportJobState(report);
        const job = jobs.get(report.jobId);
        if (job && ended.has(report.jobId)) await request.events.onJob(job);
        if (report.state === 'done') ended.add(report.jobId);
      },
    }),
  };
}

/** A list ends with its tenth page. */
const tenPages: Meddle = ({ method, path, headers, status }) => {
  const [, query = ''] = /^\/printers\/\d+\/printjobs\?(.*)$/.exec(path) ?? [];
  const limit = Number(new URLSearchParams(query).get('limit'));
  if (method !== 'GET' || status >= 300 || !limit) return undefined;
  const before = Number(headerOf({ headers }, LIST_HEADERS.offset.name));
  return before >= PAGES_MOST * limit ? { body: '[]' } : undefined;
};

/** A done that is reported again emits no event. */
function oneDoneEach(): ReturnType<typeof events> {
  const told = new Map<string, unknown>();
  return events((all) =>
    all.filter(({ data }) => {
      if (data['state'] !== 'done') return true;
      const job = String(data['printJobId']);
      const first = told.get(job) ?? data['uid'];
      told.set(job, first);
      return first === data['uid'];
    }),
  );
}

const inStatistics = (change: (webhook: Record<string, Fields>) => unknown): AskingMeddle =>
  json(WEBHOOKS, (webhooks: Record<string, Fields>[]) => webhooks.map(change));

const eachCapability = (change: (capabilities: Fields) => Fields): AskingMeddle =>
  json(PRINTERS, (printers: { readonly capabilities: Fields | null }[]) =>
    printers.map((one) => ({ ...one, capabilities: one.capabilities && change(one.capabilities) })),
  );

const signed = (id: unknown): number => (Number(id) > 0x7fff ? Number(id) - 0x10000 : Number(id));

export const VALUE_MUTANTS: readonly Mutant[] = [
  // Values
  inAddress('an address loses its fragment', (address) => address.replace(/#.*/, '')),
  inAddress('an address loses its user name and password', (address) => address.replace(/\/\/[^/@]*@/, '//')),
  inAddress('an address is cut', (address) => address.slice(0, ADDRESS_MOST)),
  inAddress('a plus in an address is a space', (address) => address.replaceAll('+', ' ')),
  inAddress('the escapes of an address are written in upper case', (address) =>
    address.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase()),
  ),
  inRequests(
    'print-jobs/body-options',
    'half a turn is none',
    sent(SUBMIT, (job: Fields) => {
      const options = job['options'] as Fields | undefined;
      return options?.['rotate'] === 180 ? { ...job, options: { ...options, rotate: 0 } } : job;
    }),
  ),
  inRequests(
    'print-jobs/body-title',
    'a title is cut at a thousand characters',
    sent(SUBMIT, (job: Fields) =>
      typeof job['title'] === 'string' ? { ...job, title: job['title'].slice(0, TITLE_MOST) } : job,
    ),
  ),
  onLink('states/field-message', 'a message has nothing outside ASCII', {
    session: (session) => ({
      reportJobState: (report) =>
        session.reportJobState({
          ...report,
          message: report.message?.replaceAll(/[^ -~]/gu, '?') ?? null,
        }),
    }),
  }),
  inRequests(
    'service/form-same-meaning',
    'escapes in lower case are not decoded',
    instead(WRITES, (request) =>
      isForm(request) ? { body: request.body.toString('utf8').replaceAll(LOWER_CASE_ESCAPE, '%25') } : undefined,
    ),
  ),
  inAnswers(
    'accounts/create-as-form',
    'brackets have to be escaped',
    refuse(CREATE, ({ request }) => isForm(request) && request.body.includes('[')),
  ),
  inAnswers('service/json-bodies', 'an escape has its digits in lower case', bodyHas(/\\u[0-9a-f]*[A-F]/)),
  inAnswers('service/json-bodies', 'a tab is no white space', bodyHas(/\t/)),
  inRequests(
    'service/json-bodies',
    'an escaped slash keeps its backslash',
    instead(WRITES, (request) => ({ body: request.body.toString('utf8').replaceAll('\\/', '\\\\/') })),
  ),
  inRequests(
    'service/set-encoded-comma',
    'a comma is escaped in upper case',
    instead(/%2c/, ({ path }) => ({ path: path.replaceAll('%2c', 'x') })),
  ),
  inAnswers(
    'scales/field-vendor-id',
    'a vendor id of 0 is 1',
    eachReading((one) => ({ ...one, vendorId: Number(one['vendorId']) || 1 })),
  ),
  inAnswers(
    'scales/field-vendor-id',
    'a vendor id has a sign',
    eachReading((one) => ({ ...one, vendorId: signed(one['vendorId']) })),
  ),
  inAnswers(
    'scales/field-product-id',
    'a product id of 0 is 1',
    eachReading((one) => ({ ...one, productId: Number(one['productId']) || 1 })),
  ),
  inAnswers(
    'scales/measurement-billionths',
    'ounces come with pounds',
    eachReading((one) => ({
      ...one,
      measurement: { ...('oz' in (one['measurement'] as Fields) && { lb: 0 }), ...(one['measurement'] as Fields) },
    })),
  ),
  inAnswers(
    'scales/measurement-billionths',
    'pounds alone are kilograms',
    eachReading((one) => {
      const { lb, ...others } = one['measurement'] as Fields;
      const isAlone = lb !== undefined && Object.keys(others).length === 0;
      return isAlone ? { ...one, measurement: { kg: Math.round(Number(lb) * 0.453_592_37) } } : one;
    }),
  ),
  inAnswers(
    'scales/mass-resolution',
    'a resolution has 32 bits',
    eachReading((one) => {
      const [mass, resolution] = one['mass'] as readonly (number | null)[];
      return { ...one, mass: [mass, resolution === null ? null : Number(resolution) % 2 ** 32] };
    }),
  ),
  inRequests(
    'scales/device-name-encoded',
    'escapes in lower case are not decoded',
    instead(READINGS, ({ path }) => ({ path: path.replaceAll(LOWER_CASE_ESCAPE, '%25') })),
  ),
  inAnswers(
    'printers/printrate-unit',
    'a rate in lines is one in pages',
    eachCapability((one) => {
      const rate = one['printrate'] as Fields | null;
      return { ...one, printrate: rate?.['unit'] === 'lmp' ? { ...rate, unit: 'ppm' } : rate };
    }),
  ),
  inAnswers(
    'printers/printrate-rate',
    'a rate below one is none',
    eachCapability((one) => {
      const rate = one['printrate'] as Fields | null;
      return { ...one, printrate: rate && Number(rate['rate']) < 1 ? { ...rate, rate: 1 } : rate };
    }),
  ),
  inRules(
    'events/secret-sent',
    'a secret is written in lower case',
    sender((send) => (target, body) => send({ ...target, secret: target.secret.toLowerCase() }, body)),
  ),

  // The second of two like things
  inRules('events/print-job-state', 'a done that is reported again emits nothing', oneDoneEach()),
  inAnswers(
    'states/history-kept',
    'a second done replaces the first',
    inHistories((history) =>
      history.filter(({ state }, at) => state !== 'done' || history.findLastIndex((one) => one.state === state) === at),
    ),
  ),
  inAnswers(
    'states/history-kept',
    'an error takes the place of done',
    inHistories((history) =>
      history.some(({ state }) => state === 'error') ? history.filter(({ state }) => state !== 'done') : history,
    ),
  ),
  onLink('print-jobs/delivered-once', 'a job that ends twice is sent again', againAtSecondEnd()),
  inAnswers(
    'accounts/update',
    'the creatorRef of a Child is taken by itself',
    refusingAgain(CHANGE, named('creatorRef')),
  ),
  inAnswers(
    'webhooks/update',
    'the url of a webhook is taken by itself',
    refusingAgain(/^PATCH \/webhook\//, named('url')),
  ),
  inAnswers(
    'client-downloads/client-key',
    'a UUID gets one key',
    refusingAgain(/^GET \/client\/key\//, () => 'asked'),
  ),

  // Large numbers
  inAnswers(
    'printers/capabilities-as-reported',
    'a printer has a hundred papers at most',
    json(PRINTERS, (printers: Fields[]) => printers.map(withFewPapers)),
  ),
  onLink('print-jobs/sent-on-reconnect', 'a computer that comes back gets a hundred jobs', atMostJobs(HUNDRED)),
  inRules(
    'events/all-due-in-one',
    'a request has a hundred events at most',
    events((all) => all.slice(0, HUNDRED)),
  ),
  inAnswers('service/pages-complete', 'a list has ten pages', tenPages),
  inRequests(
    'print-jobs/delete-set',
    'a DELETE takes a hundred ids of its set',
    instead(/^DELETE \/printjobs\/\d/, ({ path }) => ({ path: path.split(',').slice(0, HUNDRED).join(',') })),
  ),
  broken('authentication/any-key', 'the eleventh key of an account does not authenticate', {
    rewrite: beyondTen.rewrite,
    meddle: beyondTen.beyond,
  }),
  inAnswers('accounts/api-key-many', 'an account has fifty keys at most', atMostKeys(ALLOWED_KEYS_IN_ALL)),
  broken('accounts/create-api-keys-work', 'of the keys of a creation five authenticate', {
    rewrite: beyondFive.rewrite,
    meddle: beyondFive.ofCreation,
  }),
  onLink('scales/device-num-smallest-unused', 'ten scales of a name at most have numbers', {
    session: (session) => ({ reportScales: (scales) => session.reportScales(scales.slice(0, PAGES_MOST)) }),
  }),
  inAnswers(
    'webhooks/measures-decay',
    'dropped events do not decay',
    inStatistics(({ droppedEvents = {}, ...webhook }) => ({
      ...webhook,
      droppedEvents: Object.fromEntries(Object.keys(droppedEvents).map((name) => [name, droppedEvents['counts']])),
    })),
  ),
  inAnswers(
    'webhooks/measure-exp1d',
    'failed requests of a day are those of an hour',
    inStatistics(({ failedRequests = {}, ...webhook }) => ({
      ...webhook,
      failedRequests: { ...failedRequests, exp1d: failedRequests['exp1h'] },
    })),
  ),
];
