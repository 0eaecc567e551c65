/**
 * WebSocket link: the port (device-link.ts) over the protocol of docs/device-link.md.
 *
 *   webSocketLink ─► SilenceWatch (one beat for all)
 *        └─ open ─► WebSocketSession ─► Handshake ─► LinkSocket
 */

import type { Clock } from '../common/clock.ts';
import type { DeviceLink } from './device-link.ts';
import { SilenceWatch } from './silence-watch.ts';
import { WebSocketSession } from './websocket-session.ts';

/** A link for any number of computers. Share one: its sessions share the watch for silent services. */
export function webSocketLink({ clock }: { readonly clock: Clock }): DeviceLink {
  const watch = new SilenceWatch(clock);
  return {
    async open(request) {
      const session = new WebSocketSession(clock, watch, request);
      await session.reconnect();
      return session;
    },
  };
}
