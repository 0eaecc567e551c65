import { expect, it } from 'vitest';

import { fastTime } from '../../src/targets/fake-time.ts';
import { accusationsOf, judgeShop } from './judge-shop.ts';

it(
  'waits a twentieth of the time for a fast app, with the same verdicts',
  { tags: ['faketime'], timeout: 60_000 },
  async () => {
    const fast = fastTime(20);
    const [doubled] = (await judgeShop('labels', 'no-key,no-timeout', 'POST /printjobs#1 slow', fast)).moments;
    expect(doubled?.run.end.durationMs).toBeLessThan(6_000);
    const [twice] = (await judgeShop('labels', 'no-key', 'POST /printjobs#1 lost-after', fast)).moments;
    expect(twice?.verdict).toBe('printed-twice');
    for (const moment of ['POST /printjobs#1 busy', 'POST /printjobs#1 busy-until-quiet']) {
      expect(accusationsOf(await judgeShop('labels', '', moment, fast))).toEqual([]);
    }
  },
);
