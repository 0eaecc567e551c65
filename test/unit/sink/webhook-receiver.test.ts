import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { within } from '../../../src/common/waiter.ts';
import { slow, slowBody } from '../../../src/sink/reply.ts';
import { statusAlone, statusWithHeader, times, WEBHOOK_REPLIES } from '../../../src/sink/reply-plan.ts';
import {
  startWebhookReceiver,
  WEBHOOK_BODY_MAX_BYTES,
  type WebhookReceiver,
} from '../../../src/sink/webhook-receiver.ts';
import { rawExchange } from './raw-exchange.ts';

const EVENT = { type: 'computer state', accountId: 1, data: {} };
const ONE = { count: 1, description: 'a delivery', limit: '5s' } as const;

let clock: VirtualClock;
let receiver: WebhookReceiver;

beforeEach(async () => {
  clock = new VirtualClock();
  receiver = await startWebhookReceiver({ clock });
});

afterEach(() => receiver.close());

function deliver(
  path: string,
  body: string | Buffer = JSON.stringify([EVENT]),
): Promise<{ status: number; header: unknown; bytes: number }> {
  const headers = { 'content-type': 'application/json', 'X-Service-Webhook-Secret': 'hush' };
  const work = request(`${receiver.url}${path}`, { method: 'POST', body, headers, reset: true }).then(
    async (response) => ({
      status: response.statusCode,
      header: response.headers['x-service-webhook-status'],
      bytes: (await response.body.arrayBuffer()).byteLength,
    }),
  );
  return within(work, { description: `the answer to a delivery to ${path}`, limit: '5s' });
}

async function onlyDelivery(): Promise<ReturnType<WebhookReceiver['log']['to']>[number]> {
  const [delivery] = await receiver.log.waitFor(ONE);
  if (!delivery) throw new Error('the log resolved without an entry');
  return delivery;
}

describe('what the webhook receiver records', () => {
  it('keeps method, path, query, headers, bytes, events and secret of a delivery', async () => {
    await deliver('/a?tenant=7');
    const delivery = await onlyDelivery();
    expect(delivery).toMatchObject({ method: 'POST', path: '/a', query: 'tenant=7', secret: 'hush' });
    expect(delivery.rawHeaders).toContainEqual(['X-Service-Webhook-Secret', 'hush']);
    expect(Buffer.from(delivery.body.bytes).toString()).toBe(JSON.stringify([EVENT]));
    expect(delivery.events).toEqual({ ok: true, value: [EVENT] });
  });

  it('stamps arrival and end of the reply on its clock and on a monotonic scale', async () => {
    await clock.advance('1h');
    await deliver('/a');
    const delivery = await onlyDelivery();
    expect(delivery.arrivedAtMs).toBe(clock.now());
    await expect.poll(() => delivery.reply.ended).toBe('sent');
    expect(delivery.reply).toMatchObject({ chosen: WEBHOOK_REPLIES.ok, endedAtMs: clock.now() });
    expect(delivery.reply.endedMonotonicMs).toBeGreaterThanOrEqual(delivery.arrivedMonotonicMs);
  });

  it.each([
    ['', 'the body is empty'],
    ['[{', 'the body is not JSON'],
    ['{"type":"computer state"}', 'the body is not an array but of type object'],
    ['null', 'the body is not an array but null'],
    [Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'the body is not UTF-8'],
  ])('says why the body %j is not an array of events', async (body, reason) => {
    await deliver('/a', body);
    const { events } = await onlyDelivery();
    expect(events.ok ? '' : events.error).toContain(reason);
  });

  it('answers 413 to a body past the limit and keeps no more than the limit of it', async () => {
    const head = `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${WEBHOOK_BODY_MAX_BYTES + 1}\r\n\r\n`;
    const { text } = await rawExchange(
      receiver.url,
      Buffer.concat([Buffer.from(head), Buffer.alloc(WEBHOOK_BODY_MAX_BYTES + 1, 0x20)]),
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    const delivery = await onlyDelivery();
    expect(delivery.body.bytes).toHaveLength(WEBHOOK_BODY_MAX_BYTES);
    expect(delivery.events).toEqual({ ok: false, error: 'the body is larger than the receiver takes' });
  });

  it('waits until enough deliveries have come to a path, and otherwise says how many did', async () => {
    await deliver('/a');
    await deliver('/b');
    await deliver('/a');
    const wait = { path: '/a', description: 'the retry', limit: '50ms' };
    expect(await receiver.log.waitFor({ ...wait, count: 2 })).toHaveLength(2);
    await expect(receiver.log.waitFor({ ...wait, count: 3 })).rejects.toThrow(
      'waited 50ms for the retry (3 to /a); last seen: 2 to /a',
    );
  });
});

describe('what the webhook receiver answers', () => {
  it('answers any path with 200 and the status header unless another reply is planned', async () => {
    expect(await deliver('/anything')).toEqual({ status: 200, header: 'OK', bytes: 0 });
  });

  it.each([
    [WEBHOOK_REPLIES['no content'], { status: 204, header: 'OK' }],
    [WEBHOOK_REPLIES['accepted in chunks'], { status: 202, header: 'OK', bytes: 5 }],
    [WEBHOOK_REPLIES['header missing'], { status: 200, header: undefined }],
    [WEBHOOK_REPLIES['header in lower case'], { status: 200, header: 'ok' }],
    [WEBHOOK_REPLIES['header empty'], { status: 200, header: '' }],
    [WEBHOOK_REPLIES['header wrong'], { status: 200, header: 'FAILED' }],
    [WEBHOOK_REPLIES.redirect, { status: 307, header: undefined }],
    [WEBHOOK_REPLIES['huge body'], { status: 200, header: 'OK', bytes: 32 * 1024 * 1024 }],
    [statusWithHeader(299), { status: 299, header: 'OK' }],
    [statusAlone(503), { status: 503, header: undefined }],
  ])('can reply $name', async (lasting, expected) => {
    receiver.plan('/a', { lasting });
    expect(await deliver('/a')).toMatchObject(expected);
  });

  it.each([400, 401, 403, 404, 410, 429, 500, 502, 503, 504] as const)('can reply status %i', async (status) => {
    receiver.plan('/a', { lasting: WEBHOOK_REPLIES[`status ${status}`] });
    expect(await deliver('/a')).toMatchObject({ status, header: 'OK' });
  });

  it('sends neither body nor length with 204', async () => {
    receiver.plan('/a', { lasting: WEBHOOK_REPLIES['no content'] });
    const ask = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]';
    const { text } = await rawExchange(receiver.url, ask);
    expect(text).toMatch(/^HTTP\/1\.1 204 /);
    expect(text).not.toMatch(/Content-Length|Transfer-Encoding/i);
    expect(text).toMatch(/\r\n\r\n$/);
  });

  it('fails the first deliveries and takes those after them, each path by its own plan', async () => {
    receiver.plan('/a', { first: times(2, WEBHOOK_REPLIES['status 500']), lasting: WEBHOOK_REPLIES.ok });
    const statuses: number[] = [];
    for (const path of ['/a', '/b', '/a', '/a', '/a']) statuses.push((await deliver(path)).status);
    expect(statuses).toEqual([500, 200, 500, 200, 200]);
  });

  it('resets the connection instead of answering', async () => {
    receiver.plan('/a', { lasting: WEBHOOK_REPLIES.reset });
    await expect(deliver('/a')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await onlyDelivery()).reply.ended).toBe('sent');
  });

  it('lets virtual time pass while it hangs, and ends the hanging connection at once when it closes', async () => {
    receiver.plan('/a', { lasting: WEBHOOK_REPLIES.hang });
    const hanging = deliver('/a').catch((error: Error) => error);
    const delivery = await onlyDelivery();
    await clock.settle();
    expect(clock.heldBy).toEqual([]);
    await clock.advance('1h');
    expect(delivery.reply.ended).toBeNull();
    await within(receiver.close(), { description: 'the end of a hanging receiver', limit: '1s' });
    expect(await hanging).toMatchObject({ code: 'UND_ERR_SOCKET' });
    await expect.poll(() => delivery.reply.ended).toBe('peer-gone');
  });

  it('sends a slow reply when its delay has passed on the clock, not before', async () => {
    receiver.plan('/a', { lasting: slow('10s', WEBHOOK_REPLIES.ok) });
    const sentAtMs = clock.now();
    const answered = deliver('/a');
    const delivery = await onlyDelivery();
    await clock.advance('9s');
    expect(delivery.reply.ended).toBeNull();
    await clock.advance('1s');
    expect(await answered).toMatchObject({ status: 200 });
    await expect.poll(() => delivery.reply.endedAtMs).toBe(sentAtMs + 10_000);
  });

  it('pauses on the clock between the halves of a slow body', async () => {
    receiver.plan('/a', { lasting: slowBody('10s', WEBHOOK_REPLIES['accepted in chunks']) });
    const response = await request(`${receiver.url}/a`, { method: 'POST', body: '[]', reset: true });
    const pieces: string[] = [];
    response.body.on('data', (piece: Buffer) => pieces.push(piece.toString()));
    await expect.poll(() => pieces).toEqual(['ta']);
    await clock.advance('9s');
    expect(pieces).toEqual(['ta']);
    await clock.advance('1s');
    await expect.poll(() => pieces).toEqual(['ta', 'ken']);
  });

  it('forgets deliveries and plans on reset', async () => {
    receiver.plan('/a', { lasting: WEBHOOK_REPLIES['status 500'] });
    await deliver('/a');
    receiver.reset();
    expect(receiver.log.entries).toEqual([]);
    expect((await deliver('/a')).status).toBe(200);
  });
});
