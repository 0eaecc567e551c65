/**
 * The proof that callers are judged rightly: each cell of caller-cells.ts is caught, and a shop that is sound is accused
 * of nothing, whatever it does.
 *
 *   --rounds N   how often each sound shop is judged (1)
 */

import { parseArgs } from 'node:util';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { CELLS, MODES } from './caller-cells.ts';
import { accusationsOf, isCaught, judgeShop } from './judge-shop.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' } } });
const tookMs = startStopwatch();
let failures = 0;
let runs = 0;

for (let round = 0; round < Number(values.rounds); round++) {
  for (const mode of MODES) {
    const provoked = await judgeShop(mode);
    const accusations = accusationsOf(provoked);
    runs += provoked.moments.length;
    failures += accusations.length;
    process.stdout.write(`sound ${mode}: ${accusations.join('; ') || 'accused of nothing'}\n`);
  }
}

for (const [shop, cells] of Map.groupBy(CELLS, ({ mode, sins }) => `${mode} ${sins}`)) {
  const [mode = '', sins] = shop.split(' ');
  const provoked = await judgeShop(mode, sins);
  const missed = cells.filter((cell) => !isCaught(cell, provoked));
  failures += missed.length;
  process.stdout.write(`${shop}: ${cells.length - missed.length} of ${cells.length} caught\n`);
  for (const { moment, shows } of missed) process.stdout.write(`  MISSED ${moment}: ${shows}\n`);
}

process.stdout.write(
  `${CELLS.length} cells, ${runs} moments of sound callers, ${failures} wrong, in ${Math.round(tookMs() / 1_000)} s\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
