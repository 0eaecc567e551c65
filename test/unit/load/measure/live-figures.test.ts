import fc from 'fast-check';
import { expect, it } from 'vitest';

import { Durations } from '../../../../src/load/measure/histogram.ts';
import { ClassCount } from '../../../../src/load/measure/live-figures.ts';
import { Ledger } from '../../../../src/oracle/ledger.ts';

const BOUNDS_US = [1_000, 50_000, 2_000_000];

it('puts each duration into the bucket whose bound it does not exceed', () => {
  // Not within a thousandth of a bound: three digits do not tell these apart.
  const clear = fc
    .integer({ min: 0, max: 4_000_000 })
    .filter((us) => BOUNDS_US.every((b) => Math.abs(us / b - 1) > 0.002));
  fc.assert(
    fc.property(fc.array(clear), (values) => {
      const durations = new Durations();
      for (const value of values) durations.record(value);
      const { counts, sumUs } = durations.toBuckets(BOUNDS_US);
      const bucketOf = (us: number): number => {
        const bucket = BOUNDS_US.findIndex((bound) => us <= bound);
        return bucket < 0 ? BOUNDS_US.length : bucket;
      };
      const expected = [0, 1, 2, 3].map((bucket) => values.filter((us) => bucketOf(us) === bucket).length);
      expect(counts).toEqual(expected);
      const sum = values.reduce((total, value) => total + value, 0);
      expect(Math.abs(sumUs - sum)).toBeLessThanOrEqual(sum / 1_000 + values.length);
    }),
    { numRuns: 100 },
  );
});

function ledgerOf(jobs: number): Ledger {
  const ledger = new Ledger();
  for (let row = 0; row < jobs; row++) {
    ledger.intend({ intendedUs: row, account: 0, printer: 1, document: 0, copies: 1 });
    if (row % 2 === 0) ledger.shed(row);
  }
  return ledger;
}

it('counts the classes of a short ledger at each look', () => {
  const ledger = ledgerOf(10);
  const count = new ClassCount(ledger);
  expect(count.look()).toMatchObject({ shed: 5, unknown: 5 });
  ledger.refused(1);
  expect(count.look()).toMatchObject({ shed: 5, unknown: 4, refused: 1 });
});

it('counts those of a long ledger over several looks, and at once when it has to', () => {
  const count = new ClassCount(ledgerOf(25_000));
  expect(count.look()).toMatchObject({ shed: 0, unknown: 0 });
  expect(count.look()).toMatchObject({ shed: 0, unknown: 0 });
  expect(count.look()).toMatchObject({ shed: 12_500, unknown: 12_500 });
  expect(count.lookAtAll()).toMatchObject({ shed: 12_500, unknown: 12_500 });
});
