import { expect, it } from 'vitest';

import { renderPlan } from '../../../../src/cli/screen/plan.ts';
import { CHECKS } from '../../../../src/conformance/registry.ts';
import { planOf, planRun } from '../../../../src/conformance/run/plan.ts';
import { selectChecks } from '../../../../src/conformance/run/selection.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';

const SHARED = { ofBusiestAccount: 0, ofIntegrator: 0, isAlone: false, isOfRate: false };

function criticalOf(costs: Parameters<typeof planOf>[0], lanes: number): string | undefined {
  return planOf(costs, 9).bounds.find((one) => one.lanes === lanes)?.bounds[0]?.reason;
}

it('names what bounds a run: requests, the longest check, or checks that work alone', () => {
  const many = { id: 'a/many', requests: 90, waitedMs: 0, ...SHARED };
  const long = { id: 'a/long', requests: 9, waitedMs: 60_000, ...SHARED };
  const alone = [1, 2].map((id) => ({
    ...SHARED,
    id: `a/alone-${id}`,
    requests: 0,
    waitedMs: 40_000,
    isAlone: true,
  }));
  const ofParents = { ...SHARED, id: 'a/parents', requests: 900, ofIntegrator: 900, waitedMs: 0 };
  const ofRate = { ...SHARED, id: 'a/rate', requests: 900, ofBusiestAccount: 900, waitedMs: 40_000, isOfRate: true };
  expect(criticalOf([many, long], 1)).toBe('the longest check, a/long');
  expect(criticalOf([many, many, many, many, many, many, many, long], 1)).toContain('639 requests at 9 a second');
  expect(criticalOf([many, long, ...alone], 1)).toContain('2 checks that need the account');
  expect(criticalOf([many, long, ...alone], 10)).toBe('the longest check, a/long');
  expect(criticalOf([many, ofParents, { ...ofParents, isAlone: true }, ...alone], 10)).toBe(
    '2 checks of the Integrator Account, those that need it to themselves one by one',
  );
  expect(criticalOf([ofRate, ofRate, ofRate, ofRate, long], 10)).toBe('4 checks of the request rate, 2 at a time');
  expect(
    criticalOf(
      Array.from({ length: 200 }, () => ({ ...many, ofBusiestAccount: 90 })),
      10,
    ),
  ).toBe('18000 requests at 9 a second from each of 20 addresses');
});

it('finds out what checks cost without waiting for it', async () => {
  const target = await startEmbeddedTarget();
  const plan = await planRun(selectChecks(CHECKS, { grep: '^expiry/' }), target, 9);
  await target.close();
  const expires = plan.costs.find(({ id }) => id === 'expiry/expires');
  expect(expires).toMatchObject({ waitedMs: 9_000, isAlone: false });
  expect(plan.requests).toBe(plan.costs.reduce((total, { requests }) => total + requests, 0));
  expect(renderPlan(plan).join('\n')).toContain('critical path: the longest check');
  expect(renderPlan(plan).join('\n')).toContain('9s  expiry/expires');
});

it('keeps the smoke profile to what a polite caller may send in ten seconds', async () => {
  const target = await startEmbeddedTarget();
  const plan = await planRun(selectChecks(CHECKS, { profile: 'smoke' }), target, 9);
  await target.close();
  // Ten a second, and a few of the burst.
  expect(plan.requests).toBeLessThanOrEqual(105);
  expect(plan.waitedMs).toBeLessThan(1_000);
});
