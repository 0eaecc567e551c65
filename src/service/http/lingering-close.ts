/**
 * Lingering close: ends a connection so that a client that is still sending gets to read its answer.
 *
 *   answer ─► our end closed ─► what still arrives is thrown away ─► client closes, or time is up ─► gone
 *
 * Closing at once would make the operating system reset the connection, and the client would see a broken
 * pipe where its 413 should be. Real time on purpose: this is about the network, not about the service.
 */

import type { Duplex } from 'node:stream';

import { systemClock } from '../../common/clock.ts';

const LINGER_MS = 10_000;

/** Sends the last bytes and closes our end. */
export function endAfter(socket: Duplex, lastBytes: string): void {
  // A client that has gone before its answer arrives is no concern of ours.
  socket.on('error', () => undefined);
  socket.end(lastBytes);
  socket.resume();
  cutLater(socket);
}

/** Cuts the connection if it still stands after a while. */
export function cutLater(socket: Duplex): void {
  const timer = systemClock.schedule(LINGER_MS, () => socket.destroy());
  socket.once('close', () => timer.cancel());
}
