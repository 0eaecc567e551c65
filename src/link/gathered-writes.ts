/**
 * Gathered writes: frames of one turn of the event loop leave in one write to the network.
 *
 *   say, say, say ─► stream (corked) ─► end of the turn ─► one write
 *
 * A job makes five frames in a turn, and a write for each would cost more than everything else about it.
 * One list serves all connections, since most of them send nothing in a turn.
 */

import type { Writable } from 'node:stream';

const gathering = new Set<Writable>();

/** Holds back what is written to the stream until the end of this turn. */
export function gatherWrites(stream: Writable): void {
  if (gathering.has(stream)) return;
  if (gathering.size === 0) process.nextTick(releaseAll);
  gathering.add(stream);
  stream.cork();
}

/** Writes what is held back, ahead of the end of the turn. */
export function releaseWrites(stream: Writable): void {
  if (gathering.delete(stream)) stream.uncork();
}

function releaseAll(): void {
  for (const stream of gathering) stream.uncork();
  gathering.clear();
}
