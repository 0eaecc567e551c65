/**
 * Runs the suite with a client program at the computer's end, compares the verdicts with those over the link, and
 * writes reports/baseline/client.md.
 *
 * Usage: node test/client/run-client.ts [--grep PATTERN] [--seed N]
 * Exits 1 where a verdict differs, or where less than nine tenths are judged. With --grep nothing is written.
 */

import { parseArgs } from 'node:util';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { CLIENT_PAGE, clientPage, LEAST_JUDGED, tallyOf } from './client-page.ts';
import { startClientTarget } from './client-target.ts';

const { values } = parseArgs({ options: { grep: { type: 'string' }, seed: { type: 'string', default: '1' } } });
const target = await startClientTarget();
try {
  const { outcomes, leftBehind, durationMs } = await runConformance({
    target,
    seed: Number(values.seed),
    grep: values.grep,
  });
  const { needing, judged, notJudged, differing } = tallyOf(outcomes);
  for (const { check, message } of notJudged) process.stdout.write(`not judged  ${check.id}: ${message}\n`);
  for (const { check, verdict, message } of differing) process.stdout.write(`${verdict}  ${check.id}: ${message}\n`);
  for (const line of leftBehind) process.stdout.write(`left behind: ${line}\n`);
  process.stdout.write(
    `${judged} of ${needing} judged, ${differing.length} otherwise, in ${Math.round(durationMs)} ms\n`,
  );
  if (values.grep === undefined) writeBaselinePage(CLIENT_PAGE, clientPage(outcomes));
  const holds = differing.length === 0 && leftBehind.length === 0 && judged / needing >= LEAST_JUDGED;
  process.exitCode = holds ? 0 : 1;
} finally {
  await target.close();
}
