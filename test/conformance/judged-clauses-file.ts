/**
 * The list of what each check judges, src/conformance/judged-clauses.ts, as text. Filled to the width of the
 * page rather than formatted: one id a line would make it ten times as long as it is worth reading.
 */

import { fileURLToPath } from 'node:url';

import type { Check } from '../../src/conformance/check.ts';

const WIDTH = 110;

const HEAD = `/**
 * What each check judges, found out by running the checks against the reference service.
 * Written by \`npm run prove emitted\`: a check names a clause where it judges it, and nowhere else.
 *
 * Before a run the list says what a check will judge, so that checks can be selected and listed. In a run a
 * check is held to it: one that judges less, or something else, is a fault of the check.
 */

import type { JudgedId } from './context/judgement.ts';

export const JUDGED_CLAUSES: Readonly<Record<string, readonly JudgedId[]>> = {
`;

export const JUDGED_CLAUSES_FILE = fileURLToPath(new URL('../../src/conformance/judged-clauses.ts', import.meta.url));

export function judgedClausesFile(checks: readonly Pick<Check, 'id' | 'clauses'>[]): string {
  const entries = checks.map(({ id, clauses }) => {
    const list = clauses.map((clause) => `'${clause}'`).join(', ');
    return filled(`'${id}': [${list}],`.split(' ')).join('\n');
  });
  return `${HEAD}${entries.join('\n')}\n};\n`;
}

/** Words in lines of at most WIDTH, the first indented by 2 and the others by 4. */
function filled(words: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = ' ';
  for (const word of words) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
