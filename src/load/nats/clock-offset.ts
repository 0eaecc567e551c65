/**
 * How far the clock of this machine is from the coordinator's: of several questions, the one with the shortest
 * round trip is the most accurate, to within half of that round trip.
 */

import type { NatsConnection } from '@nats-io/transport-node';

import type { Clock } from '../../common/clock.ts';
import { ask, read, type ClockReading } from './fleet-messages.ts';

const QUESTIONS = 15;

/**
 * `offsetMs` added to this clock gives the coordinator's.
 *
 * @throws Error when the coordinator does not answer
 */
export async function measureClock(
  connection: NatsConnection,
  subject: string,
  clock: Clock,
): Promise<ClockReading> {
  let best: ClockReading | undefined;
  for (let question = 0; question < QUESTIONS; question++) {
    const askedMs = clock.now();
    const there = await ask(connection, subject, read.time);
    const roundTripMs = clock.now() - askedMs;
    if (!there) throw new Error('the coordinator does not tell the time');
    if (best && best.roundTripMs <= roundTripMs) continue;
    best = { offsetMs: there.nowMs - (askedMs + roundTripMs / 2), roundTripMs };
  }
  return best ?? { offsetMs: 0, roundTripMs: 0 };
}
