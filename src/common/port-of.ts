/**
 * The port that a server listens on.
 */

import type { Server } from 'node:net';

/** @throws Error when it does not listen on a port */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
  return address.port;
}
