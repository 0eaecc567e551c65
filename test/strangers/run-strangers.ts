/**
 * Runs the whole suite on the services by strangers, compares what it says with what was adjudicated, and writes the
 * adjudication to reports/baseline/strangers.md.
 *
 * Usage: node test/strangers/run-strangers.ts [--python] [--go] [--grep PATTERN] [--seed N]
 * Exits 1 on anything that is not adjudicated, and on what is and did not happen. With --grep nothing is written.
 */

import { parseArgs } from 'node:util';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { ADJUDICATED, STRANGERS_PAGE, strangersPage, surprisesOf, type Tally } from './adjudication.ts';
import { startStranger, STRANGERS } from './strangers.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'boolean', default: false },
    go: { type: 'boolean', default: false },
    grep: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const named = STRANGERS.filter((stranger) => values[stranger]);
const tallies: Tally[] = [];
let surprised = 0;
for (const stranger of named.length > 0 ? named : STRANGERS) {
  await using target = await startStranger(stranger);
  const { outcomes, durationMs } = await runConformance({ target, seed: Number(values.seed), grep: values.grep });
  const surprises = surprisesOf(outcomes, ADJUDICATED[stranger], values.grep === undefined);
  for (const line of surprises) process.stdout.write(`${stranger}: ${line}\n`);
  const counts = Object.entries(Object.groupBy(outcomes, ({ verdict }) => verdict)).map(
    ([verdict, those]) => `${those.length} ${verdict}`,
  );
  const tally = { stranger, counts: counts.join(', ') };
  process.stdout.write(
    `${stranger}: ${tally.counts}; ${surprises.length} not adjudicated, in ${Math.round(durationMs)} ms\n`,
  );
  tallies.push(tally);
  surprised += surprises.length;
}
if (values.grep === undefined && tallies.length === STRANGERS.length) {
  writeBaselinePage(STRANGERS_PAGE, strangersPage(tallies));
}
process.exitCode = surprised === 0 ? 0 : 1;
