import { afterAll, beforeAll, expect, it } from 'vitest';

import { runConformance, type ConformanceOptions } from '../../../../src/conformance/run/run-conformance.ts';
import type { RunRemainder } from '../../../../src/conformance/run/pieces.ts';
import { readBaseline, signatureOf } from '../../../../src/conformance/verdict/baseline.ts';
import type { Target } from '../../../../src/targets/target.ts';
import { targetOf } from '../../../support/odd-servers.ts';

let target: Target;
beforeAll(async () => {
  target = await targetOf((_, response) => response.end('{}'));
});
afterAll(() => target.close());

const runUpTo = (maxFailures: number, options: Partial<ConformanceOptions> = {}): ReturnType<typeof runConformance> =>
  runConformance({ target, seed: 7, grep: '^(misc|errors|service)/', maxFailures, ...options });

it('ends a run after so many failures: the rest is blocked by that, and the run has failed', async () => {
  const { outcomes, exitCode } = await runUpTo(2);
  const failed = outcomes.filter(({ verdict }) => verdict === 'fail');
  const stopped = outcomes.filter(({ endedBy }) => endedBy?.kind === 'failed-enough');
  expect(failed.length).toBeGreaterThanOrEqual(2);
  expect(stopped.length).toBeGreaterThan(outcomes.length / 2);
  expect(new Set(stopped.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']));
  expect(exitCode).toBe(1);
});

it('counts no failure that is known', async () => {
  const { outcomes } = await runUpTo(1);
  const known = outcomes
    .filter(({ verdict }) => verdict === 'fail')
    .map(
      (one) =>
        `  - { check: ${one.check.id}, reason: old, owner: us, expires: 2999-01-01, signature: ${JSON.stringify(signatureOf(one))} }`,
    );
  const read = readBaseline(`known:\n${known.join('\n')}\n`);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const again = await runUpTo(1, { baseline: read.value });
  const excused = again.outcomes.filter((one) => one.known !== undefined);
  expect(excused.length).toBe(known.length);
  expect(again.outcomes.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(known.length);
});

it('stops the processes that run the other checks', async () => {
  const stopped = Promise.withResolvers<unknown>();
  const nothing = { keys: [], leftBehind: [], able: [], dialect: [] } as unknown as RunRemainder;
  const other: NonNullable<ConformanceOptions['others']>[number] = {
    async run({ signal }) {
      signal.addEventListener('abort', () => stopped.resolve(signal.reason));
      await stopped.promise;
      return nothing;
    },
  };
  await runUpTo(1, { others: [other] });
  expect(await stopped.promise).toMatchObject({ endedBy: { kind: 'failed-enough' } });
});
