/**
 * Test workbench: the workbench that tests share, as all runners start it.
 */

import { ensureKnown } from '../common/nearest-name.ts';
import type { NamedRoom } from '../workbench/library/workbench-devices.ts';
import { start, type StartedPlaten } from '../workbench/start.ts';
import type { StartOptions } from '../workbench/workbench.ts';

/** How the workbench of tests is started; the room is that of each test. */
export interface WorkbenchOptions extends Pick<StartOptions, 'clock' | 'expose' | 'limits' | 'seed'> {
  readonly room?: NamedRoom | undefined;
}

const OPTIONS: readonly (keyof WorkbenchOptions)[] = ['clock', 'expose', 'limits', 'seed', 'room'];

/**
 * Tests should not wait; a test of the request rate asks for `limits`.
 *
 * @throws RangeError when there is no such option: not every test is checked by a compiler
 */
export async function startForTests(options: WorkbenchOptions): Promise<StartedPlaten> {
  for (const name of Object.keys(options)) ensureKnown('option of platenTest', name, OPTIONS);
  const { clock = 'virtual', limits = 'off', expose, seed } = options;
  return start({ clock, expose, limits, seed, port: 0, room: 'none' });
}
