/**
 * Crash points: where a client program may die on a job's way, as names of faults at its computer.
 *
 *   job ─┬─► remembered ─┬─► acknowledged ─┬─► … ─┬─► print queue ─┬─► done reported ─┬─►
 *        │               │                 │      │                │                  │
 *   before-received      │         after-acknowledged │       after-spooled       after-done
 *               before-acknowledged          before-spooled
 *
 * What it had remembered survives, as a program's store on a disk does, unless the rule's settings say
 * `{forget: true}`: then the service redelivers the jobs whose end it does not know, and they print twice.
 */

import type { Firing } from '../../common/fault-plan.ts';
import type { FaultMeaning, FaultMeanings } from '../../common/fault-rule.ts';
import { keysOf } from '../../common/keys-of.ts';

const FORGETS: FaultMeaning['settings'] = {
  forget: '`true`: its store is lost as well, and what is delivered again prints again',
};
const diesAt = (when: string) => ({ does: `the client program dies ${when}`, settings: FORGETS });

/** Points on the way of a job. */
const CRASHES = {
  'crash-before-received': diesAt('before it has remembered a job'),
  'crash-before-acknowledged': diesAt('after it remembered a job, before it acknowledged it'),
  'crash-after-acknowledged': diesAt('after it acknowledged a job'),
  'crash-before-spooled': diesAt('before a job is in the print queue'),
  'crash-after-spooled': diesAt('after a job is in the print queue, before it is reported done'),
  'crash-after-done': diesAt('after it reported a job done'),
} as const satisfies FaultMeanings;

export const CRASH_POINTS = keysOf(CRASHES);
export type CrashPoint = keyof typeof CRASHES;

export const FORGET_JOB = 'forget-job';

/** What can go wrong with a client program. */
export const COMPUTER_FAULTS = {
  ...CRASHES,
  [FORGET_JOB]: { does: 'it takes a known job for a new one, and prints it again' },
} as const satisfies FaultMeanings;

export interface Crash {
  /** The store is lost as well: jobs, and reports that were not acknowledged. */
  readonly forget?: boolean | undefined;
  /** Until the program runs again. */
  readonly downMs?: number | undefined;
}

/** A crash as a rule describes it: `for` is how long the program is down. */
export function crashOf({ untilMs, with: { forget } }: Firing, nowMs: number): Crash {
  const downMs = untilMs === undefined ? undefined : Math.max(0, untilMs - nowMs);
  return { forget: forget === true, downMs };
}

/** Thrown through the work that a crash ended. */
export class ProgramDied extends Error {
  override readonly name = 'ProgramDied';

  constructor() {
    super('the client program died');
  }
}
