/**
 * Runs the suite with a client program at the computer's end, on the reference service and on a service by strangers,
 * compares the verdicts with those over the link, and writes reports/baseline/client.md.
 *
 * Usage: node test/client/run-client.ts [--service reference|python|go] [--grep PATTERN] [--seed N]
 * Exits 1 where a verdict differs, or where less than nine tenths are judged. With --grep or --service nothing is written.
 */

import { parseArgs } from 'node:util';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { CLIENT_PAGE, clientPage, LEAST_JUDGED, tallyOf, type ClientRun } from './client-page.ts';
import { CLIENT_SERVICES, startClientTarget, type ClientService } from './client-target.ts';

const SERVICES: readonly ClientService[] = ['reference', 'python'];

const { values } = parseArgs({
  options: { service: { type: 'string' }, grep: { type: 'string' }, seed: { type: 'string', default: '1' } },
});

async function judge(service: ClientService): Promise<ClientRun & { readonly holds: boolean }> {
  const target = await startClientTarget(service);
  try {
    const { outcomes, leftBehind, durationMs } = await runConformance({
      target,
      seed: Number(values.seed),
      grep: values.grep,
    });
    const { needing, judged, notJudged, differing } = tallyOf(outcomes);
    for (const { check, message } of notJudged) say(`not judged  ${check.id}: ${message}`);
    for (const { check, verdict, message } of differing) say(`${verdict}  ${check.id}: ${message}`);
    for (const line of leftBehind) say(`left behind: ${line}`);
    const took = `in ${Math.round(durationMs)} ms`;
    say(`${service}: ${judged} of ${needing} judged, ${differing.length} with another verdict, ${took}`);
    const holds = differing.length === 0 && leftBehind.length === 0 && judged / needing >= LEAST_JUDGED;
    return { service, outcomes, holds };
  } finally {
    await target.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const named = CLIENT_SERVICES.filter((service) => service === values.service);
const runs: Awaited<ReturnType<typeof judge>>[] = [];
for (const service of named.length > 0 ? named : SERVICES) runs.push(await judge(service));
if (values.grep === undefined && named.length === 0) writeBaselinePage(CLIENT_PAGE, clientPage(runs));
process.exitCode = runs.every(({ holds }) => holds) ? 0 : 1;
