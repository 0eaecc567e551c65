/**
 * The room: computers with their printers and scales, and the profiles to add more from.
 */

import type {
  RoomComputersView,
  RoomComputerView,
  RoomPrinterView,
  RoomScaleView,
  RoomView,
} from '../../record/control-types.ts';
import { getRoom } from '../api/workbench.ts';
import { attempt, dismissProblems } from './notices.ts';
import { createStore, unlessReady, type LoadStatus } from './store.ts';

export interface RoomState {
  readonly computers: readonly RoomComputerView[];
  readonly profiles: RoomView['profiles'];
  readonly status: LoadStatus;
}

export const room = createStore<RoomState>({
  computers: [],
  profiles: { printers: [], scales: [] },
  status: 'unloaded',
});

/** As the workbench said last: what is shown may run ahead of it. */
let confirmed: readonly RoomComputerView[] = [];

export async function loadRoom(): Promise<void> {
  const view = await attempt(getRoom());
  if (!view) return room.patch({ status: unlessReady(room.get().status) });
  confirmed = view.computers;
  room.patch({ ...view, status: 'ready' });
}

export function takeComputers(computers: readonly RoomComputerView[]): void {
  confirmed = computers;
  room.patch({ computers });
}

/** Shows a change before the workbench has confirmed it. */
export function assumePrinter(computer: string, key: string, change: Partial<RoomPrinterView>): void {
  assume(computer, (one) => ({
    ...one,
    printers: one.printers.map((printer) => (printer.key === key ? { ...printer, ...change } : printer)),
  }));
}

export function assumeScale(
  computer: string,
  { deviceName, deviceNum }: RoomScaleView,
  change: Partial<RoomScaleView>,
): void {
  assume(computer, (one) => ({
    ...one,
    scales: one.scales.map((scale) =>
      scale.deviceNum === deviceNum && scale.deviceName === deviceName ? { ...scale, ...change } : scale,
    ),
  }));
}

function assume(name: string, change: (computer: RoomComputerView) => RoomComputerView): void {
  const { computers } = room.get();
  room.patch({ computers: computers.map((one) => (one.name === name ? change(one) : one)) });
}

/**
 * Waits for a change, which the workbench answers with the room as it is then. When it refuses, or does not answer,
 * what the page had shown already is taken back.
 *
 * @returns whether the workbench took the change
 */
export async function changeRoom(change: Promise<RoomComputersView>): Promise<boolean> {
  const changed = await attempt(change);
  if (changed) {
    dismissProblems();
    takeComputers(changed.computers);
  } else room.patch({ computers: confirmed });
  return changed !== undefined;
}
