/**
 * The short form; the long one is `npm run prove hardware-fuzz`.
 */

import { describe, expect, it } from 'vitest';

import { fuzzHardware } from './hardware-fuzz.ts';

describe('the ports of an exposed room under hostile inputs', () => {
  it('answer or close, and go on serving', { timeout: 60_000 }, async () => {
    const { findings, outcomes } = await fuzzHardware(800, 'short');
    expect(findings).toEqual([]);
    // A run that was never let in has tried nothing.
    expect([...outcomes.keys()]).toEqual(
      expect.arrayContaining([
        'ipp 0x0000',
        'ipp 0x0400',
        'raw closed',
        'raw answered',
        'lpd answered',
        'snmp sent',
        'usb answered',
      ]),
    );
  });
});
