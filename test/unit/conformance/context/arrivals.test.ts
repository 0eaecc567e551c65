import { describe, expect, it } from 'vitest';

import { Arrivals } from '../../../../src/conformance/context/arrivals.ts';

const LONG_MS = 60_000;

describe('waiting for arrivals', () => {
  it('ends at once with what is there already', async () => {
    expect(await new Arrivals().waitFor(() => 'there', LONG_MS)).toBe('there');
  });

  it('ends with the arrival that it is for, and not before', async () => {
    const arrivals = new Arrivals();
    const frames: string[] = [];
    const ended: (string | undefined)[] = [];
    const wait = arrivals.waitFor(() => frames.find((frame) => frame === 'welcome'), LONG_MS);
    void wait.then((found) => ended.push(found));
    for (const frame of ['error', 'welcome']) {
      expect(ended).toEqual([]);
      frames.push(frame);
      arrivals.add();
      await Promise.resolve();
    }
    expect(await wait).toBe('welcome');
    expect(arrivals.count).toBe(2);
  });

  it('ends without anything at its limit', async () => {
    const arrivals = new Arrivals();
    const wait = arrivals.waitFor(() => undefined, 5);
    arrivals.add();
    expect(await wait).toBeUndefined();
  });
});
