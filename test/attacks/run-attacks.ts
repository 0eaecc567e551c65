/**
 * Plays every attack against benches of their own, and writes reports/baseline/attacks.md: what was seen, and how long
 * another request waited at worst meanwhile. Ends with 1 when something else was seen than expected, or when a request
 * waited for more than 250 ms. Wants a machine that does nothing else.
 *
 *   node test/attacks/run-attacks.ts [WORD]   WORD: only tables whose kind has it; the page is not written then
 */

import { writeBaselinePage } from '../support/baseline-page.ts';
import { ATTACK_TABLES } from './attack-tables.ts';
import { playAttacks } from './play-attacks.ts';

const LONGEST_DELAY_MS = 250;

async function run([word = '']: readonly string[]): Promise<number> {
  const rows: string[][] = [];
  const unmet: string[][] = [];
  let count = 0;
  for (const table of ATTACK_TABLES.filter(({ kind }) => kind.includes(word))) {
    const delaysMs: number[] = [];
    let held = 0;
    await playAttacks(table, ({ attack, seen, worstDelayMs }) => {
      const isHeld = seen === attack.expected && (worstDelayMs ?? 0) <= LONGEST_DELAY_MS;
      const delay = worstDelayMs === undefined ? '' : inMs(worstDelayMs);
      process.stdout.write(`${isHeld ? 'held' : 'BROKEN'}  ${table.kind}: ${attack.attack}: ${seen} ${delay}\n`);
      if (isHeld) held++;
      else unmet.push([`${table.kind}: ${plain(attack.attack)}`, '', plain(seen), '', '', delay]);
      if (worstDelayMs !== undefined) delaysMs.push(worstDelayMs);
    });
    const delays = delaysMs.length === 0 ? ['', '', ''] : [0.5, 0.99, 1].map((part) => inMs(quantile(delaysMs, part)));
    rows.push([table.kind, `${table.attacks.length}`, `${held} held`, ...delays]);
    count += table.attacks.length;
  }
  if (word === '') {
    writeBaselinePage('attacks.md', {
      title: 'Attacks on a bench',
      command: 'npm run prove attacks',
      about: `${count} attacks of strangers, ${unmet.length} not met; those follow the kinds. The last columns say how long GET /noop waited at worst while an attack went on, in the middle, in 99 of 100 and in all; ${LONGEST_DELAY_MS} ms are allowed. An attack on a command delays nobody.`,
      columns: ['attacks by', 'attacks', 'seen', 'median', 'p99', 'worst'],
      rows: [...rows, ...unmet],
    });
  }
  process.stdout.write(`${count} attacks, ${unmet.length} not met\n`);
  return unmet.length === 0 ? 0 : 1;
}

const inMs = (ms: number): string => `${Math.ceil(ms)} ms`;

function quantile(numbers: readonly number[], part: number): number {
  return numbers.toSorted((left, right) => left - right)[Math.ceil(part * numbers.length) - 1] ?? 0;
}

/** Brackets would be a link. */
function plain(text: string): string {
  return text.replaceAll(/[[\]]/g, '\\$&');
}

process.exitCode = await run(process.argv.slice(2));
