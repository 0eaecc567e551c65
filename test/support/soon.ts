import type { Duration } from '../../src/common/duration.ts';
import { realTimekeeper } from '../../src/common/timekeeper.ts';
import { eventually, type Poll } from '../../src/common/waiter.ts';

/** Waits in real time, in milliseconds or as `5s`, until the probe finds something. @throws WaitExpired at the limit */
export function soon<T>(
  description: string,
  limit: Duration,
  probe: Poll<T>['probe'],
  how: Pick<Poll<T>, 'every' | 'lastSeen'> = {},
): Promise<T> {
  return eventually({ description, limit, timekeeper: realTimekeeper, probe, ...how });
}
