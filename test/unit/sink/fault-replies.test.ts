import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FaultPlan } from '../../../src/common/fault-plan.ts';
import { createRandom } from '../../../src/common/random.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { DocumentFetch } from '../../../src/devices/document/document-fetch.ts';
import { documentAnswer, startDocumentHost, type DocumentHost } from '../../../src/sink/document-host.ts';
import { DOCUMENT_FAULTS, WEBHOOK_FAULTS } from '../../../src/sink/fault-replies.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../src/sink/webhook-receiver.ts';
import { WEBHOOK_STATUS_HEADER } from '../../../src/specification/headers.ts';
import { until } from '../../support/link-computer.ts';

const BYTES = Buffer.from('%PDF-1.7 and so on');

describe('a document host', () => {
  let clock: VirtualClock;
  let faults: FaultPlan;
  let host: DocumentHost;
  let documents: DocumentFetch;
  beforeEach(async () => {
    clock = new VirtualClock();
    faults = new FaultPlan(clock, createRandom(1));
    host = await startDocumentHost({ clock, random: createRandom(1), faults });
    host.serve('/bill.pdf', documentAnswer(BYTES, 'application/pdf'));
    host.serve('/other.pdf', documentAnswer(BYTES, 'application/pdf'));
    documents = new DocumentFetch(clock, createRandom(1));
  });
  afterEach(async () => {
    await documents.close();
    await host.close();
  });

  async function fetched(path: string): Promise<string> {
    const fetching = documents.fetch({ content: host.url + path, authentication: null });
    await clock.advance('2m');
    const document = await fetching;
    return document.ok ? Buffer.from(document.value).toString() : document.error;
  }

  const seen: Readonly<Record<string, RegExp>> = {
    hang: /timeout: nothing was heard for 30s/,
    reset: /the connection was reset/,
    latency: /^%PDF-1.7 and so on$/,
    'slow-body': /^%PDF-1.7 and so on$/,
    'cut-body': /the document is shorter or longer than announced|the connection was closed/,
    'not-found': /the server answered 404/,
    unauthorized: /the server answered 401/,
    'status-500': /the server answered 500/,
    'status-503': /the server answered 503/,
    'redirect-loop': /more than 10 redirects/,
    empty: /^$/,
  };

  it.each(Object.keys(DOCUMENT_FAULTS))('with the fault %s shows it there and nowhere else', async (fault) => {
    faults.add({ at: 'document/bill.pdf', fault, for: '1m' });
    expect(await fetched('/bill.pdf')).toMatch(seen[fault] ?? /the test lacks what is seen of this fault/);
    expect(await fetched('/other.pdf')).toBe(BYTES.toString());
    expect(await fetched('/bill.pdf')).toBe(BYTES.toString());
  });
});

describe('a webhook receiver', () => {
  let clock: VirtualClock;
  let faults: FaultPlan;
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    clock = new VirtualClock();
    faults = new FaultPlan(clock, createRandom(1));
    receiver = await startWebhookReceiver({ clock, faults });
  });
  afterEach(() => receiver.close());

  /** Status, status header and length of the answer that a service gets within a minute. */
  async function answered(path: string): Promise<string> {
    const patience = new AbortController();
    const before = receiver.log.entries.length;
    const asking = request(receiver.url + path, { method: 'POST', body: '[]', signal: patience.signal }).then(
      async ({ statusCode, headers, body }) => {
        const length = (await body.text()).length > 1_000 ? ', long' : '';
        return `${statusCode} ${String(headers[WEBHOOK_STATUS_HEADER.name.toLowerCase()] ?? 'without')}${length}`;
      },
    );
    const seen = asking.catch((error: { code?: unknown }) =>
      patience.signal.aborted ? 'nothing' : String(error.code),
    );
    await until('the request', () => receiver.log.entries.length > before);
    await clock.advance('1m');
    if (receiver.log.entries.at(-1)?.reply.chosen?.kind === 'hang') patience.abort();
    return seen;
  }

  const seen: Readonly<Record<string, string>> = {
    hang: 'nothing',
    reset: 'ECONNRESET',
    latency: '200 OK',
    'slow-body': '200 OK',
    'cut-body': '200 OK',
    'header-missing': '200 without',
    'header-lower-case': '200 ok',
    'header-wrong': '200 FAILED',
    'status-404': '404 OK',
    'status-500': '500 OK',
    'status-503': '503 without',
    redirect: '307 without',
    'huge-body': '200 OK, long',
  };

  it.each(Object.keys(WEBHOOK_FAULTS))('with the fault %s shows it there and nowhere else', async (fault) => {
    faults.add({ at: 'webhook/hook', fault, times: 1 });
    expect(await answered('/other')).toBe('200 OK');
    expect(await answered('/hook')).toBe(seen[fault]);
    expect(await answered('/hook')).toBe('200 OK');
  });
});
