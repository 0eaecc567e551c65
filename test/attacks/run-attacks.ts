/**
 * Plays every attack against benches of their own, and writes reports/baseline/attacks.md: what was seen, and how long
 * another request waited at worst meanwhile. Ends with 1 when something else was seen than expected, or when a request
 * waited for more than 250 ms. Wants a machine that does nothing else.
 *
 *   node test/attacks/run-attacks.ts [WORD]   WORD: only tables whose kind has it; the page is not written then
 */

import { writeBaselinePage } from '../support/baseline-page.ts';
import { ATTACK_TABLES } from './attack-tables.ts';
import { playAttacks, type PlayedAttack } from './play-attacks.ts';

const LONGEST_DELAY_MS = 250;

async function run([word = '']: readonly string[]): Promise<number> {
  const rows: string[][] = [];
  let failures = 0;
  for (const table of ATTACK_TABLES.filter(({ kind }) => kind.includes(word))) {
    await playAttacks(table, (played) => {
      const held = hasHeld(played);
      if (!held) failures++;
      const { attack, seen, worstDelayMs } = played;
      const delay = worstDelayMs === undefined ? '' : `${Math.ceil(worstDelayMs)} ms`;
      rows.push([table.kind, plain(attack.attack), plain(attack.expected), held ? 'held' : `**${seen}**`, delay]);
      process.stdout.write(`${held ? 'held' : 'BROKEN'}  ${table.kind}: ${attack.attack}: ${seen} ${delay}\n`);
    });
  }
  if (word === '') {
    writeBaselinePage('attacks.md', {
      title: 'Attacks on a bench',
      command: 'npm run prove attacks',
      about: `${rows.length} attacks, ${failures} not met. The last column says how long GET /noop waited at worst while the attack went on; 250 ms are allowed.`,
      columns: ['who', 'attack', 'expected', 'seen', 'others waited'],
      rows,
    });
  }
  process.stdout.write(`${rows.length} attacks, ${failures} not met\n`);
  return failures === 0 ? 0 : 1;
}

/** Brackets would be a link. */
function plain(text: string): string {
  return text.replaceAll(/[[\]]/g, '\\$&');
}

function hasHeld({ attack, seen, worstDelayMs = 0 }: PlayedAttack): boolean {
  return seen === attack.expected && worstDelayMs <= LONGEST_DELAY_MS;
}

process.exitCode = await run(process.argv.slice(2));
