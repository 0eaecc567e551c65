import { expect, it } from 'vitest';

import { chaosRun } from './load-chaos.ts';

it.each([1, 2])(
  'accounts for every job while links drop, programs crash and the service is killed (seed %i)',
  async (seed) => {
    const { totals, kills, wrong } = await chaosRun(seed);
    expect(wrong).toEqual([]);
    expect(totals.classes.unknown).toBe(0);
    expect(kills).toBe(3);
    expect(totals.intents).toBe(800);
  },
  120_000,
);
