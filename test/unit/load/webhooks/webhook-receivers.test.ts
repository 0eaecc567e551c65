/**
 * The receivers of a load's webhooks, at a service that takes webhooks and sends what the test has it send.
 */

import { createServer, type IncomingMessage } from 'node:http';

import { expect, it, onTestFinished } from 'vitest';

import { portOf } from '../../../../src/common/port-of.ts';
import { planLoad } from '../../../../src/load/plan/load-plan.ts';
import { LoadAccount } from '../../../../src/load/traffic/load-account.ts';
import { ServiceClient } from '../../../../src/targets/service-client.ts';
import { openWebhookReceivers, type WebhookReceivers } from '../../../../src/load/webhooks/webhook-receivers.ts';
import { Ledger } from '../../../../src/oracle/ledger.ts';
import { WebhookAccount } from '../../../../src/oracle/webhook-account.ts';
import { plainLoad } from '../../../support/load-scenario.ts';

const JOB = 7;
const OUTAGE_MS = 1_000;
const REGISTERED = { uid: 'a', printJobId: JOB, state: 'new', message: '' };

it('judges events of a job that was still unknown in order of arrival', async () => {
  const { receivers, ledger, send } = await openReceivers();
  await send(0.5 * OUTAGE_MS);
  ledger.identified(0, JOB);
  await send(2 * OUTAGE_MS);
  const totals = await receivers.reconcile();
  expect(totals).toMatchObject({ events: 1, classes: { repeated: 1 } });
});

it('finds an event that was repeated after it arrived before its job was known', async () => {
  const { receivers, ledger, send } = await openReceivers();
  await send(2 * OUTAGE_MS);
  ledger.identified(0, JOB);
  await send(3 * OUTAGE_MS);
  const totals = await receivers.reconcile();
  expect(totals).toMatchObject({ events: 1, classes: { 'too-often': 1 } });
});

it.each([
  ['whose ids are text', { printJobId: String(JOB), state: 'new', uid: 4 }],
  ['that has its own words', { number: 501, about: { ref: JOB }, to: 'new' }],
])('finds jobs and states in events of a service %s', async (_, data) => {
  const { receivers, ledger, send } = await openReceivers();
  await send(2 * OUTAGE_MS, data);
  ledger.accepted(0, JOB, 0);
  await send(3 * OUTAGE_MS, data);
  expect(receivers.isSettled()).toBe(true);
  const totals = await receivers.reconcile();
  expect(totals).toMatchObject({ events: 1, classes: { 'too-often': 1 } });
  expect(Object.values(totals?.strays ?? { none: 1 }).every((number) => number === 0)).toBe(true);
});

it.each([
  ['no job', { printer: 501, to: 'new' }, 'unreadable'],
  ['an unknown job', { printJobId: 99, state: 'new' }, 'unknown-job'],
  ['a state that is not printed', { printJobId: JOB, state: 'queued' }, 'unstable-state'],
  ['no state', { printJobId: JOB }, 'unreadable'],
])('counts an event of %s beside the others', async (_, data, stray) => {
  const { receivers, ledger, send } = await openReceivers();
  await send(2 * OUTAGE_MS, data);
  ledger.identified(0, JOB);
  expect(await receivers.reconcile()).toMatchObject({ events: 0, strays: { [stray]: 1 } });
});

it('tells a job that was sent again from an event that was repeated, by its time where it has no other mark', async () => {
  const { receivers, ledger, send } = await openReceivers();
  ledger.identified(0, JOB);
  const data = { printJobId: JOB, state: 'sent_to_client' };
  for (const createdAt of ['1', '2', '2']) await send(2 * OUTAGE_MS, data, { createdAt });
  expect(await receivers.reconcile()).toMatchObject({ classes: { delivered: 1 }, strays: { again: 1 } });
});

it('gives the service the callback host, and listens there', async () => {
  const { receivers, ledger, send, receiverUrl } = await openReceivers('localhost');
  expect(receiverUrl()).toMatch(/^http:\/\/localhost:\d+\/account\/0$/);
  ledger.identified(0, JOB);
  await send(2 * OUTAGE_MS);
  expect(await receivers.reconcile()).toMatchObject({ events: 1 });
});

interface Scene {
  readonly receivers: WebhookReceivers;
  readonly ledger: Ledger;
  /** Sends an event, that the job was registered unless told otherwise, this long after the start. */
  readonly send: (atMs: number, data?: object, given?: object) => Promise<void>;
  readonly receiverUrl: () => string;
}

/** Receivers that fail for the first second, and a ledger with one job whose id is not known yet. */
async function openReceivers(callbackHost?: string): Promise<Scene> {
  const service = await webhookService();
  const client = new ServiceClient({ baseUrl: service.url, apiKey: 'key', isPatient: true });
  const ledger = new Ledger();
  ledger.intend({ intendedUs: 0, account: 0, printer: 0, document: 0, copies: 1 });
  let nowMs = 0;
  const outage = { atMs: 0, forMs: OUTAGE_MS, receiver: { answers: 'error', delayMs: 0 } } as const;
  const webhooks = { receiver: { answers: 'ok', delayMs: 0 }, outage } as const;
  const receivers = await openWebhookReceivers({
    plan: planLoad(plainLoad({ webhooks })),
    accounts: new Map([[0, new LoadAccount(0, 'key', null)]]),
    ledger,
    sinceStartUs: () => nowMs * 1_000,
    client,
    callbackHost,
    webhooks: new WebhookAccount({ lateAfterUs: 60_000_000 }),
  });
  onTestFinished(async () => {
    await receivers.close();
    await client.close();
    service.close();
  });
  return {
    receivers,
    ledger,
    receiverUrl: () => service.webhook().url,
    async send(atMs, data = REGISTERED, given = {}) {
      nowMs = atMs;
      const { url, secret } = service.webhook();
      await fetch(url, {
        method: 'POST',
        headers: { 'X-Service-Webhook-Secret': secret },
        body: JSON.stringify([{ type: 'print job state', accountId: 1, data, ...given }]),
      });
    },
  };
}

interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** Takes a webhook, answers with the list of it, and lists no counters. */
async function webhookService(): Promise<{ url: string; webhook: () => Webhook; close: () => void }> {
  let webhook: Webhook = { url: '', secret: '' };
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      if (request.method !== 'POST') return response.end('[]');
      webhook = JSON.parse(text) as Webhook;
      return response.end(JSON.stringify([{ webhookId: 1, ...webhook }]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    webhook: () => webhook,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
