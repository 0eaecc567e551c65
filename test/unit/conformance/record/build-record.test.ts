import { expect, it } from 'vitest';

import { buildRunRecord } from '../../../../src/conformance/record/build-record.ts';
import { runConformance } from '../../../../src/conformance/run/run-conformance.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';

it('lets flaky checks follow from the first that failed in the same stall', async () => {
  const target = await startEmbeddedTarget();
  const result = await runConformance({ target, seed: 1, grep: '^misc/' });
  await target.close();
  const [first, ...others] = result.outcomes.toReversed();
  if (!first) throw new Error('no checks');
  const mismatch = { at: 'it', expected: 'soon', actual: 'late' };
  // The first to fail is not the first of the suite.
  const outcomes = result.outcomes.map((outcome) => ({
    ...outcome,
    verdict: 'flaky' as const,
    judgements: outcome.judgements.map((one) => ({ ...one, mismatch, atMs: outcome === first ? 1_000 : 2_000 })),
  }));
  const record = buildRunRecord({ ...result, outcomes });
  expect(others.length).toBeGreaterThan(0);
  expect(record.checks.map(({ followsFrom }) => followsFrom)).toEqual([...others.map(() => first.check.id), undefined]);
});
