/**
 * Runs every check on the reference service and writes down what each of them judged: in
 * src/conformance/judged-clauses.ts, which the checks are held to, and in reports/baseline/emitted.md, from
 * which docs/clauses.md is written.
 *
 * The first run finds out; a second one, with other inputs, must judge the same clauses.
 *
 * Usage: node test/conformance/run-emitted.ts
 */

import { writeFileSync } from 'node:fs';

import { createRandom } from '../../src/common/random.ts';
import type { Check } from '../../src/conformance/check.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runChecks } from '../../src/conformance/run/runner.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import { exitCodeOf } from '../../src/conformance/verdict/verdict.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { EMITTED_PAGE, emittedPage } from './emitted-page.ts';
import { JUDGED_CLAUSES_FILE, judgedClausesFile } from './judged-clauses-file.ts';

async function outcomesOf(checks: readonly Check[], seed: number): Promise<readonly CheckOutcome[]> {
  const target = await startEmbeddedTarget();
  const { outcomes } = await runChecks({
    target,
    checks,
    random: createRandom(seed),
    runTag: 'emitted',
    levelOf,
  });
  await target.close();
  return outcomes;
}

const checks = (await outcomesOf(CHECKS, 1)).map(({ check, judgements }) => {
  const judged = new Set(judgements.map(({ clause }) => clause));
  // What is in the list keeps its place: a new clause is one line of difference.
  const listed = check.clauses.filter((clause) => judged.has(clause));
  return { ...check, clauses: [...new Set([...listed, ...judged])] };
});
const outcomes = await outcomesOf(checks, 2);
const page = emittedPage(outcomes);
const exitCode = exitCodeOf(outcomes.map(({ verdict }) => verdict));
if (exitCode === 0) {
  writeFileSync(JUDGED_CLAUSES_FILE, judgedClausesFile(checks));
  writeBaselinePage(EMITTED_PAGE, page);
}
for (const { check, verdict, message } of outcomes) {
  if (exitCodeOf([verdict]) !== 0) process.stdout.write(`${check.id}: ${verdict}: ${message}\n`);
}
process.stdout.write(`${page.rows.length} clauses and gaps judged by ${outcomes.length} checks\n`);
process.exitCode = exitCode;
