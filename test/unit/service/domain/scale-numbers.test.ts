import { array, assert, constantFrom, integer, property, tuple, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ScaleReport } from '../../../../src/link/messages.ts';
import { NumberedScales } from '../../../../src/service/domain/scale-numbers.ts';

function scale(key: string, deviceName = 'Scale'): ScaleReport {
  return { key, deviceName, vendor: null, product: null, vendorId: 0, productId: 0, port: null };
}

function numbersAfter(...lists: ScaleReport[][]): Record<string, number> {
  const scales = new NumberedScales();
  for (const list of lists) scales.replace(list);
  const keys = (lists.at(-1) ?? []).map(({ key }) => key);
  return Object.fromEntries(keys.map((key) => [key, scales.get(key)?.deviceNum ?? Number.NaN]));
}

describe('the numbers of scales', () => {
  it('begin at 0 for each name, in the order of the report', () => {
    expect(numbersAfter([scale('a'), scale('b'), scale('c', 'Other')])).toEqual({ a: 0, b: 1, c: 0 });
  });

  it('stay with scales that stay, whatever the order of the report', () => {
    expect(numbersAfter([scale('a'), scale('b')], [scale('b'), scale('a')])).toEqual({ a: 0, b: 1 });
  });

  it('are free again once their scale left, for the next one plugged in', () => {
    expect(numbersAfter([scale('a'), scale('b'), scale('c')], [scale('c'), scale('d'), scale('e')])).toEqual({
      c: 2,
      d: 0,
      e: 1,
    });
  });

  it('give the smallest unused one to a scale that is plugged in again', () => {
    const numbers = numbersAfter(
      [scale('a'), scale('b')],
      [scale('b')],
      [scale('b'), scale('x')],
      [scale('b'), scale('x'), scale('a')],
    );
    expect(numbers).toEqual({ b: 1, x: 0, a: 2 });
  });

  it('are counted by name, so that a renamed scale starts anew under its new one', () => {
    expect(numbersAfter([scale('a'), scale('b')], [scale('a'), scale('b', 'Counter')])).toEqual({
      a: 0,
      b: 0,
    });
  });

  it('take names and keys for names and keys, those of Object.prototype included', () => {
    expect(numbersAfter([scale('__proto__', 'constructor'), scale('x', '__proto__')])['x']).toBe(0);
  });

  it('are unique and the smallest free ones after any plugging and unplugging', () => {
    const report = uniqueArray(tuple(integer({ min: 0, max: 9 }), constantFrom('A', 'B', 'C')), {
      selector: ([key]) => key,
      maxLength: 10,
    }).map((list) => list.map(([key, name]) => scale(String(key), name)));
    assert(
      property(array(report, { maxLength: 12 }), (lists) => {
        const scales = new NumberedScales();
        // The plainest bookkeeping there is: name → number → key.
        const held = new Map<string, string>();
        for (const list of lists) {
          scales.replace(list);
          const present = new Set(list.map(({ key, deviceName }) => `${deviceName}|${key}`));
          for (const [slot, key] of held) if (!present.has(`${slot.split('|')[0]}|${key}`)) held.delete(slot);
          for (const { key, deviceName } of list) {
            if ([...held].some(([slot, holder]) => holder === key && slot.startsWith(`${deviceName}|`))) continue;
            let number = 0;
            while (held.has(`${deviceName}|${number}`)) number++;
            held.set(`${deviceName}|${number}`, key);
          }
          const actual = list.map(({ key, deviceName }) => [`${deviceName}|${scales.get(key)?.deviceNum}`, key]);
          expect(new Map(actual as [string, string][])).toEqual(held);
          expect(new Set(actual.map(([slot]) => slot)).size).toBe(list.length);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
