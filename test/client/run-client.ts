/**
 * Runs the suite with a client program at the computer's end, and over the link, on the reference service and on a
 * service by strangers, compares the verdicts, and writes reports/baseline/client.md.
 *
 * Usage: node test/client/run-client.ts [--service reference|python|go] [--grep PATTERN] [--seed N]
 * Exits 1 where a verdict differs, or where less than nine tenths are judged. With --grep or --service nothing is written.
 */

import { parseArgs } from 'node:util';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { runConformance, type CheckProgress } from '../../src/conformance/run/run-conformance.ts';
import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { CLIENT_PAGE, clientPage, LEAST_JUDGED, tallyOf, type ClientRun } from './client-page.ts';
import { CLIENT_SERVICES, startClientTarget, type ClientService } from './client-target.ts';

const SERVICES: readonly ClientService[] = ['reference', 'python'];

/** Checks that end between two lines of progress. */
const PROGRESS_EVERY = 20;

const elapsedMs = startStopwatch();
let isClean = true;

const { values } = parseArgs({
  options: { service: { type: 'string' }, grep: { type: 'string' }, seed: { type: 'string', default: '1' } },
});

async function outcomesOf(service: ClientService, by: 'client' | 'link'): Promise<readonly CheckOutcome[]> {
  const target = await startClientTarget(service, by);
  try {
    const onProgress = ({ position, total }: CheckProgress): void => {
      if (position % PROGRESS_EVERY === 0) say(`${service} by ${by}: ${position} of ${total}, ${minutes()} min`);
    };
    const options = { target, seed: Number(values.seed), grep: values.grep, onProgress };
    const { outcomes, leftBehind, durationMs } = await runConformance(options);
    for (const line of leftBehind) say(`left behind: ${line}`);
    isClean &&= leftBehind.length === 0;
    say(`${service} by ${by}: ${outcomes.length} checks in ${Math.round(durationMs / 1_000)} s`);
    return outcomes;
  } finally {
    await target.close();
  }
}

async function judge(service: ClientService): Promise<ClientRun & { readonly holds: boolean }> {
  const overLink = await outcomesOf(service, 'link');
  const run = { service, overLink, outcomes: await outcomesOf(service, 'client') };
  const { needing, judged, notJudged, differing } = tallyOf(run);
  for (const { check, message } of notJudged) say(`not judged  ${check.id}: ${message}`);
  for (const { check, verdict, message } of differing) {
    const other = overLink.find((one) => one.check.id === check.id);
    say(`${verdict}, over the link ${other?.verdict}  ${check.id}: ${message} | ${other?.message}`);
  }
  say(`${service}: ${judged} of ${needing} judged, ${differing.length} with another verdict`);
  return { ...run, holds: differing.length === 0 && judged / needing >= LEAST_JUDGED };
}

function minutes(): string {
  return (elapsedMs() / 60_000).toFixed(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const named = CLIENT_SERVICES.filter((service) => service === values.service);
const runs: Awaited<ReturnType<typeof judge>>[] = [];
for (const service of named.length > 0 ? named : SERVICES) runs.push(await judge(service));
if (values.grep === undefined && named.length === 0) writeBaselinePage(CLIENT_PAGE, clientPage(runs));
process.exitCode = isClean && runs.every(({ holds }) => holds) ? 0 : 1;
