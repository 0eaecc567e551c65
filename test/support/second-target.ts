/**
 * The second service as a target on a virtual clock.
 */

import { virtualTimekeeper } from '../../src/common/timekeeper.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import type { Target } from '../../src/target/target.ts';
import type { ServiceClock } from './second-service/clock.ts';
import { startSecondService } from './second-service/second-service.ts';

const API_KEY = 'second-service-main-key';
const SECOND_API_KEY = 'second-service-other-key';

export async function startSecondTarget(): Promise<Target> {
  const clock = new VirtualClock();
  const service = await startSecondService({
    apiKey: API_KEY,
    secondApiKey: SECOND_API_KEY,
    clock: clockOf(clock),
  });
  return {
    name: 'second service',
    kind: 'remote',
    baseUrl: service.url,
    apiKey: API_KEY,
    secondApiKey: SECOND_API_KEY,
    isIntegrator: true,
    clock,
    timekeeper: virtualTimekeeper(clock),
    link: webSocketLink({ clock }),
    requestsPerSecond: 8,
    close: () => service.close(),
  };
}

function clockOf(clock: VirtualClock): ServiceClock {
  return {
    now: () => clock.now(),
    after(delayMs, task) {
      const timer = clock.schedule(delayMs, task);
      return () => timer.cancel();
    },
    every(intervalMs, task) {
      const timer = clock.beat(intervalMs, task);
      return () => timer.cancel();
    },
    busy(what) {
      const hold = clock.hold(what);
      return () => hold.release();
    },
  };
}
