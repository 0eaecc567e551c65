/**
 * Load scenarios for tests and benchmarks, and parts of them, each to be changed where a test needs it.
 */

import type { LoadScenario, LoadStream, WeightedOperation } from '../../src/load/plan/load-scenario.ts';

export const JOBS_STREAM = loadStream({
  name: 'jobs',
  operations: [loadOperation('submit')],
  arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 40 } },
  forMs: 5_000,
  accounts: { first: 0, last: 6 },
});

export const MIXED_STREAM = loadStream({
  operations: [loadOperation('states', { weight: 3 }), loadOperation('list-printers')],
  arrivals: { kind: 'open', pacer: { kind: 'poisson', rate: 60 } },
  startMs: 1_000,
  forMs: 4_000,
  accounts: { first: 0, last: 6 },
});

/** Jobs of one document to both accounts at a fixed rate. */
export function submissions(
  name: string,
  document: number,
  rate: number,
  forMs: number,
  expireAfterSeconds: number | null = null,
): LoadStream {
  return loadStream({
    name,
    operations: [loadOperation('submit', { document, copies: [1, 3], qty: [1, 2], expireAfterSeconds })],
    arrivals: { kind: 'open', pacer: { kind: 'constant', rate } },
    forMs,
    accounts: { first: 0, last: 1 },
  });
}

/** A document of one page that the load makes up. */
export function madeDocument(name: string, language: 'pdf' | 'raw', bytes: number): LoadScenario['documents'][number] {
  return { name, language, via: 'base64', source: { kind: 'made', pages: 1, bytes }, bytes };
}

/** Steady computers with a printer for pages and one for labels. */
export function shops(count: number): LoadScenario['computers'] {
  const printers = [
    { profile: 'laser-a4', name: 'Laser' },
    { profile: 'label-zebra-zpl', name: 'Labels' },
  ];
  return [{ template: { name: 'Shop', printers }, count, behaviour: 'steady' }];
}

export function loadScenario(changes: Partial<LoadScenario> = {}): LoadScenario {
  return {
    title: 'Small',
    why: 'A test wants something small to plan.',
    seed: 7,
    profiles: {},
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
    documents: [madeDocument('invoice', 'pdf', 3_000)],
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

/** No room, no documents, one account: requests alone. */
export function plainLoad(parts: Partial<LoadScenario> = {}): LoadScenario {
  return loadScenario({
    computers: [],
    documents: [],
    accounts: 1,
    streams: [loadStream()],
    timeoutMs: 5_000,
    drainMs: 2_000,
    caps: { requests: 1_000_000, connections: 200, inFlight: 10_000 },
    ...parts,
  });
}

/** `noop` a hundred times a second for a second, unless given otherwise. */
export function loadStream(parts: Partial<LoadStream> = {}): LoadStream {
  return {
    name: 'looks',
    operations: [loadOperation('noop')],
    arrivals: { kind: 'open', pacer: { kind: 'constant', rate: 100 } },
    startMs: 0,
    forMs: 1_000,
    accounts: { first: 0, last: 0 },
    ...parts,
  };
}

export function loadOperation(
  name: WeightedOperation['name'],
  parts: Partial<WeightedOperation> = {},
): WeightedOperation {
  return { name, weight: 1, document: 0, copies: [1, 1], qty: [1, 1], expireAfterSeconds: null, ...parts };
}
