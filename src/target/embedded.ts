/**
 * Embedded target: the reference service in this process, on a virtual clock, for as long as it is checked.
 * Its room is empty: checks bring their own computers.
 */

import { virtualTimekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';
import { webSocketLink } from '../link/websocket-link.ts';
import { start } from '../workbench/start.ts';
import type { Target } from './target.ts';

/** Starts the reference service; closing the target stops it. */
export async function embeddedTarget(): Promise<Target> {
  const clock = new VirtualClock();
  const bench = await start({ port: 0, clock, room: 'none', limits: 'off' });
  return {
    name: 'reference service',
    kind: 'embedded',
    baseUrl: bench.url,
    apiKey: bench.apiKey,
    secondApiKey: bench.secondApiKey,
    clock,
    timekeeper: virtualTimekeeper(clock),
    link: webSocketLink({ clock }),
    close: () => bench.close(),
  };
}
