/**
 * A port of this machine that nothing listens on: for a program that takes the number of its port.
 */

import { once } from 'node:events';
import { createServer } from 'node:net';

import { portOf } from '../common/port-of.ts';

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
