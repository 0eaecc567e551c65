/**
 * The workbench itself: its address and key, its clock, the faults in force, and whether it is heard.
 */

import { useEffect, useState } from 'preact/hooks';

import type { ClockView, FaultView, InfoView } from '../../record/control-types.ts';
import { WorkbenchProblem } from '../api/request.ts';
import { getClock, getFaults, getInfo, getKey } from '../api/workbench.ts';
import { every, sincePageOpened } from '../browser/timing.ts';
import type { Connection } from '../live/event-feed.ts';
import { createStore, useStore } from './store.ts';

export interface WorkbenchState {
  readonly connection: Connection;
  /** The workbench is bound beyond this machine, and the page has no token yet. */
  readonly wantsToken: boolean;
  readonly info: InfoView | undefined;
  readonly apiKey: string | undefined;
  readonly clock: ClockView | undefined;
  /** When the clock was read, on the clock of the page. */
  readonly clockReadAtMs: number;
  readonly faults: readonly FaultView[];
}

export const workbench = createStore<WorkbenchState>({
  connection: 'connecting',
  wantsToken: false,
  info: undefined,
  apiKey: undefined,
  clock: undefined,
  clockReadAtMs: 0,
  faults: [],
});

export async function loadWorkbench(): Promise<void> {
  try {
    const [info, clock, faults, key] = await Promise.all([
      getInfo(),
      getClock(),
      getFaults(),
      // Without the key the page only lacks a line to copy.
      getKey().catch(() => undefined),
    ]);
    workbench.patch({ info, faults, apiKey: key?.apiKey, wantsToken: false });
    setClock(clock);
  } catch (error) {
    if (!(error instanceof WorkbenchProblem) || error.code !== 'ControlTokenWanted') throw error;
    workbench.patch({ wantsToken: true });
  }
}

export function setClock(clock: ClockView): void {
  workbench.patch({ clock, clockReadAtMs: sincePageOpened() });
}

/** The time on the workbench, in milliseconds since the epoch, carried on from the last reading while it runs. */
export function workbenchNowMs(): number {
  const { clock, clockReadAtMs } = workbench.get();
  if (!clock) return 0;
  return clock.running ? clock.nowMs + (sincePageOpened() - clockReadAtMs) : clock.nowMs;
}

const TICK_MS = 1_000;

/** The time on the workbench; the component is drawn again each second while it runs. */
export function useWorkbenchNow(): number {
  const { clock } = useStore(workbench);
  const [, tick] = useState(0);
  const running = clock?.running ?? false;
  useEffect(() => (running ? every(TICK_MS, () => tick((count) => count + 1)) : undefined), [running]);
  return workbenchNowMs();
}
