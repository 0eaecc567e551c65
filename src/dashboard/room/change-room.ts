/**
 * Changes of the room: sent to the workbench, which answers with the room as it is then. When it refuses, the
 * page looks anew: it may have shown the change already.
 */

import type { RoomComputersView } from '../../record/control-types.ts';
import { attempt } from '../state/notices.ts';
import { loadRoom, takeComputers } from '../state/room-store.ts';

/** @returns whether the workbench took the change */
export async function changeRoom(change: Promise<RoomComputersView>): Promise<boolean> {
  const changed = await attempt(change);
  if (changed) takeComputers(changed.computers);
  else await loadRoom();
  return changed !== undefined;
}
