/**
 * Raw print: prints as a program does that knows nothing of a printer but its address of port 9100.
 */

import { once } from 'node:events';
import { connect } from 'node:net';

/** @param address - `socket://127.0.0.1:9100` */
export async function rawPrint(address: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.end(bytes, 'latin1');
  socket.resume();
  await once(socket, 'close');
}
