import { expect, it } from 'vitest';

import { ActionableError } from '../../../../src/common/actionable-error.ts';
import { CheckProcesses } from '../../../../src/conformance/run/check-processes.ts';
import { joinPieces } from '../../../../src/conformance/run/pieces.ts';
import { listChecks, runConformance, type ConformanceResult } from '../../../../src/conformance/run/run-conformance.ts';
import { dealChecks } from '../../../../src/conformance/run/shared-run.ts';
import { embeddedTarget } from '../../../../src/targets/embedded.ts';

const SEED = 7;
/** Some that ask for the dialect, some that look at gaps, and some that judge the whole run. */
const GREP = '^(misc/noop|paging/after|paging/totals|gaps/set|every-response/(content|request|account))';

async function resultOf(otherProcesses: number, signal?: AbortSignal): Promise<ConformanceResult> {
  using others = new CheckProcesses(otherProcesses);
  const target = await embeddedTarget({ seed: SEED });
  try {
    return await runConformance({ target, others: others.all, seed: SEED, grep: GREP, ...(signal && { signal }) });
  } finally {
    await target.close();
  }
}

/** What may not depend on the number of processes. */
function toldBy({ outcomes, exitCode, coverage, capabilities, dialect }: ConformanceResult): object {
  return {
    outcomes: outcomes.map(({ check, verdict, judgements }) => [
      check.id,
      verdict,
      judgements.map(({ clause }) => clause),
    ]),
    exitCode,
    coverage,
    capabilities,
    questions: dialect.map(({ question, answer }) => [question, answer]),
  };
}

it('comes to the same verdicts in several processes as in one', { timeout: 60_000 }, async () => {
  const one = await resultOf(0);
  const several = await resultOf(2);
  expect(toldBy(several)).toEqual(toldBy(one));
});

it('has every exchange of all processes in one history, each where its check says', { timeout: 60_000 }, async () => {
  const { outcomes, exchanges } = await resultOf(1);
  expect(new Set(exchanges.map(({ request }) => request.baseUrl)).size).toBe(2);
  const positions = outcomes.flatMap((outcome) => outcome.exchanges.map(({ position }) => position));
  expect(positions).toEqual(positions.toSorted((left, right) => left - right));
  for (const { position, exchange } of outcomes.flatMap((outcome) => outcome.exchanges))
    expect(exchanges[position]).toBe(exchange);
});

it('reports every check of a run that is interrupted', { timeout: 30_000 }, async () => {
  const { outcomes } = await resultOf(1, AbortSignal.abort());
  expect(outcomes.map(({ check }) => check.id)).toEqual(listChecks({ grep: GREP }).map(({ id }) => id));
  expect(new Set(outcomes.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']));
});

it('reports what was done when a process is lost, and says which checks were not run', async () => {
  const target = await embeddedTarget({ seed: SEED });
  const lost = new ActionableError('harness', 'the process was lost (SIGKILL)', 'See above');
  const others = [{ run: () => Promise.reject(lost) }];
  const { outcomes, exitCode } = await runConformance({ target, others, seed: SEED, grep: GREP });
  await target.close();
  expect(exitCode).toBe(70);
  const told = outcomes.map(({ verdict, message }) => `${verdict} ${message}`);
  expect(told.filter((one) => one === 'harness-error the process was lost (SIGKILL). See above')).toHaveLength(1);
  expect(outcomes.map(({ endedBy }) => endedBy?.kind)).toContain('process-lost');
  expect(told).toContain('pass ');
});

it('moves the evidence of a judgement with its exchanges', async () => {
  const { outcomes, exchanges } = await resultOf(0);
  const [outcome] = outcomes;
  if (!outcome) throw new Error('no outcome');
  const judgement = { clause: 'misc/ping', mismatch: { expected: 'a', actual: 'b', at: 'c', exchange: 4 } } as const;
  const piece = { outcome: { ...outcome, judgements: [judgement] }, first: 3, exchanges: exchanges.slice(3, 6) };
  const joined = joinPieces([piece, piece]);
  expect(joined.outcomes.map(({ judgements }) => judgements[0]?.mismatch?.exchange)).toEqual([1, 4]);
  expect(joined.history.exchanges[4]).toBe(exchanges[4]);
});

it('deals every check once, and those with large bodies to the process that writes the record', () => {
  const checks = listChecks();
  const parts = dealChecks(checks, 3);
  expect(new Set(parts.flat())).toEqual(new Set(checks));
  expect(parts.flat()).toHaveLength(checks.length);
  const large = checks.filter(({ needs }) => needs.includes('large-body'));
  expect(parts[0]).toEqual(expect.arrayContaining(large));
  expect(Math.min(...parts.map(({ length }) => length))).toBeGreaterThan(0);
});
