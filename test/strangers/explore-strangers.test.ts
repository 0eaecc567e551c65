/**
 * Days on services that others wrote: they answer differently what the specification leaves open, and no day may find
 * anything in them.
 */

import { expect, it } from 'vitest';

import { explore, playerOn } from '../../src/explore/explore.ts';
import { meetService } from '../../src/explore/other-service.ts';
import { startStranger, type Stranger } from './strangers.ts';

const LIMIT_MS = 120_000;
const DAYS = 12;

async function explored(
  stranger: Stranger,
): Promise<{ findings: readonly string[]; unplayedBecause: string | undefined }> {
  await using target = await startStranger(stranger);
  const { stage, elsewhere, problems } = await meetService(target);
  expect(problems).toEqual([]);
  const draw = { without: [], room: undefined, expect: 'sound', elsewhere } as const;
  const { findings, unplayedBecause } = await explore({
    ...draw,
    seed: 1,
    seeds: DAYS,
    stage,
    mostShrinkPlays: 0,
    players: [playerOn(stage, draw)],
  });
  await stage[Symbol.asyncDispose]();
  return { findings: findings.map(({ message }) => message), unplayedBecause };
}

it('in Python: nothing is found', { timeout: LIMIT_MS, tags: ['python3'] }, async () => {
  expect(await explored('python')).toEqual({ findings: [], unplayedBecause: undefined });
});

it('in Go: nothing is found', { timeout: LIMIT_MS, tags: ['go'] }, async () => {
  expect(await explored('go')).toEqual({ findings: [], unplayedBecause: undefined });
});
