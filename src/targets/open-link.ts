/**
 * Opens the link that a command line or a descriptor names: how virtual computers reach a service.
 */

import path from 'node:path';

import { systemClock, type Clock } from '../common/clock.ts';
import type { DeviceLink } from '../link/device-link.ts';
import { PONG_PATIENCE_MS } from './moved-clock.ts';

/**
 * @param name - `websocket` for the link of docs/device-link.md, or the path of a module with a link
 * @param moved - of the service, where a hook moves it
 * @throws ActionableError when there is no such module, or it has no link
 */
export async function openLink(name: string, moved?: Clock): Promise<DeviceLink> {
  // Loaded when they are needed: few commands connect computers.
  if (name === 'websocket') {
    const { webSocketLink } = await import('../link/websocket-link.ts');
    return webSocketLink(moved ? { clock: moved, pongPatienceMs: PONG_PATIENCE_MS } : { clock: systemClock });
  }
  const { loadForeignLink } = await import('../link/foreign-link.ts');
  return loadForeignLink(name);
}

/** The name by which a link is found from any folder. */
export function lastingLinkName(name: string): string {
  return name === 'websocket' ? name : path.resolve(name);
}
