/**
 * Gathered writes: frames of one turn of the event loop leave in one write to the network.
 *
 *   say, say, say ─► stream (corked) ─► end of the turn ─► one write
 *
 * A job has five frames to say in a turn, and each write of its own costs more than all else about it.
 * One list serves all connections, as most of them have nothing to say.
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

/** Lets go what is held back, ahead of the end of the turn. */
export function releaseWrites(stream: Writable): void {
  if (gathering.delete(stream)) stream.uncork();
}

function releaseAll(): void {
  for (const stream of gathering) stream.uncork();
  gathering.clear();
}
