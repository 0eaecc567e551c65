/**
 * What a terminal shows of lines.
 */

import type { Line } from '../../src/report/terminal/line.ts';
import { written } from '../../src/report/terminal/written.ts';

/** As text, with a line break after each, and without colours unless asked for. */
export function onTerminal(lines: readonly Line[], color = false): string {
  return written(lines, { color });
}
