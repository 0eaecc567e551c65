/**
 * Event feed: what happens on the workbench, as it happens. The browser reconnects by itself and says where
 * it left off; when the workbench cannot go on from there it says `reset`, and everything is loaded anew.
 *
 *   500 events a second ─► queue ─► once a frame: one call a kind, with all of them
 */

import type { WorkbenchEvents } from '../../record/control-types.ts';
import { pathTo } from '../api/request.ts';
import { oncePerFrame } from '../browser/timing.ts';

/** Called with what came since the last frame, oldest first. */
export type EventHandlers = {
  readonly [Kind in keyof WorkbenchEvents]: (data: readonly WorkbenchEvents[Kind][]) => void;
};

export type Connection = 'connecting' | 'live' | 'lost';

export function followEvents(handlers: EventHandlers, onConnection: (state: Connection) => void): void {
  const source = new EventSource(pathTo('/events'));
  source.addEventListener('open', () => onConnection('live'));
  source.addEventListener('error', () => {
    onConnection(source.readyState === EventSource.CLOSED ? 'lost' : 'connecting');
  });
  const queue = new Map<keyof WorkbenchEvents, unknown[]>();
  const deliver = oncePerFrame(() => {
    const waiting = [...queue];
    queue.clear();
    for (const [kind, data] of waiting) handlers[kind](data as never);
  });
  for (const kind of Object.keys(handlers) as (keyof WorkbenchEvents)[]) {
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
      const waiting = queue.get(kind) ?? [];
      waiting.push(data === '' ? undefined : JSON.parse(data));
      queue.set(kind, waiting);
      deliver();
    });
  }
}
