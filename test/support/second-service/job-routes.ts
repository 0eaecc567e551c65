/**
 * Print jobs: taking them, showing them, cancelling them, and what becomes of them with time.
 */

import {
  badRequest,
  integerIn,
  isObject,
  notFound,
  onlyQuery,
  pageOf,
  readObject,
  Refusal,
  stringIn,
  type Answer,
  type Call,
} from './reading-requests.ts';
import { chosen, printerJson, readOptionalSet } from './device-routes.ts';
import type { Routes } from './http-front.ts';
import {
  SENDABLE_STATES,
  timestamp,
  type Job,
  type JobState,
  type Json,
  type JsonObject,
  type Store,
} from './store.ts';

export interface JobEvents {
  queued(job: Job): void;
  /** A stable state was recorded. */
  recorded(job: Job, state: JobState): void;
}

const KEY_LIFE_MS = 86_400_000;
const DEFAULT_EXPIRY_S = 1_209_600;
const CONTENT_TYPES = ['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'];

export class Jobs {
  readonly #store: Store;
  readonly #events: JobEvents;

  constructor(store: Store, events: JobEvents) {
    this.#store = store;
    this.#events = events;
  }

  record(job: Job, state: JobState): void {
    job.states.push(state);
    if (SENDABLE_STATES.has(state.state)) this.#events.recorded(job, state);
  }

  /** Records a state of the service's own. */
  note(job: Job, state: string, message: string | null = null): void {
    this.record(job, { state, message, clientVersion: null, at: this.#store.clock.now() });
  }

  end(job: Job, state: string, message: string): void {
    job.isEnded = true;
    job.stopExpiry();
    this.note(job, state, message);
  }

  routes(): Routes {
    const store = this.#store;
    const among = (call: Call): Job[] => {
      const ofPrinters = readOptionalSet(call.path['printers']);
      return chosen(
        store.jobsOf(call.account).filter(({ printer }) => ofPrinters(printer.id)),
        call.path['set'],
      );
    };
    const list = (call: Call): Answer => {
      const { page, headers } = pageOf(call, among(call));
      return { headers, json: page.map(jobJson) };
    };
    const states = (call: Call): Answer => {
      const { page, headers } = pageOf(call, among(call));
      return { headers, json: page.map((job) => job.states.map((state) => stateJson(job, state))) };
    };
    const cancel = (call: Call): Answer => {
      onlyQuery(call, []);
      const cancelled = among(call).filter(({ isSent, isEnded }) => !isSent && !isEnded);
      for (const job of cancelled) this.end(job, 'cancelled', 'Cancelled by the caller');
      return { json: cancelled.map(({ id }) => id) };
    };
    const collections = [
      '/printjobs',
      '/printjobs/:set',
      '/printers/:printers/printjobs',
      '/printers/:printers/printjobs/:set',
    ];
    return [
      ['GET /printjobs/states', states],
      ['GET /printjobs/:set/states', states],
      ['POST /printjobs', (call) => ({ status: 201, json: this.#take(call) })],
      ...collections.map((path) => [`GET ${path}`, list] as const),
      ...collections.map((path) => [`DELETE ${path}`, cancel] as const),
    ];
  }

  #take(call: Call): number {
    const store = this.#store;
    const { account } = call;
    const now = store.clock.now();
    const body = readObject(call);
    const plan = readJob(body);
    const printerId = integerIn(body['printerId'], 'printerId', 1);
    const printer = store.printersOf(account).find(({ id }) => id === printerId);
    if (!printer) throw notFound(`There is no printer ${printerId}`);
    const idempotencyKey = String(call.headers['x-idempotency-key'] ?? '');
    if (idempotencyKey !== '') {
      const usedAt = account.usedKeys.get(idempotencyKey);
      if (usedAt !== undefined && now - usedAt < KEY_LIFE_MS) {
        throw new Refusal(409, 'Conflict', 'The idempotency key was used in the last 24 hours');
      }
      account.usedKeys.set(idempotencyKey, now);
    }
    const { expireAfter, ...rest } = plan;
    const job: Job = {
      ...rest,
      id: store.nextId(),
      account,
      printer,
      createdAt: now,
      expiresAt: now + expireAfter * 1000,
      states: [],
      isSent: false,
      isEnded: false,
      stopExpiry: () => undefined,
    };
    store.jobs.set(job.id, job);
    this.note(job, 'new');
    job.stopExpiry = store.clock.after(expireAfter * 1000, () => {
      if (!job.isSent && !job.isEnded) this.end(job, 'expired', 'Not delivered in time');
    });
    this.#events.queued(job);
    return job.id;
  }
}

function readJob(body: JsonObject): Pick<
  Job,
  'title' | 'source' | 'contentType' | 'content' | 'options' | 'qty' | 'authentication'
> & {
  readonly expireAfter: number;
} {
  const contentType = stringIn(body, 'contentType');
  if (!CONTENT_TYPES.includes(contentType)) throw badRequest(`contentType is one of ${CONTENT_TYPES.join(', ')}`);
  const content = stringIn(body, 'content');
  if (content === '') throw badRequest('content must not be empty');
  const options = body['options'] ?? {};
  const isNone = Array.isArray(options) && options.length === 0;
  if (!isNone && !isObject(options)) throw badRequest('options must be an object');
  return {
    contentType,
    content,
    options: isObject(options) ? options : {},
    title: body['title'] === undefined || body['title'] === null ? '' : stringIn(body, 'title'),
    source: body['source'] === undefined || body['source'] === null ? null : stringIn(body, 'source'),
    qty: integerIn(body['qty'] ?? 1, 'qty', 1),
    expireAfter: integerIn(body['expireAfter'] ?? DEFAULT_EXPIRY_S, 'expireAfter', 0),
    authentication: readAuthentication(body['authentication']),
  };
}

function readAuthentication(value: Json | undefined): JsonObject | null {
  if (value === undefined || value === null) return null;
  const credentials = isObject(value) ? value['credentials'] : undefined;
  if (!isObject(value) || !isObject(credentials)) throw badRequest('authentication needs type and credentials');
  const type = value['type'];
  if (type !== 'BasicAuth' && type !== 'DigestAuth') throw badRequest('authentication.type is BasicAuth or DigestAuth');
  return { type, credentials: { user: stringIn(credentials, 'user'), pass: stringIn(credentials, 'pass') } };
}

function jobJson(job: Job): Json {
  return {
    id: job.id,
    printer: printerJson(job.printer),
    title: job.title,
    contentType: job.contentType,
    source: job.source,
    expireAt: timestamp(job.expiresAt).replace('Z', '000Z'),
    createTimestamp: timestamp(job.createdAt),
    state: job.states.at(-1)?.state ?? 'new',
    pages: null,
    qty: job.qty,
    options: job.options,
  };
}

function stateJson(job: Job, { state, message, clientVersion, at }: JobState): Json {
  return {
    printJobId: job.id,
    state,
    message,
    data: null,
    clientVersion,
    createTimestamp: timestamp(at),
    age: at - job.createdAt,
  };
}
