/** Where a webhook gets nothing, the checks that record what events look like say that they could not see it. */

import { expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { events, type SentEvent } from '../mutants/webhook-sender.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

/** Verdicts of checks on a service that does not send some events. */
async function verdictsWithout(
  isUnsent: (event: SentEvent) => boolean,
  grep: string,
): Promise<Readonly<Record<string, string>>> {
  const target = await startEmbeddedTarget({ rules: events((all) => all.filter((event) => !isUnsent(event))) });
  try {
    const { outcomes } = await runConformance({ target, seed: 1, grep });
    return Object.fromEntries(outcomes.map(({ check, verdict, message }) => [check.id, `${verdict}: ${message}`]));
  } finally {
    await target.close();
  }
}

it('cannot tell what the events of jobs look like where none comes', async () => {
  const verdicts = await verdictsWithout(
    ({ type }) => type === 'print job state',
    '^gaps/(computer|print-job)-event-data$',
  );
  expect(verdicts['gaps/computer-event-data']).toMatch(/^observed: /);
  expect(verdicts['gaps/print-job-event-data']).toBe('untestable: nothing came that shows it');
});

it('records nothing of requests that were never sent', async () => {
  const verdicts = await verdictsWithout(
    () => true,
    '^gaps/(event-order|message-types-all|secret-transmission|webhook-request-timeout|computer-event-data)$',
  );
  expect(Object.keys(verdicts)).toHaveLength(5);
  for (const said of Object.values(verdicts)) expect(said).toMatch(/^blocked: .*no request/);
});
