/**
 * Tolerances: how far from what is printed a time may be before a check calls it wrong. docs/tolerances.md is written
 * from this table.
 *
 * Beside them nothing is forgiven: times are intervals, from before a request to after its answer, and a rule is
 * broken only where the whole interval is outside. Those whose names end in `Late` are at least the `tolerance` of the
 * descriptor.
 */

import { AGE_ROUNDING_MS, ELAPSED_ROUNDING_MS } from '../../oracle/invariants.ts';

export interface Tolerance {
  readonly ms: number;
  /** What the specification prints. */
  readonly printed: string;
  /** What the milliseconds are added to. */
  readonly given: string;
  /** Those that measure it. */
  readonly checks: readonly string[];
}

/** How much later than due something may happen: as the table says, or as the descriptor, where that is more. */
export function lateMs(
  { ms }: Pick<Tolerance, 'ms'>,
  { toleranceMs = 0 }: { readonly toleranceMs?: number | undefined },
): number {
  return Math.max(ms, toleranceMs);
}

export const TOLERANCES = {
  answerLate: {
    ms: 3_000,
    printed: 'the service answers a submission at once, and does not wait for its delivery',
    given: 'more than GET /noop just took',
    checks: ['print-jobs/created', 'event-delivery/hanging'],
  },
  deliveryLate: {
    ms: 5_000,
    printed: 'a job is sent to its client, or when the computer reconnects',
    given: 'later than both are there',
    checks: ['print-jobs/delivery', 'expiry/delivery'],
  },
  stateTimeOff: {
    ms: 1_000,
    printed: '`createTimestamp` of a state is when the service generated it, or the client reported it',
    given: 'between two states, more or less than went by here: the clocks of two parts of a service',
    checks: ['states/ages'],
  },
  clockOff: {
    ms: 600_000,
    printed: '`createTimestamp` of a state is when the service generated it',
    given: 'from its header Date, or from the clock of this machine where it runs there: zones are further apart',
    checks: ['states/clock'],
  },
  ageOff: {
    ms: AGE_ROUNDING_MS,
    printed: '`age` is the time since the state `new`, and `ageOfData` how long data has been stored, in milliseconds',
    given: 'from the difference of the two timestamps, which may be finer, or from the time that went by here',
    checks: ['states/ages', 'scale-data/age'],
  },
  expiryLate: {
    ms: 5_000,
    printed: 'a job expires after `expireAfter` seconds, or 14 days',
    given: 'later than due, until a service notices it',
    checks: ['expiry/expires', 'expiry/delivery', 'expiry/default', 'expiry/at-once', 'expiry/long'],
  },
  expiryEarly: {
    ms: 2_000,
    printed: 'a job expires after `expireAfter` seconds, or 14 days',
    given: 'before it is due a job is looked at for the last time',
    checks: ['expiry/expires', 'expiry/delivery', 'expiry/default', 'expiry/long'],
  },
  keyLate: {
    ms: 5_000,
    printed: 'an idempotency key may be used again after 24 hours',
    given: 'later than due, until a service forgets it',
    checks: ['idempotency/day'],
  },
  keyEarly: {
    ms: 20_000,
    printed: 'an idempotency key is refused for 24 hours',
    given: 'before its end a key is tried for the last time: a slow machine may need some of it between two requests',
    checks: ['idempotency/day'],
  },
  eventLate: {
    ms: 1_500,
    printed: 'an event is sent at once, and five seconds after a failed request',
    given: 'later than due, such as by a service that looks for due events once a second',
    checks: [
      'event-delivery/at-once',
      'event-delivery/again',
      'event-receivers/failures',
      'events/types',
      'events/job-states',
      'events/of-child',
    ],
  },
  retryEarly: {
    ms: 50,
    printed: 'a failed webhook request is repeated after five seconds',
    given: 'earlier than due, since the reply and the next request are seen at the other end of a connection',
    checks: ['event-delivery/again'],
  },
  createdOff: {
    ms: 2_000,
    printed: '`createdAt` is when an event was created',
    given: 'from `createTimestamp` of the state that it is about: the clocks of two parts of a service, and rounding',
    checks: ['events/object'],
  },
  retentionLate: {
    ms: 700,
    printed: 'scale data is kept for 45 seconds',
    given: 'later than due, until a service deletes it',
    checks: ['scale-retention/readings', 'scale-retention/renewed', 'scale-retention/simulated'],
  },
  dataAgeOff: {
    ms: 1_000,
    printed: '`ageOfData` is how long data has been stored, in milliseconds',
    given: 'after 45 seconds: two clocks may differ by so much',
    checks: ['scale-retention/readings'],
  },
  reportedTimeOff: {
    ms: 1_000,
    printed: '`clientReportedCreateTimestamp` is the time that the computer reported',
    given: 'from it: a time may be shown to the second',
    checks: ['scale-data/object'],
  },
  websocketAge: {
    ms: 100,
    printed: '`ageOfData` is low over the websocket, about 3 to 10 milliseconds',
    given: 'at most, with what a busy machine adds',
    checks: ['scale-websocket/ages'],
  },
  elapsedOff: {
    ms: ELAPSED_ROUNDING_MS,
    printed: '`Elapsed` is how long the service handled a request, in seconds',
    given: 'more than the caller waited: it may be rounded',
    checks: ['every-response/timing'],
  },
  disconnectLate: {
    ms: 10_000,
    printed: '`disconnected` is a state of computers that was observed',
    given: 'after its client has gone, until a service believes it',
    checks: ['states/new', 'states/computers-and-printers'],
  },
} as const satisfies Readonly<Record<string, Tolerance>>;
