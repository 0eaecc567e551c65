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

export const CRASH_POINTS = [
  'crash-before-received',
  'crash-before-acknowledged',
  'crash-after-acknowledged',
  'crash-before-spooled',
  'crash-after-spooled',
  'crash-after-done',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

/** The computer takes a known job for a new one, and prints it again. */
export const FORGET_JOB = 'forget-job';

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
