import { describe, expect, it } from 'vitest';

import { SCALE_PROFILES } from '../../../../src/devices/scale/scale-profile.ts';

const GOOD = {
  vendor: 'V',
  product: 'P',
  vendorId: 1,
  productId: 2,
  why: 'a scale that is only good for this test',
  modes: [{ unit: 'ounce', exponent: -1, division: '0.1', capacity: '160' }],
};

describe('scale profiles', () => {
  it.each(SCALE_PROFILES.names())('%s is in order', (name) => {
    expect(SCALE_PROFILES.load(name).modes.length).toBeGreaterThan(0);
  });

  it('are those of at least ten devices, no two with the same ids', () => {
    const ids = SCALE_PROFILES.names().map((name) => {
      const { vendorId, productId } = SCALE_PROFILES.load(name);
      return `${vendorId}:${productId}`;
    });
    expect(ids.length).toBeGreaterThanOrEqual(10);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['an id of three bytes', { vendorId: 0x1_0000 }, /mine\.json.*vendorId/],
    ['a number for a weight', { modes: [{ ...GOOD.modes[0], division: 0.1 }] }, /modes\[0\]\.division/],
    ['a step of nothing', { modes: [{ ...GOOD.modes[0], division: '0' }] }, /division: must be more than 0/],
    [
      'a step finer than its reports',
      { modes: [{ ...GOOD.modes[0], division: '0.05' }] },
      /must be a multiple of 10\^exponent/,
    ],
    ['a capacity too great for two bytes', { modes: [{ ...GOOD.modes[0], capacity: '7000' }] }, /capacity/],
    ['an unknown quirk', { quirks: ['sings'] }, /quirks\[0\]/],
    ['an unknown field', { colour: 'grey' }, /colour/],
    ['a unit of no agreed size', { modes: [{ ...GOOD.modes[0], unit: 'tael' }] }, /must be a unit of agreed/],
    ['no modes', { modes: [] }, /modes/],
    ['several problems at once', { vendorId: -1, product: '', why: 'short' }, /product.*vendorId.*why/],
  ])('are refused with %s', (_, change, message) => {
    expect(() => SCALE_PROFILES.read(JSON.stringify({ ...GOOD, ...change }), 'mine.json')).toThrow(message);
  });

  it('are refused when they are not JSON, or not there', () => {
    expect(() => SCALE_PROFILES.read('{', 'mine.json')).toThrow(/mine\.json is not a scale profile: .* JSON/);
    expect(() => SCALE_PROFILES.load('no-such')).toThrow("there is no scale profile 'no-such'");
    const [name = ''] = SCALE_PROFILES.names();
    expect(() => SCALE_PROFILES.load(`${name}x`)).toThrow(`; did you mean '${name}'?`);
  });
});
