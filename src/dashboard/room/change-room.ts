/**
 * Changes of the room: told to the bench, and taken back on the page when the bench refuses.
 */

import { attempt } from '../state/notices.ts';
import { loadRoom } from '../state/room-store.ts';

/** Waits for a change; what the room is then comes by itself, or is loaded when it was refused. */
export async function changeRoom(change: Promise<unknown>): Promise<boolean> {
  const isDone = (await attempt(change.then(() => true))) === true;
  if (!isDone) await loadRoom();
  return isDone;
}

/** A change after which the page looks at the whole room anew. */
export async function rebuildRoom(change: Promise<unknown>): Promise<boolean> {
  const isDone = (await attempt(change.then(() => true))) === true;
  await loadRoom();
  return isDone;
}
