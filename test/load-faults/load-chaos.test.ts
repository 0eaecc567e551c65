import { expect, it } from 'vitest';

import { chaosRun } from './load-chaos.ts';

it('accounts for every job while links drop, programs crash and the service is killed', async () => {
  const { totals, kills, missing, wrong } = await chaosRun(1);
  expect(wrong).toEqual([]);
  expect(missing).toEqual([]);
  expect(totals.classes.unknown).toBe(0);
  expect(kills).toBe(3);
  expect(totals.intents).toBeGreaterThanOrEqual(1_200);
}, 200_000);
