/**
 * WebSocket link: the port (device-link.ts) over the protocol of docs/device-link.md.
 *
 *   webSocketLink ─► SilenceWatch (one beat for all)
 *        └─ open ─► WebSocketSession ─► Handshake ─► LinkSocket
 */

import type { Clock } from '../common/clock.ts';
import type { FaultPlan } from '../common/fault-plan.ts';
import type { DeviceLink, LinkRequest } from './device-link.ts';
import { FaultyLinkSocket } from './faults/faulty-socket.ts';
import { TransitClock } from './faults/transit-clock.ts';
import type { OpenSocket } from './link-socket.ts';
import { SilenceWatch } from './silence-watch.ts';
import { watchedSockets } from './watched-socket.ts';
import { WebSocketSession } from './websocket-session.ts';

interface WebSocketLinkOptions {
  readonly clock: Clock;
  /** Real time that a virtual clock leaves a service to answer a ping; by default what it waits for anything. */
  readonly pongPatienceMs?: number | undefined;
  /** What goes wrong on its connections. Without it nothing does, and a connection costs less. */
  readonly faults?: FaultPlan | undefined;
}

/** A link for any number of computers. Share one: its sessions share the watch for silent services. */
export function webSocketLink({ clock, pongPatienceMs, faults }: WebSocketLinkOptions): DeviceLink {
  const watch = new SilenceWatch(clock, pongPatienceMs);
  return {
    async open(request) {
      const session = faults
        ? faultySession(new TransitClock(clock), faults, watch, request)
        : new WebSocketSession(clock, watch, request, request.onFrame && watchedSockets(request.onFrame));
      await session.reconnect();
      return session;
    },
  };
}

function faultySession(
  clock: TransitClock,
  faults: FaultPlan,
  watch: SilenceWatch,
  request: LinkRequest,
): WebSocketSession {
  const openSocket: OpenSocket = (...socket) => new FaultyLinkSocket(...socket, faults, clock);
  return new WebSocketSession(clock, watch, request, openSocket);
}
