import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { Scales, type ScalesOptions } from '../../../../src/service/domain/scale.ts';
import type { Measured } from '../../../../src/service/domain/scale-reading.ts';
import { isReadingRetained } from '../../../../src/service/domain/scale-reading.ts';

const MEASURED: Measured = {
  mass: [1, null],
  measurement: { g: 1_000 },
  clientReportedCreateTimestamp: '2026-01-01T00:00:00Z',
};
const PLACE = { accountId: 1, id: 7 };

function scale(key: string): Parameters<Scales['replace']>[1][number] {
  return { key, deviceName: 'Scale', vendor: null, product: null, vendorId: 0, productId: 0, port: null };
}

function makeScales(isRetained: ScalesOptions['isRetained'] = isReadingRetained): {
  clock: VirtualClock;
  scales: Scales;
} {
  const clock = new VirtualClock();
  return { clock, scales: new Scales({ clock, isRetained }) };
}

describe('scales', () => {
  it('free the memory of readings that are too old, and keep the numbers', async () => {
    let looks = 0;
    const { clock, scales } = makeScales((createdMs, nowMs) => {
      looks++;
      return isReadingRetained(createdMs, nowMs);
    });
    scales.replace(PLACE, [scale('a'), scale('b')]);
    for (const key of ['a', 'b']) scales.record(PLACE, key, MEASURED);
    await clock.advance('2m');
    looks = 0;
    expect(scales.find(1, {})).toEqual([]);
    expect(looks).toBe(0);
    scales.record(PLACE, 'b', MEASURED);
    expect(scales.find(1, {})).toMatchObject([{ computerId: 7, scale: { deviceNum: 1 } }]);
  });

  it('keep a reading as long as the given rule says', async () => {
    const { clock, scales } = makeScales((createdMs, nowMs) => nowMs - createdMs < 120_000);
    scales.replace(PLACE, [scale('a')]);
    scales.record(PLACE, 'a', MEASURED);
    await clock.advance(119_999);
    expect(scales.find(1, {})).toHaveLength(1);
    await clock.advance(1);
    expect(scales.find(1, {})).toEqual([]);
  });

  it('take a scale by its key for that computer of that account alone', () => {
    const { scales } = makeScales();
    scales.replace(PLACE, [scale('a')]);
    scales.record({ accountId: 1, id: 8 }, 'a', MEASURED);
    scales.record({ accountId: 2, id: 7 }, 'a', MEASURED);
    expect([...scales.find(1, {}), ...scales.find(2, {})]).toEqual([]);
  });
});
