/**
 * A shop that prints: a label for each parcel, a packing slip once a label is out, and at night what is missing. It is
 * sound, unless its second argument names what it gets wrong: node shop.mjs labels no-key,ignores-429. The first says what
 * it does: labels, twins, parallel, list, looks or hook.
 */

import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const { PLATEN_URL: base, PLATEN_API_KEY: apiKey } = process.env;
const [, , mode = 'labels', sins = ''] = process.argv;
const has = (sin) => sins.split(',').includes(sin);
const headers = { authorization: `Basic ${btoa(`${apiKey}:`)}`, 'content-type': 'application/json' };
const TRIES = 5;
const PATIENCE_MS = 3_000;

const say = (text) => process.stdout.write(`${text}\n`);

class Refused extends Error {}

/** What a status means: taken, to be tried again after a while, or refused for good. */
async function meaningOf(answer) {
  if (answer.ok)
    return { json: await answer.json().catch((error) => (has('reads-no-body') ? null : Promise.reject(error))) };
  if (answer.status === 409 && !has('conflict-fails')) return { json: null };
  if (answer.status === 429 && has('ignores-429')) return { json: null };
  if (answer.status === 429) return { waitMs: has('hammers') ? 5 : Number(answer.headers.get('retry-after')) * 1_000 };
  if (answer.status >= 500 && has('ignores-500')) return { json: null };
  if (answer.status >= 500) return { waitMs: 50 };
  if (answer.status === 401 && has('ignores-401')) return { json: null };
  throw new Refused(`the service answered ${answer.status}`);
}

async function call(method, path, { body, key, most = TRIES } = {}) {
  const isOnce = method === 'POST' && has('never-retries');
  const limit = has('gives-up-softly') ? 2 : most;
  for (let tries = 1; ; tries++) {
    try {
      const given = has('key-per-try') ? randomUUID() : key;
      const answer = await fetch(base + path, {
        method,
        headers: { ...headers, ...(given && !has('no-key') && { 'x-idempotency-key': given }) },
        body: body && JSON.stringify(has('title-per-try') ? { ...body, title: `${body.title} try ${tries}` } : body),
        signal: has('no-timeout') ? undefined : AbortSignal.timeout(PATIENCE_MS),
      });
      const { json, waitMs } = await meaningOf(answer);
      if (waitMs === undefined) return json;
      await sleep(waitMs);
    } catch (error) {
      if (error instanceof Refused || isOnce) throw error;
    }
    if (tries < limit || has('forever')) continue;
    if (has('swallows') || has('gives-up-softly')) return null;
    throw new Error(`${method} ${path}: no answer after ${tries} tries`);
  }
}

async function all(path) {
  const found = [];
  for (let after = ''; ;) {
    const page = (await call('GET', `${path}?limit=100${after}`)) ?? [];
    found.push(...page);
    if (page.length < 100 || has('first-page')) return found;
    after = `&after=${page.at(-1).id}`;
  }
}

const job = (printerId, title) => ({
  printerId,
  title,
  source: 'shop',
  contentType: 'raw_base64',
  content: btoa(`^XA^FO50,50^FD${mode === 'twins' ? 'FRAGILE' : title}^FS^XZ`),
  ...(mode === 'twins' && { qty: 2 }),
  ...(has('copies-0') && { options: { copies: 0 } }),
});

const submit = (printerId, title, key = title) => call('POST', '/printjobs', { body: job(printerId, title), key });

async function labels(printerId) {
  for (const order of ['A-1', 'A-2']) await submit(printerId, `Label ${order}`);
}

async function twins(printerId) {
  for (const n of [1, 2, 3]) await submit(printerId, 'Fragile', `fragile-${n}`);
}

async function parallel(printerId) {
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const id = randomUUID();
      await submit(printerId, `Label ${id} ${new Date().toISOString()}`, id);
    }),
  );
}

/** Prints the night's invoices, looks in the list, and prints what is missing there. */
async function list(printerId) {
  const wanted = ['Invoice 1', 'Invoice 2'];
  for (const title of wanted) await submit(printerId, title).catch(() => undefined);
  const titles = new Set((await all('/printjobs')).map(({ title }) => title));
  for (const title of wanted.filter((one) => !titles.has(one))) {
    await submit(printerId, title, has('first-page') ? `${title} again` : title);
  }
}

async function idOf(wanted) {
  return (await all('/printjobs')).find(({ title }) => title === wanted)?.id;
}

/** Has no keys: looks in the list before it asks again, and polls a little. */
async function looks(printerId) {
  for (const title of ['Label C-1', 'Label C-2']) {
    for (let tries = 0; (await idOf(title)) === undefined; tries++) {
      if (tries === TRIES) throw new Error(`${title}: not there after ${tries} tries`);
      await call('POST', '/printjobs', { body: job(printerId, title), most: 1 }).catch((error) => say(String(error)));
    }
    let state;
    for (let polls = 0; polls < 3; polls++) {
      await sleep(300);
      [{ state }] = await call('GET', `/printjobs/${await idOf(title)}`);
    }
    if (has('takes-late-for-failed') && state !== 'done')
      await call('POST', '/printjobs', { body: job(printerId, title) });
  }
}

async function hook(printerId) {
  const orders = new Map();
  const early = [];
  const shipped = new Set();
  const work = [];
  const secret = randomUUID();
  const take = async ({ type, data }) => {
    if (type !== 'print job state' && has('knows-all-types')) throw new Error(`no such type: ${type}`);
    if (data?.state !== 'done') return;
    const order = orders.get(data.printJobId);
    if (order === undefined) {
      early.push({ type, data });
      return;
    }
    if (shipped.has(order) && !has('no-memory')) return;
    shipped.add(order);
    await submit(printerId, `Slip ${order}`, has('no-memory') ? randomUUID() : `slip ${order}`);
  };
  const receive = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const given = Buffer.from(String(request.headers['x-service-webhook-secret']).padEnd(36));
    const isUnasked = has('takes-unsigned') && request.headers['x-service-webhook-secret'] === undefined;
    const isTrusted =
      has('no-secret') || isUnasked || (given.length === 36 && timingSafeEqual(given, Buffer.from(secret)));
    if (!isTrusted) {
      response.writeHead(401).end();
      return;
    }
    response.writeHead(200, has('no-status-header') ? {} : { 'x-service-webhook-status': 'OK' }).end();
    const events = JSON.parse(body);
    for (const event of has('first-event-only') ? events.slice(0, 1) : events) work.push(take(event));
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/hook`;
  const isThere = async () => ((await call('GET', '/webhooks')) ?? []).some((one) => one.url === url);
  if (!(await isThere())) await call('POST', '/webhook', { body: { url, secret, messages: ['print job state'] } });
  // 409 says that an earlier try was taken, and not which job that was.
  orders.set((await submit(printerId, 'Parcel B-1')) ?? (await idOf('Parcel B-1')), 'B-1');
  for (const event of early.splice(0)) work.push(take(event));
  const limit = has('leaves-early') ? 10 : 60;
  for (let looks = 0; looks < limit && !shipped.has('B-1'); looks++) await sleep(100);
  await sleep(400);
  await Promise.all(work);
  server.closeAllConnections();
  server.close();
  if (!shipped.has('B-1') && !has('leaves-early')) throw new Error('no event came');
}

const MODES = { labels, twins, parallel, list, looks, hook };

try {
  const printers = await all('/printers');
  const printerId = printers.find(({ name }) => name === 'Label 4x6')?.id ?? printers[0]?.id ?? 1;
  await MODES[mode](printerId);
  if (has('polls')) for (let looks = 0; looks < 12; looks++) await call('GET', '/printjobs/1/states');
  if (has('deletes-nothing')) await call('DELETE', '/printjobs/').catch(() => undefined);
} catch (error) {
  say(String(error));
  if (has('exits-0')) process.exit(0);
  say('platen: said=failed');
  process.exit(1);
}
