/**
 * A small load scenario for tests, to be changed where a test needs it.
 */

import type { LoadScenario, LoadStream, WeightedOperation } from '../../src/load/plan/load-scenario.ts';

const SUBMIT: WeightedOperation = {
  name: 'submit',
  weight: 1,
  document: 0,
  copies: [1, 1],
  qty: [1, 1],
  expireAfterSeconds: null,
};

export const JOBS_STREAM: LoadStream = {
  name: 'jobs',
  operations: [SUBMIT],
  arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 40 } },
  startMs: 0,
  forMs: 5_000,
  accounts: { first: 0, last: 6 },
};

export const MIXED_STREAM: LoadStream = {
  name: 'looks',
  operations: [
    { ...SUBMIT, name: 'states', weight: 3 },
    { ...SUBMIT, name: 'list-printers', weight: 1 },
  ],
  arrivals: { kind: 'open', pacer: { kind: 'poisson', rate: 60 } },
  startMs: 1_000,
  forMs: 4_000,
  accounts: { first: 0, last: 6 },
};

/** Jobs of one document to both accounts at a fixed rate. */
export function submissions(
  name: string,
  document: number,
  rate: number,
  forMs: number,
  expireAfterSeconds: number | null = null,
): LoadStream {
  return {
    name,
    operations: [{ ...SUBMIT, document, copies: [1, 3], qty: [1, 2], expireAfterSeconds }],
    arrivals: { kind: 'open', pacer: { kind: 'constant', rate } },
    startMs: 0,
    forMs,
    accounts: { first: 0, last: 1 },
  };
}

export function loadScenario(changes: Partial<LoadScenario> = {}): LoadScenario {
  return {
    title: 'Small',
    why: 'A test wants something small to plan.',
    seed: 7,
    computers: [
      {
        template: { name: 'Shop', printers: [{ profile: 'laser-a4' }, { profile: 'label-zebra-zpl' }] },
        count: 10,
        behaviour: 'steady',
      },
      { template: { name: 'Office', printers: [{ profile: 'laser-a4' }] }, count: 1, behaviour: 'office' },
    ],
    connectRate: 500,
    longestBackoffMs: 30_000,
    timeScale: 0,
    accounts: 7,
    sources: [],
    documents: [
      {
        name: 'invoice',
        language: 'pdf',
        via: 'base64',
        source: { kind: 'made', pages: 1, bytes: 3_000 },
        bytes: 3_000,
      },
    ],
    streams: [JOBS_STREAM, MIXED_STREAM],
    webhooks: null,
    timeoutMs: 10_000,
    drainMs: 5_000,
    caps: { requests: 1_000_000, connections: 1_000, inFlight: 1_000 },
    chaos: [],
    workerLosses: [],
    thresholds: [],
    abort: [],
    ...changes,
  };
}
