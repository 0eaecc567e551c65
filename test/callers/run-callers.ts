/**
 * The proof that callers are judged rightly: each cell of caller-cells.ts is caught, and a shop that is sound is accused
 * of nothing, whatever it does. Writes reports/baseline/callers.md.
 *
 *   --rounds N   how often each sound shop is judged (6)
 */

import { parseArgs } from 'node:util';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { CELLS, MODES } from './caller-cells.ts';
import { accusationsOf, isCaught, judgeShop } from './judge-shop.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '6' } } });
const tookMs = startStopwatch();
const rows: (readonly string[])[] = [];
let failures = 0;
let runs = 0;

function tell(shop: string, shows: string, moments: string, outcome: string): void {
  rows.push([shop, shows, moments, outcome]);
  process.stdout.write(`${shop}: ${outcome}\n`);
}

for (const mode of MODES) {
  const accusations: string[] = [];
  const moments = new Set<number>();
  for (let round = 0; round < Number(values.rounds); round++) {
    const provoked = await judgeShop(mode);
    accusations.push(...accusationsOf(provoked));
    moments.add(provoked.moments.length);
    runs += provoked.moments.length;
  }
  failures += accusations.length;
  tell(`sound ${mode}`, 'nothing', [...moments].join(' or '), accusations.join('; ') || 'accused of nothing');
}

for (const [shop, cells] of Map.groupBy(CELLS, ({ mode, sins }) => `${mode} ${sins}`)) {
  const [mode = '', sins] = shop.split(' ');
  const provoked = await judgeShop(mode, sins);
  for (const [shows, alike] of Map.groupBy(cells, (cell) => cell.shows)) {
    const missed = alike.filter((cell) => !isCaught(cell, provoked)).map(({ moment }) => moment);
    failures += missed.length;
    tell(shop, shows, String(alike.length), missed.length === 0 ? 'caught' : `MISSED in ${missed.join(', ')}`);
  }
}

writeBaselinePage('callers.md', {
  title: 'Callers',
  command: 'npm run prove callers',
  about: `A shop that prints (\`test/callers/shop.mjs\`) is judged as it does one thing, with what it gets wrong, in each moment that it meets: ${CELLS.length} cells in which something must show, and ${runs} runs of sound shops, in which nothing may. ${failures} wrong.`,
  columns: ['shop, and what it gets wrong', 'must show', 'moments', 'outcome'],
  rows,
});
process.stdout.write(`${CELLS.length} cells, ${runs} runs, ${failures} wrong, in ${Math.round(tookMs() / 1_000)} s\n`);
process.exitCode = failures === 0 ? 0 : 1;
