/**
 * Process count: over how many processes of this machine a load is split when the caller does not say.
 *
 *   what the plan needs ─┐
 *   cores, less one for a service on this machine ─┼─► the least of them
 *   accounts, which are never split ─┘
 *
 * More than there are cores where fewer may not have enough files open: slower is better than not at all.
 */

import { availableParallelism } from 'node:os';

import type { LoadPlan } from './load-plan.ts';
import { mostConnections } from './open-files.ts';

export interface ProcessCount {
  readonly count: number;
  /** For people. */
  readonly because: string;
}

/** A process at half of what it can send: the other half is for answers, paper and the unexpected. */
const RATE_OF_A_PROCESS = 2_000;
/** A process of this many computers connects them in seconds, and fits any machine. */
const COMPUTERS_OF_A_PROCESS = 10_000;

export interface LoadingMachine {
  readonly cores?: number | undefined;
  /** Connections that a process may have. */
  readonly connectionsEach?: number | undefined;
  /** The service runs on this machine, too. */
  readonly hasService: boolean;
  /** It is to send as much as it can, whatever the plan says. */
  readonly sendsMost: boolean;
}

export function chooseProcessCount(
  { scenario: { accounts, caps }, estimate: { peakRate, connections } }: LoadPlan,
  { cores = availableParallelism(), connectionsEach = mostConnections(), hasService, sendsMost }: LoadingMachine,
): ProcessCount {
  const free = Math.max(1, cores - (hasService ? 1 : 0));
  const computersEach = Math.max(1, connectionsEach - caps.connections);
  const fitting = Math.ceil(connections / computersEach);
  const needed = Math.max(
    1,
    fitting,
    Math.ceil(peakRate / RATE_OF_A_PROCESS),
    Math.ceil(connections / COMPUTERS_OF_A_PROCESS),
  );
  const byCores = `${coresOf(cores)}${hasService ? ', one of them for the service on this machine' : ''}`;
  const limits: readonly ProcessCount[] = [
    {
      count: accounts,
      because: `an account cannot be split, and there ${accounts === 1 ? 'is 1' : `are ${accounts}`}`,
    },
    fitting > free
      ? { count: fitting, because: `each may have ${computersEach} computers connected, by its open files` }
      : { count: free, because: byCores },
    ...(sendsMost
      ? []
      : [
          {
            count: needed,
            because: `enough for ${Math.round(peakRate)} requests a second and ${connections} computers`,
          },
        ]),
  ];
  return limits.reduce((least, limit) => (limit.count <= least.count ? limit : least));
}

function coresOf(cores: number): string {
  return cores === 1 ? 'there is 1 core' : `there are ${cores} cores`;
}
