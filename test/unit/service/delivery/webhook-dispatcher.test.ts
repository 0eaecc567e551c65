import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startWebhookReceiver, type WebhookReceiver } from '../../../../src/sink/webhook-receiver.ts';
import { times, WEBHOOK_REPLIES } from '../../../../src/sink/reply-plan.ts';
import { systemClock } from '../../../../src/common/clock.ts';
import { ON_FULL_DISK, runOnFillableDisk } from '../../../support/full-disk.ts';
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

  it.each([
    ['no url', { url: undefined }, 'url'],
    ['an url of another scheme', { url: 'ftp://example.test/' }, 'url'],
    ['an url with credentials', { url: 'http://user:pass@example.test/' }, 'url'],
    ['a url that is not a URL', { url: 'over there' }, 'url'],
    ['no secret', { secret: undefined }, 'secret'],
    ['a secret that would split the header', { secret: 'a\r\nX-Other: b' }, 'secret'],
    ['no messages', { messages: undefined }, 'messages'],
    ['messages that are not a list', { messages: '*' }, 'messages'],
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
  it('gets a new job, with the secret and the whole event', async () => {
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

  it('gets the computers that connect and disconnect, if it listens for them', async () => {
    await addWebhook('/a', ['computer state']);
    await addWebhook('/b', ['print job state']);
    const computer = await ScriptedComputer.connect(service.url);
    await service.clock.settle();
    await computer[Symbol.asyncDispose]();
    await receiver.log.waitFor({ count: 2, path: '/a', description: 'both computer events', limit: '5s' });
    const events = receiver.log.to('/a').flatMap((delivery) => (delivery.events.ok ? delivery.events.value : []));
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

  it('gets nothing of other accounts', async () => {
    await service.call('POST', '/webhook', { body: webhook('/b'), key: SECOND_KEY });
    await submit();
    expect(receiver.log.to('/b')).toEqual([]);
  });
});

describe('queued events', () => {
  it('go to the target they were queued for, whatever happens to the webhook', async () => {
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

  it('go when their job could not be stored', async () => {
    await using disk = await runOnFillableDisk();
    const { service: full } = disk;
    await (await ScriptedComputer.connect(full.url))[Symbol.asyncDispose]();
    await full.call('POST', '/webhook', { body: webhook('/full', ['print job state']) });
    const refused = await full.call('POST', '/printjobs', {
      body: JOB,
      headers: { 'X-Idempotency-Key': ON_FULL_DISK },
    });
    expect(refused.status).toBe(500);
    const stored = await full.call('POST', '/printjobs', { body: JOB });
    await full.clock.settle();
    expect(jobsAt('/full')).toEqual([[stored.body]]);
  });

  it('survive a restart, with the attempts made so far', async () => {
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

  it('have ids that no event before a restart had', async () => {
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

describe('a service that forbids private addresses', () => {
  it('sends nothing to one, named or numbered', async () => {
    await service[Symbol.asyncDispose]();
    service = await runService({ forbiddenAddresses: 'private' });
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
