import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startWebhookReceiver, type WebhookReceiver } from '../../../../src/sink/webhook-receiver.ts';
import { times, WEBHOOK_REPLIES } from '../../../../src/sink/reply-plan.ts';
import { systemClock } from '../../../../src/common/clock.ts';
import { runService, SECOND_KEY, type RunningService } from '../../../support/running-service.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

const JOB = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };

let service: RunningService;
let receiver: WebhookReceiver;
beforeEach(async () => {
  service = await runService();
  receiver = await startWebhookReceiver({ clock: systemClock });
  await (await ScriptedComputer.connect(service.url))[Symbol.asyncDispose]();
  await service.clock.settle();
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await receiver.close();
});

function webhook(path = '/a', messages: readonly string[] = ['*']): object {
  return { url: receiver.url + path, secret: 's3cret', messages };
}

async function addWebhook(path = '/a', messages: readonly string[] = ['*']): Promise<number> {
  const answer = await service.call('POST', '/webhook', { body: webhook(path, messages) });
  expect(answer.status).toBe(200);
  return (answer.body as { webhookId: number }[])[0]?.webhookId ?? 0;
}

async function submit(): Promise<number> {
  const answer = await service.call('POST', '/printjobs', { body: JOB });
  await service.clock.settle();
  return answer.body as number;
}

/** Ids of the jobs in each request that arrived at a path, in order. */
function jobsAt(path: string): unknown[][] {
  return dataAt(path).map((events) => events.map(({ printJobId }) => printJobId));
}

/** What the events of each request bore that arrived at a path, in order. */
function dataAt(path: string): Readonly<Record<string, unknown>>[][] {
  return receiver.log.to(path).map(({ events }) => {
    if (!events.ok) throw new Error(events.error);
    return events.value.map((event) => (event as { data: Record<string, unknown> }).data);
  });
}

async function statistics(): Promise<Record<string, Record<string, number>>> {
  const answer = await service.call('GET', '/webhooks');
  return (answer.body as Record<string, Record<string, number>>[])[0] ?? {};
}

describe('the webhook endpoints', () => {
  it('answer with the list after each change, newest first', async () => {
    expect((await service.call('GET', '/webhooks')).body).toEqual([]);
    const first = await addWebhook('/a');
    const second = await addWebhook('/b', ['print job state']);
    const patched = await service.call('PATCH', `/webhook/${first}`, { body: { secret: 'other' } });
    expect(patched.body).toMatchObject([
      { webhookId: second, url: `${receiver.url}/b`, messages: ['print job state'], secret: 's3cret' },
      {
        webhookId: first,
        secret: 'other',
        messages: ['*'],
        receivedEvents: { counts: 0, exp7d: 0, exp5m: 0 },
      },
    ]);
    expect((await service.call('DELETE', `/webhook/${second}`)).body).toMatchObject([{ webhookId: first }]);
  });

  it('hold five webhooks an account and refuse a sixth until one goes', async () => {
    const ids = [
      await addWebhook(),
      await addWebhook(),
      await addWebhook(),
      await addWebhook(),
      await addWebhook(),
    ];
    expect((await service.call('POST', '/webhook', { body: webhook() })).status).toBe(400);
    expect((await service.call('GET', '/webhooks')).body).toHaveLength(5);
    await service.call('DELETE', `/webhook/${ids[0]}`);
    expect((await service.call('POST', '/webhook', { body: webhook() })).status).toBe(200);
  });

  it.each([
    ['no url', { url: undefined }, 'url'],
    ['an url of another scheme', { url: 'ftp://example.test/' }, 'url'],
    ['an url with credentials', { url: 'http://user:pass@example.test/' }, 'url'],
    ['an url that is none', { url: 'over there' }, 'url'],
    ['no secret', { secret: undefined }, 'secret'],
    ['a secret that would split the header', { secret: 'a\r\nX-Other: b' }, 'secret'],
    ['no messages', { messages: undefined }, 'messages'],
    ['messages that are no list', { messages: '*' }, 'messages'],
    ['a misspelt message type', { messages: ['print job states'] }, 'messages'],
    ['* beside another type', { messages: ['*', 'computer state'] }, 'messages'],
  ])('refuse %s, naming the field, and change nothing', async (_what, defect, field) => {
    const id = await addWebhook();
    const before = (await service.call('GET', '/webhooks')).body;
    const created = await service.call('POST', '/webhook', { body: { ...webhook(), ...defect } });
    expect(created).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } });
    // What is missing is refused only where it is required.
    const isMissing = Object.values(defect)[0] === undefined;
    const patched = await service.call('PATCH', `/webhook/${id}`, { body: defect });
    expect(patched.status).toBe(isMissing ? 200 : 400);
    expect((await service.call('GET', '/webhooks')).body).toEqual(before);
  });

  it("know nothing of another account's webhooks", async () => {
    const id = await addWebhook();
    expect((await service.call('GET', '/webhooks', { key: SECOND_KEY })).body).toEqual([]);
    expect((await service.call('PATCH', `/webhook/${id}`, { key: SECOND_KEY, body: {} })).status).toBe(404);
    expect((await service.call('DELETE', `/webhook/${id}`, { key: SECOND_KEY })).status).toBe(404);
    expect((await service.call('GET', '/webhooks')).body).toHaveLength(1);
  });
});

describe('a webhook', () => {
  it('is told of a new job, with the secret and the whole event', async () => {
    await addWebhook();
    const id = await submit();
    const [delivery] = receiver.log.to('/a');
    expect(delivery?.secret).toBe('s3cret');
    expect(delivery?.events).toEqual({
      ok: true,
      value: [
        {
          type: 'print job state',
          accountId: 1,
          controllingAccountId: 1,
          createdAt: '2026-01-01T00:00:00.000Z',
          data: {
            uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
            printJobId: id,
            state: 'new',
            message: expect.any(String),
          },
        },
      ],
    });
  });

  it('is told of stable states only', async () => {
    await addWebhook('/a', ['print job state']);
    await using computer = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await computer.hear('job');
    await computer.reportState(id, 'preparing_to_print', '2026-01-01T00:00:01.000Z');
    await computer.reportState(id, 'done', '2026-01-01T00:00:02.000Z');
    await service.clock.settle();
    const states = receiver.log.to('/a').flatMap(({ events }) => (events.ok ? events.value : []));
    expect(states.map((event) => (event as { data: { state: string } }).data.state)).toEqual([
      'new',
      'sent_to_client',
      'done',
    ]);
  });

  it('is told of a computer that connects and goes, if it listens for that', async () => {
    await addWebhook('/a', ['computer state']);
    await addWebhook('/b', ['print job state']);
    const computer = await ScriptedComputer.connect(service.url);
    await service.clock.settle();
    await computer[Symbol.asyncDispose]();
    await receiver.log.waitFor({ count: 2, path: '/a', description: 'both computer events', limit: '5s' });
    const events = receiver.log
      .to('/a')
      .flatMap((delivery) => (delivery.events.ok ? delivery.events.value : []));
    expect(events).toMatchObject([
      {
        type: 'computer state',
        data: { computerId: 1, state: 'connected', connections: [{ version: '1.0.0' }] },
      },
      {
        data: {
          state: 'disconnected',
          connections: [],
          event: { disconnectionTimestamp: expect.any(String) },
        },
      },
    ]);
    expect(receiver.log.to('/b')).toEqual([]);
  });

  it('hears nothing of other accounts', async () => {
    await service.call('POST', '/webhook', { body: webhook('/b'), key: SECOND_KEY });
    await submit();
    expect(receiver.log.to('/b')).toEqual([]);
  });
});

describe('a failed request', () => {
  it.each(Object.entries(WEBHOOK_REPLIES).filter(([name]) => /header|status|redirect|hang|reset/.test(name)))(
    'is one answered with: %s',
    async (_name, reply) => {
      receiver.plan('/a', { lasting: reply });
      await addWebhook();
      await submit();
      await service.clock.advance('10s');
      expect(await statistics()).toMatchObject({
        successfulRequests: { counts: 0 },
        failedRequests: { counts: expect.toSatisfy((count: number) => count >= 1) },
      });
    },
  );

  it('is retried once, five seconds after it failed, together with what came meanwhile', async () => {
    receiver.plan('/a', { first: times(1, WEBHOOK_REPLIES['status 500']), lasting: WEBHOOK_REPLIES.ok });
    await addWebhook();
    const first = await submit();
    await service.clock.advance('2s');
    const second = await submit();
    await service.clock.advance(2_999);
    expect(jobsAt('/a')).toEqual([[first]]);
    await service.clock.advance(1);
    expect(jobsAt('/a')).toEqual([[first], [first, second]]);
    const third = await submit();
    expect(jobsAt('/a').at(-1)).toEqual([third]);
  });

  it('drops an event at its second failure, and only that event', async () => {
    receiver.plan('/a', { first: times(2, WEBHOOK_REPLIES['status 500']), lasting: WEBHOOK_REPLIES.ok });
    await addWebhook();
    const first = await submit();
    await service.clock.advance('4s');
    const second = await submit();
    await service.clock.advance('1s');
    await service.clock.advance('5s');
    expect(jobsAt('/a')).toEqual([[first], [first, second], [second]]);
    expect(await statistics()).toMatchObject({
      receivedEvents: { counts: 2 },
      droppedEvents: { counts: 1 },
      successfulRequests: { counts: 1 },
      failedRequests: { counts: 2 },
    });
  });

  it('delays no other target', async () => {
    receiver.plan('/slow', { lasting: WEBHOOK_REPLIES.hang });
    await addWebhook('/slow');
    await addWebhook('/quick');
    const [first, second] = [await submit(), await submit()];
    expect(jobsAt('/quick')).toEqual([[first], [second]]);
    expect(jobsAt('/slow')).toEqual([[first]]);
  });
});

describe('queued events', () => {
  it('go where they were queued for, whatever becomes of the webhook', async () => {
    receiver.plan('/old', { first: times(1, WEBHOOK_REPLIES['status 500']), lasting: WEBHOOK_REPLIES.ok });
    const id = await addWebhook('/old');
    const first = await submit();
    await service.call('PATCH', `/webhook/${id}`, {
      body: { url: `${receiver.url}/new`, messages: ['computer state'] },
    });
    await service.call('DELETE', `/webhook/${id}`);
    await service.clock.advance('5s');
    expect(jobsAt('/old')).toEqual([[first], [first]]);
    expect(jobsAt('/new')).toEqual([]);
  });

  it('survive a restart, with the attempts they have behind them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-data-'));
    const dataFile = join(folder, 'service.db');
    receiver.plan('/a', { lasting: WEBHOOK_REPLIES['status 500'] });
    await service[Symbol.asyncDispose]();
    service = await runService({ dataFile });
    await (await ScriptedComputer.connect(service.url))[Symbol.asyncDispose]();
    await service.clock.settle();
    await addWebhook();
    const id = await submit();
    await service[Symbol.asyncDispose]();
    service = await runService({ dataFile });
    await service.clock.advance('1h');
    expect(jobsAt('/a')).toEqual([[id], [id]]);
    await rm(folder, { recursive: true });
  });

  it('bear ids that no event before a restart had', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-data-'));
    const dataFile = join(folder, 'service.db');
    await service[Symbol.asyncDispose]();
    service = await runService({ dataFile });
    await (await ScriptedComputer.connect(service.url))[Symbol.asyncDispose]();
    await service.clock.settle();
    await addWebhook('/a', ['print job state']);
    await submit();
    await service[Symbol.asyncDispose]();
    service = await runService({ dataFile });
    await submit();
    const uids = dataAt('/a').flatMap((events) => events.map(({ uid }) => uid));
    expect(uids).toHaveLength(2);
    expect(new Set(uids).size).toBe(2);
    await rm(folder, { recursive: true });
  });
});

describe('statistics', () => {
  it('fade at the scale of their measure, and counts do not', async () => {
    await addWebhook();
    await submit();
    await service.clock.advance('5m');
    const { receivedEvents = {} } = await statistics();
    expect(receivedEvents['counts']).toBe(1);
    expect(receivedEvents['exp5m']).toBeCloseTo(Math.exp(-1), 10);
    expect(receivedEvents['exp1h']).toBeCloseTo(Math.exp(-5 / 60), 10);
    expect(receivedEvents['exp1d']).toBeCloseTo(Math.exp(-5 / 1440), 10);
    expect(receivedEvents['exp7d']).toBeCloseTo(Math.exp(-5 / 10080), 10);
  });
});

describe('a service that forbids private addresses', () => {
  it('sends nothing to one, named or numbered', async () => {
    await service[Symbol.asyncDispose]();
    service = await runService({ forbidPrivateAddresses: true });
    await (await ScriptedComputer.connect(service.url))[Symbol.asyncDispose]();
    await service.clock.settle();
    const { port } = new URL(receiver.url);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]']) {
      const body = { url: `http://${host}:${port}/a`, secret: '', messages: ['*'] };
      await service.call('POST', '/webhook', { body });
    }
    await submit();
    await service.clock.advance('1s');
    expect(receiver.log.entries).toEqual([]);
    expect(await statistics()).toMatchObject({ failedRequests: { counts: 1 } });
  });
});
