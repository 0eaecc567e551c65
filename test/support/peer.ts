/**
 * A TCP peer for tests: sends bytes, ends, and hands over everything that came back.
 */

import { once } from 'node:events';
import { connect } from 'node:net';

const PATIENCE_MS = 5_000;

/** Sends the chunks one after the other, ends, and resolves with what the other side sent before it ended as well. */
export async function exchange(port: number, ...chunks: readonly (string | Uint8Array)[]): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no end within ${PATIENCE_MS} ms`)));
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  // It may be cut off while it still writes.
  closed.catch(() => undefined);
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  for (const chunk of chunks) {
    socket.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end();
  await closed;
  return Buffer.concat(received);
}
