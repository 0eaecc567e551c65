/**
 * Parts of load scenarios for tests and workbenches: a stream or two, and everything else as plain as can be.
 */

import type { LoadScenario, LoadStream, WeightedOperation } from '../../src/load/plan/load-scenario.ts';
import { loadScenario } from './load-scenario.ts';

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
