/**
 * Test workbench: the workbench that tests share, as all runners start it.
 */

import type { NamedRoom } from '../workbench/library/workbench-devices.ts';
import { start, type StartedPlaten } from '../workbench/start.ts';
import type { StartOptions } from '../workbench/workbench.ts';

/** How the workbench of tests is started; the room is that of each test. */
export interface WorkbenchOptions extends Pick<StartOptions, 'clock' | 'limits' | 'seed'> {
  readonly room?: NamedRoom | undefined;
}

/** Tests should not wait; a test of the request rate asks for `limits`. */
export function startForTests({ clock = 'virtual', limits = 'off', seed }: WorkbenchOptions): Promise<StartedPlaten> {
  return start({ clock, limits, seed, port: 0, room: 'none' });
}
