/**
 * Connects the room of a scenario, also at a service that limits how often computers connect: it answers the upgrade
 * with 429, and says with `Retry-After` when it takes the next one.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { formatDuration } from '../../common/duration.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import type { Room } from '../../devices/room.ts';
import { LinkError, type LinkFailure } from '../../link/device-link.ts';

/** For the whole room. */
const LONGEST_WAIT_MS = 60_000;
const SHORTEST_PAUSE_MS = 250;

/** @throws ActionableError when the service asks for more patience than a scenario has; LinkError */
export async function connectRoom(room: Room, time: Pick<Timekeeper, 'elapse'>): Promise<void> {
  let patienceMs = LONGEST_WAIT_MS;
  for (;;) {
    const refused = await limitMet(room);
    if (refused === undefined) return;
    const pauseMs = Math.max(refused.retryAfterMs ?? 0, SHORTEST_PAUSE_MS);
    patienceMs -= pauseMs;
    if (patienceMs < 0) throw tooSlow(refused.message, pauseMs);
    await time.elapse(pauseMs);
  }
}

/** What asks the room to wait; undefined once all of it is connected. */
async function limitMet(room: Room): Promise<LinkFailure | undefined> {
  try {
    await room.connect();
    return undefined;
  } catch (error) {
    if (error instanceof LinkError && error.failure.retryAfterMs !== undefined) return error.failure;
    throw error;
  }
}

function tooSlow(message: string, askedMs: number): ActionableError {
  return new ActionableError(
    'unreachable',
    `the service limits how often computers connect: ${message}, and asked to wait ${formatDuration(askedMs)} more`,
    `Raise that limit while it is tested, or have fewer computers: a room waits ${formatDuration(LONGEST_WAIT_MS)} in all.`,
  );
}
