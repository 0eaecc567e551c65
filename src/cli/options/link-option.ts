/**
 * --link: how virtual computers reach a service.
 */

import { Option } from 'commander';

import { systemClock } from '../../common/clock.ts';
import type { DeviceLink } from '../../link/device-link.ts';

export function linkOption(): Option {
  return new Option(
    '--link <link>',
    "how virtual computers reach the service: 'websocket' if it speaks docs/device-link.md, or a module of yours such as ./my-link.ts",
  );
}

/** @throws ActionableError when there is no such module, or it has no link */
export async function linkNamed(name: string): Promise<DeviceLink> {
  if (name === 'websocket') {
    const { webSocketLink } = await import('../../link/websocket-link.ts');
    return webSocketLink({ clock: systemClock });
  }
  const { loadForeignLink } = await import('../../link/foreign-link.ts');
  return loadForeignLink(name);
}
