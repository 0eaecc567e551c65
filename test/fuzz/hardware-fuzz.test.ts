/**
 * The short form; the long one is `npm run prove hardware-fuzz`.
 */

import { describe, expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { fuzzHardware, leaksIn, type MemorySample } from './hardware-fuzz.ts';

describe('the ports of an exposed room under hostile inputs', () => {
  it('answer or close, and go on serving', { timeout: 60_000 }, async () => {
    const { findings, outcomes } = await fuzzHardware({ inputs: 800, seed: 'short' });
    expect(findings).toEqual([]);
    // A run that was never let in has tried nothing.
    expect([...outcomes.keys()]).toEqual(
      expect.arrayContaining([
        'ipp 0x0000',
        'ipp 0x0400',
        'raw closed',
        'raw answered',
        'lpd answered',
        'usb answered',
        'dns-sd sent',
      ]),
    );
  });

  it('leak when every input leaves a few bytes, and not while caches fill up or collection lags', () => {
    const random = createRandom('memory');
    const memory = (bytesAnInput: number): MemorySample[] =>
      Array.from({ length: 21 }, (_, place) => {
        const inputs = 67_000 + place * 1_650;
        const caches = 200_000 * (1 - 20_000 / inputs);
        const heapBytes = 23_000_000 + caches + random.integer(0, 20_000) + bytesAnInput * inputs;
        return { inputs, heapBytes, externalBytes: 11_000_000 + 65_536 * random.integer(0, 4) };
      });
    for (let run = 0; run < 200; run++) expect(leaksIn(memory(0))).toEqual([]);
    for (let run = 0; run < 200; run++)
      expect(leaksIn(memory(8))).toEqual([expect.stringMatching(/^heap grows by \d/)]);
  });
});
