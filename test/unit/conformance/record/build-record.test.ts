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

it('shows the head of a body of megabytes, and no part of a key', async () => {
  const target = await startEmbeddedTarget();
  const result = await runConformance({ target, seed: 1, grep: '^misc/ping$' });
  await target.close();
  const apiKey = 'zQ7zQ7zQ7zQ7zQ7zQ7zQ7zQ7';
  const bodyOf = (before: number): string =>
    `${'-'.repeat(before)}${apiKey}`.padEnd(before + 200 * apiKey.length, apiKey).padEnd(3_000_000, '.');
  const shown = [0, 1_990, 1_999, 2_000, 2_100, 2_143, 2_144].map((before) => {
    const outcomes = result.outcomes.map((outcome) => ({
      ...outcome,
      verdict: 'fail' as const,
      judgements: outcome.judgements.map((one) => ({
        ...one,
        mismatch: { at: 'it', expected: 'this', actual: 'that', exchange: outcome.exchanges[0]?.position ?? 0 },
      })),
      exchanges: outcome.exchanges.map((one) => ({
        ...one,
        exchange: { ...one.exchange, response: { ...one.exchange.response, body: Buffer.from(bodyOf(before)) } },
      })),
    }));
    const record = buildRunRecord({ ...result, outcomes, target: { ...result.target, apiKey } });
    return record.checks[0]?.evidence?.exchanges?.[0]?.response.body ?? '';
  });
  for (const body of shown) {
    expect(body).toMatch(/… \(3000000 characters\)$/);
    expect(body).not.toContain('Q7');
  }
  expect(shown[0]).toContain('$PLATEN_API_KEY');
});
