import { describe, expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { ADJUDICATED, surprisesOf } from './adjudication.ts';
import { startStranger, type Stranger } from './strangers.ts';

/** Starting it, and a look into every corner. */
const LIMIT_MS = 60_000;

async function surprises(stranger: Stranger): Promise<readonly string[]> {
  await using target = await startStranger(stranger);
  const { outcomes } = await runConformance({ target, seed: 1, profile: 'smoke' });
  return surprisesOf(outcomes, ADJUDICATED[stranger], false);
}

describe('a service that a stranger wrote', { timeout: LIMIT_MS }, () => {
  it('in Python is accused of nothing', { tags: ['python3'] }, async () => {
    expect(await surprises('python')).toEqual([]);
  });

  it('in Go is accused of nothing', { tags: ['go'] }, async () => {
    expect(await surprises('go')).toEqual([]);
  });
});
