import { expect, it } from 'vitest';

import { shippedScenario, shippedScenarios } from '../../../../src/workbench/runs/shipped-scenarios.ts';

it('reads each scenario that ships once', async () => {
  const first = await shippedScenarios();
  const again = await shippedScenarios();
  expect(first.length).toBeGreaterThan(10);
  expect(again.every((view, index) => view === first[index])).toBe(true);
  expect(await shippedScenario('jam-on-page-three')).toBe(first.find(({ name }) => name === 'jam-on-page-three'));
});
