/**
 * Embedded target: the reference service in this process, on a virtual clock, with nothing in its room.
 * It is reached over a real port, as any other target.
 */

import { virtualTimekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';
import { webSocketLink } from '../link/websocket-link.ts';
import { start } from '../workbench/start.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Target } from './target.ts';

export interface EmbeddedTargetOptions {
  /** What the service leaves to chance follows from it. */
  readonly seed?: number;
}

/** Starts the reference service as a target; `close` ends it. @throws ActionableError as `start` does */
export async function embeddedTarget({ seed }: EmbeddedTargetOptions = {}): Promise<Target> {
  const clock = new VirtualClock();
  const bench = await start({ port: 0, clock, room: 'none', seed });
  return {
    name: 'reference service',
    kind: 'embedded',
    baseUrl: bench.url,
    apiKey: bench.apiKey,
    secondApiKey: bench.secondApiKey,
    isIntegrator: true,
    isDisposable: true,
    clock,
    requestsPerSecond: DEFAULT_REQUESTS_PER_SECOND,
    timekeeper: virtualTimekeeper(clock),
    link: webSocketLink({ clock }),
    close: () => bench.close(),
  };
}
