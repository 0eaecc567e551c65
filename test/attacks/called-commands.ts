/**
 * Called commands: the command line as an attack calls it, with a key of its own, in a process that stays. Its arguments
 * may be some that no system passes to a new process.
 */

import { cleanEnvironment } from '../support/command-line.ts';
import { callStanding } from '../support/standing-platen.ts';

export interface Called {
  /** Null where the process was ended. */
  readonly code: number | null;
  /** What it wrote to standard output and to standard error. */
  readonly text: string;
}

export interface CommandCall {
  readonly argv: readonly string[];
  readonly cwd: string;
}

export async function called(call: CommandCall): Promise<Called> {
  const env = cleanEnvironment({ PLATEN_API_KEY: 'key-of-the-caller' });
  const { code, stdout, stderr } = await callStanding({ ...call, env }, '60s');
  return { code, text: `${stdout}${stderr}` };
}
