/**
 * Tolerances: how far from what is printed a time may be before a check calls it wrong. docs/tolerances.md is written
 * from this table.
 *
 * Beside them nothing is forgiven: times are intervals, from before a request to after its answer, and a rule is
 * broken only where the whole interval is outside.
 */

export interface Tolerance {
  readonly ms: number;
  /** What the specification prints. */
  readonly printed: string;
  /** What the milliseconds are added to. */
  readonly given: string;
}

/** How much later than due something may happen: as the table says, or as the descriptor, where that is more. */
export function lateMs({ ms }: Tolerance, { toleranceMs = 0 }: { readonly toleranceMs?: number | undefined }): number {
  return Math.max(ms, toleranceMs);
}

export const TOLERANCES = {
  eventLate: {
    ms: 1_500,
    printed: 'an event is sent at once, and five seconds after a failed request',
    given: 'later than due, such as by a service that looks for due events once a second',
  },
  retryEarly: {
    ms: 50,
    printed: 'a failed webhook request is repeated after five seconds',
    given: 'earlier than due, since the reply and the next request are seen at the other end of a connection',
  },
  expiryLate: {
    ms: 5_000,
    printed: 'a job expires after `expireAfter` seconds',
    given: 'later than due, until a service notices it',
  },
  expiryEarly: {
    ms: 2_000,
    printed: 'a job expires after `expireAfter` seconds',
    given: 'before it is due a job is looked at for the last time',
  },
  retentionLate: {
    ms: 700,
    printed: 'scale data is kept for 45 seconds',
    given: 'later than due, until a service deletes it',
  },
  disconnectLate: {
    ms: 10_000,
    printed: '`disconnected` is a state of computers that was observed',
    given: 'after its client has gone, until a service believes it',
  },
  ageOff: {
    ms: 1,
    printed: '`age` is the time since the state `new`, in milliseconds',
    given: 'from the difference of the two timestamps, which may be finer',
  },
} as const satisfies Readonly<Record<string, Tolerance>>;
