// Webhooks: their settings, the events that wait for each target, and what is counted.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { fieldsOf, text } from './body.mjs';
import { Refusal, notFound, unfit } from './errors.mjs';
import { nextId, remove, save, state } from './store.mjs';
import { western } from './times.mjs';
import { addSource, rearm } from './timers.mjs';

const TYPES = { ComputerState: 'computer state', PrintJobState: 'print job state' };
const STATISTICS = ['receivedEvents', 'droppedEvents', 'successfulRequests', 'failedRequests'];
const HALVES_MS = { exp7d: 604_800_000, exp1d: 86_400_000, exp1h: 3_600_000, exp5m: 300_000 };
const AGAIN_MS = 5_000;
const PATIENCE_MS = 25_000;
const MOST = 5;

const of = (account) => [...state.webhooks.values()].filter(({ accountId }) => accountId === account.id);

function shownStatistic({ counts, decays, atMs }) {
  const passedMs = Date.now() - atMs;
  const faded = Object.entries(HALVES_MS).map(([name, halfMs]) => ({
    measure: name,
    value: decays[name] * 2 ** (-passedMs / halfMs),
  }));
  return [{ measure: 'counts', value: counts }, ...faded];
}

const shown = (webhook) => ({
  messages: webhook.messages,
  webhookId: webhook.id,
  url: webhook.url,
  secret: webhook.secret,
  ...Object.fromEntries(STATISTICS.map((name) => [name, shownStatistic(webhook.statistics[name])])),
});

export const list = ({ account }) => ({ value: of(account).map(shown) });

function count(webhook, name, times = 1) {
  const statistic = webhook.statistics[name];
  const nowMs = Date.now();
  for (const [scale, halfMs] of Object.entries(HALVES_MS)) {
    statistic.decays[scale] = statistic.decays[scale] * 2 ** (-(nowMs - statistic.atMs) / halfMs) + times;
  }
  statistic.counts += times;
  statistic.atMs = nowMs;
}

const newStatistic = () => ({
  counts: 0,
  decays: Object.fromEntries(Object.keys(HALVES_MS).map((name) => [name, 0])),
  atMs: Date.now(),
});

function settings(fields, optional) {
  const url = text(fields, 'url', { optional, most: 8_000 });
  if (url !== undefined && !/^https?:\/\/[^/]/.test(url)) throw unfit('url has to be an address of HTTP');
  if (url !== undefined && !URL.canParse(url)) throw unfit('url cannot be read');
  const secret = text(fields, 'secret', { optional, least: 0, most: 2_000 });
  const { messages } = fields;
  if (messages === undefined && optional) return { url, secret };
  const isList = Array.isArray(messages) && messages.every((one) => one === '*' || Object.hasOwn(TYPES, one));
  if (!isList) throw unfit(`messages is a list of *, or of ${Object.keys(TYPES).join(' and ')}`);
  if (messages.includes('*') && messages.length > 1) throw unfit('nothing stands beside * in messages');
  return { url, secret, messages: [...new Set(messages)] };
}

export function create({ account, body }) {
  const given = settings(fieldsOf(body), false);
  if (of(account).length >= MOST) throw new Refusal(409, 'FiveAreThere', 'an account has at most five webhooks');
  const id = nextId();
  const statistics = Object.fromEntries(STATISTICS.map((name) => [name, newStatistic()]));
  save('webhooks', id, { id, accountId: account.id, statistics, ...given });
  return list({ account });
}

function named(account, id) {
  const found = of(account).find((webhook) => String(webhook.id) === id);
  if (!found) throw notFound(`webhook ${id}`);
  return found;
}

export function update({ account, body }, id) {
  const webhook = named(account, id);
  const change = settings(fieldsOf(body), true);
  for (const [name, value] of Object.entries(change)) if (value !== undefined) webhook[name] = value;
  save('webhooks', webhook.id, webhook);
  return list({ account });
}

export function erase({ account }, id) {
  remove('webhooks', named(account, id).id);
  return list({ account });
}

/** What waits for one target: a webhook as it was when the events came. */
const targets = new Map();

addSource('events', {
  dueMs: () => Math.min(...[...targets.values()].map((target) => (isIdle(target) ? Infinity : target.dueMs))),
  run(nowMs) {
    for (const target of targets.values()) if (!isIdle(target) && target.dueMs <= nowMs) void deliver(target);
  },
});

const isIdle = ({ isBusy, queue }) => isBusy || queue.length === 0;

export function emit(account, type, data) {
  for (const webhook of of(account)) {
    if (!webhook.messages.some((one) => one === '*' || TYPES[one] === type)) continue;
    count(webhook, 'receivedEvents');
    const key = JSON.stringify([webhook.id, webhook.url, webhook.secret]);
    if (!targets.has(key)) targets.set(key, { webhook, url: webhook.url, secret: webhook.secret, queue: [], dueMs: 0 });
    const target = targets.get(key);
    target.queue.push({
      wasRetried: false,
      event: {
        data,
        createdAt: western(Date.now()),
        controllingAccountId: account.parent ?? account.id,
        accountId: account.id,
        type,
      },
    });
    // After the answer to the request that is under way.
    setImmediate(() => rearm());
  }
}

async function deliver(target) {
  const { webhook } = target;
  target.isBusy = true;
  const sent = target.queue.splice(0);
  const isOk = await post(
    target,
    sent.map(({ event }) => event),
  );
  target.isBusy = false;
  count(webhook, isOk ? 'successfulRequests' : 'failedRequests');
  if (!isOk) {
    const dropped = sent.filter(({ wasRetried }) => wasRetried).length;
    if (dropped > 0) count(webhook, 'droppedEvents', dropped);
    const again = sent.filter(({ wasRetried }) => !wasRetried);
    target.queue.unshift(...again.map(({ event }) => ({ event, wasRetried: true })));
  }
  target.dueMs = isOk ? 0 : Date.now() + AGAIN_MS;
  if (state.webhooks.has(webhook.id)) save('webhooks', webhook.id, webhook);
  rearm();
}

function post({ url, secret }, events) {
  return new Promise((resolve) => {
    const body = Buffer.from(JSON.stringify(events));
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const headers = {
      'content-type': 'application/json; events=many',
      'content-length': body.length,
      'x-proof': Buffer.from(secret).toString('hex'),
      'x-told': encodeURIComponent(secret),
    };
    const request = send(url, { method: 'POST', headers, agent: false });
    const timer = setTimeout(() => request.destroy(), PATIENCE_MS);
    const finish = (isOk) => {
      clearTimeout(timer);
      resolve(isOk);
    };
    request.on('response', (response) => {
      const isGood =
        Math.floor(response.statusCode / 100) === 2 && response.headers['x-service-webhook-status'] === 'OK';
      response.resume();
      response
        .on('end', () => finish(isGood))
        .on('error', () => finish(false))
        .on('close', () => finish(false));
    });
    request.on('error', () => finish(false)).on('close', () => setImmediate(() => finish(false)));
    request.end(body);
  });
}
