/**
 * The least of a computer that a link can be opened for: it keeps what it hears.
 */

import type {
  DeliveredJob,
  JobStateReport,
  LinkFailure,
  LinkRequest,
  ReadingReport,
} from '../../src/link/device-link.ts';
import type { MessageOf, PrinterReport, ServiceMessage } from '../../src/link/messages.ts';
import { soon } from './soon.ts';

export interface LinkComputer {
  readonly jobs: DeliveredJob[];
  readonly drops: LinkFailure[];
  readonly refreshes: number[];
  /** What it says it holds at the next hello. */
  holding: readonly number[];
  /** Decides the fate of a job; takes it unless replaced. */
  takeJob(job: DeliveredJob): Promise<void>;
  request(serviceUrl: string): LinkRequest;
}

export function linkComputer(): LinkComputer {
  const computer: LinkComputer = {
    jobs: [],
    drops: [],
    refreshes: [],
    holding: [],
    takeJob: () => Promise.resolve(),
    request: (serviceUrl) => ({
      serviceUrl,
      credential: { kind: 'api-key', key: 'a'.repeat(40) },
      client: {
        installationId: 'dc0b6a64-1e8e-4d8e-9d5b-3f7d1f4a0001',
        computerName: 'Front desk',
        hostname: null,
        inet: '10.0.0.7',
        inet6: null,
        version: '1.0.0',
        edition: null,
      },
      holding: () => computer.holding,
      events: {
        onJob: (job) => {
          computer.jobs.push(job);
          return computer.takeJob(job);
        },
        onRefresh: () => computer.refreshes.push(computer.refreshes.length + 1),
        onDrop: (failure) => computer.drops.push(failure),
      },
    }),
  };
  return computer;
}

/** Resolves when the probe is true. */
export async function until(description: string, probe: () => boolean): Promise<void> {
  await soon(description, '5s', () => (probe() ? true : undefined), { every: 2 });
}

export function jobState(id: string, jobId = 1): JobStateReport {
  const createTimestamp = '2026-01-01T00:00:00.000Z';
  return { id, jobId, state: 'done', message: null, data: null, createTimestamp };
}

export function printerNamed(name: string): PrinterReport {
  return { key: name, name, description: '', default: null, state: 'online', capabilities: null };
}

export function readingOf(massMicrograms: number): ReadingReport {
  return {
    scaleKey: 'counter',
    mass: [massMicrograms, null],
    measurement: { g: massMicrograms * 1_000 },
    clientReportedCreateTimestamp: '2026-01-01T00:00:00.000Z',
  };
}

export function jobMessage(jobId: number, id = `d-${jobId}`): MessageOf<ServiceMessage, 'job'> {
  return {
    type: 'job',
    id,
    jobId,
    printerKey: 'Laser',
    title: 'Invoice 12',
    source: null,
    contentType: 'raw_base64',
    content: 'QUJD',
    options: {},
    qty: 1,
    authentication: null,
    createTimestamp: '2026-01-01T00:00:00.000Z',
    expireAt: null,
  };
}
