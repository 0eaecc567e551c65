import { expect, it } from 'vitest';

import { LagWatch } from '../../../src/common/lag-watch.ts';
import { realTimekeeper } from '../../../src/common/timekeeper.ts';
import { eventually } from '../../../src/common/waiter.ts';

it('tells how long the process did not look', async () => {
  using lag = new LagWatch();
  await eventually({
    description: 'a first look',
    limit: '10s',
    timekeeper: realTimekeeper,
    probe: () => lag.longestMs > 0 || undefined,
  });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const longestMs = await eventually({
    description: 'a look after the pause',
    limit: '10s',
    timekeeper: realTimekeeper,
    probe: () => (lag.longestMs >= 250 ? lag.longestMs : undefined),
  });
  expect(longestMs).toBeGreaterThanOrEqual(250);
});
