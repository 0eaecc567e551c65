// Print jobs: submission, lists, states, cancelling, expiry.
import { fieldsOf, flag, object, text, whole } from './body.mjs';
import { mine } from './devices.mjs';
import { Refusal, notFound, unfit } from './errors.mjs';
import { paged } from './pages.mjs';
import { offer } from './link.mjs';
import { append, nextId, remove, save, state } from './store.mjs';
import { western } from './times.mjs';
import { addSource, rearm } from './timers.mjs';
import { emit } from './webhooks.mjs';

const DAY_MS = 86_400_000;
const CONTENT_TYPES = ['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'];
const STABLE = new Set(['new', 'sent_to_client', 'done', 'error', 'expired']);
const FRAME_MOST = 64 * 1024 * 1024;
const CENTURY_S = 3_155_760_000;

/** Jobs that wait to be delivered, by id. */
const waiting = new Map();

/** After a start. */
export function rememberWaiting() {
  for (const job of state.jobs.values()) if (isWaiting(job)) waiting.set(job.id, job);
}

export function forgetWaiting(account) {
  for (const job of waiting.values()) if (job.accountId === account.id) waiting.delete(job.id);
}

export const isWaiting = ({ wasDelivered, end }) => !wasDelivered && end === undefined;

addSource('expiry', {
  dueMs: () => Math.min(...[...waiting.values()].map(({ expireMs }) => expireMs)),
  run(nowMs) {
    for (const job of waiting.values()) if (job.expireMs <= nowMs) end(job, 'expired');
  },
});

function end(job, how) {
  waiting.delete(job.id);
  save('jobs', job.id, Object.assign(job, { end: how }));
  remove('documents', job.id);
  record(job, how, 'nobody came for it in time', null);
}

/** @param fromClient - {version, data} where a client reported it */
export function record(job, name, message, fromClient) {
  const nowMs = Date.now();
  append(job.id, {
    state: name,
    message: message ?? '',
    data: fromClient?.data ?? {},
    clientVersion: fromClient ? fromClient.version : null,
    atMs: nowMs,
  });
  if (!STABLE.has(name)) return;
  const payload = { job: job.id, printJobId: job.id, state: name, why: message ?? '' };
  emit(state.accounts.get(job.accountId), 'print job state', payload);
}

/** Just before it is sent to a client. */
export function markDelivered(job) {
  waiting.delete(job.id);
  if (!job.wasDelivered) save('jobs', job.id, Object.assign(job, { wasDelivered: true }));
}

export function markEnded(job, name) {
  save('jobs', job.id, Object.assign(job, { end: job.end ?? name, isDone: job.isDone || name === 'done' }));
  remove('documents', job.id);
}

const OPTIONS = {
  bin: (fields, name) => text(fields, name, { optional: true, least: 0 }),
  dpi: (fields, name) => text(fields, name, { optional: true, least: 0 }),
  media: (fields, name) => text(fields, name, { optional: true, least: 0 }),
  paper: (fields, name) => text(fields, name, { optional: true, least: 0 }),
  pages: (fields, name) => text(fields, name, { optional: true, least: 0 }),
  collate: (fields, name) => flag(fields, name, { optional: true }),
  color: (fields, name) => flag(fields, name, { optional: true }),
  fit_to_page: (fields, name) => flag(fields, name, { optional: true }),
  copies: (fields, name) => whole(fields, name, { optional: true, least: 1 }),
  nup: (fields, name) => whole(fields, name, { optional: true, least: 1 }),
  rotate: (fields, name) => oneOf(whole(fields, name, { optional: true }), name, [0, 90, 180, 270]),
  duplex: (fields, name) =>
    oneOf(text(fields, name, { optional: true }), name, ['long-edge', 'short-edge', 'one-sided']),
};

function oneOf(value, name, values) {
  if (value !== undefined && !values.includes(value)) throw unfit(`${name} is one of ${values.join(', ')}`);
  return value;
}

function optionsOf(fields) {
  const given = object(fields, 'options') ?? {};
  const read = Object.entries(given).map(([name, value]) => [name, OPTIONS[name]?.(given, name) ?? value]);
  return Object.fromEntries(read);
}

function credentialsOf(fields) {
  const given = object(fields, 'authentication');
  if (given === undefined || Object.keys(given).length === 0) return null;
  const credentials = object(given, 'credentials') ?? {};
  const [user, pass] = ['user', 'pass'].map((name) => text(credentials, name, { least: 0 }));
  return { type: oneOf(text(given, 'type'), 'type', ['BasicAuth', 'DigestAuth']), credentials: { user, pass } };
}

function printerOf(fields, account) {
  const { printer } = fields;
  const named = fields.printerId ?? (typeof printer === 'object' && printer !== null ? printer.id : printer);
  const id = whole({ printerId: named }, 'printerId', { least: 1 });
  const found = state.printers.get(id);
  if (!found || found.isGone || found.accountId !== account.id) throw notFound(`printer ${id}`);
  return found;
}

function unusedKey(account, header) {
  if (header === undefined || header === '') return undefined;
  const id = `${account.id} ${header}`;
  const used = state.idempotency.get(id);
  if (used && Date.now() < used.atMs + DAY_MS)
    throw new Refusal(409, 'Conflict', 'the key was used less than a day ago');
  return id;
}

export function submit({ own, account, body, request }) {
  if (account.state === 'suspended') throw new Refusal(403, 'Suspended', `account ${account.id} may not print`);
  const keyId = unusedKey(account, request.headers['x-idempotency-key']);
  const fields = fieldsOf(body);
  const content = text(fields, 'content', { most: 60_000_000 });
  const contentType = oneOf(text(fields, 'contentType'), 'contentType', CONTENT_TYPES);
  const printer = printerOf(fields, account);
  const id = nextId();
  const createdMs = Date.now();
  const job = {
    id,
    accountId: account.id,
    printerId: printer.id,
    computerId: printer.computerId,
    printerKey: printer.key,
    contentType,
    title: text(fields, 'title', { optional: true, least: 0 }) ?? '',
    source: text(fields, 'source', { optional: true, least: 0 }) ?? null,
    options: optionsOf(fields),
    qty: whole(fields, 'qty', { optional: true, least: 1 }) ?? 1,
    authentication: credentialsOf(fields),
    expireMs: createdMs + 1_000 * (whole(fields, 'expireAfter', { optional: true, most: CENTURY_S }) ?? 1_209_600),
    createdMs,
    wasDelivered: false,
    by: own.id,
    history: [],
  };
  if (Buffer.byteLength(JSON.stringify({ ...job, content })) > FRAME_MOST)
    throw unfit('the job is too large to deliver');
  save('documents', id, { content });
  save('jobs', id, job);
  if (keyId) save('idempotency', keyId, { accountId: account.id, atMs: createdMs });
  waiting.set(id, job);
  record(job, 'new', 'taken', null);
  offer(job);
  rearm();
  return { status: 201, value: id };
}

const shown = (job) => ({
  title: job.title,
  source: job.source,
  printer: job.printerId,
  job: { number: job.id },
  contentType: job.contentType,
  computer: job.computerId,
  came: western(job.createdMs),
  after: western(job.expireMs),
  state: job.history.at(-1).state,
});

const wanted = (account, printerSet, set) =>
  mine('jobs', account, set).filter(
    ({ printerId, end }) => end !== 'cancelled' && (printerSet?.has(printerId) ?? true),
  );

export function list({ account, page }, printerSet, set) {
  const { records, ...rest } = paged(wanted(account, printerSet, set), page());
  return { list: { shown: records.map(shown), ...rest } };
}

/** One list for all jobs, in the order in which things happened. */
export function states({ account, page }, set) {
  const { records, ...rest } = paged(wanted(account, undefined, set), page());
  const all = records.flatMap((job) => job.history.map((entry) => ({ job, entry })));
  all.sort((one, other) => one.entry.atMs - other.entry.atMs);
  const shownStates = all.map(({ job, entry: { atMs, ...entry } }) => ({
    ...entry,
    printJobId: job.id,
    createTimestamp: western(atMs),
    age: atMs - job.history[0].atMs,
  }));
  return { list: { shown: shownStates, ...rest } };
}

/** A cancelled job is not shown any more. */
export function cancel({ account }, printerSet, set) {
  const gone = wanted(account, printerSet, set).filter(isWaiting);
  for (const job of gone) {
    waiting.delete(job.id);
    save('jobs', job.id, Object.assign(job, { end: 'cancelled' }));
    remove('documents', job.id);
  }
  return { value: gone.map(({ id }) => id) };
}
