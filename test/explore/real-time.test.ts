/**
 * Exploring on real time: a service that is another process, with something broken in it.
 */

import { expect, it } from 'vitest';

import { MOVE_KINDS } from '../../src/explore/draw/moves.ts';
import { explore, playerOn } from '../../src/explore/explore.ts';
import { meetService } from '../../src/explore/other-service.ts';
import { playText, textOf } from '../../src/explore/play-day.ts';
import { startPlanted, targetOf } from './start-planted.ts';

const IDEMPOTENCY = 'print-jobs/idempotency-conflict';
/** Days of this alone are short, and a plain room takes no time to be made plainer. */
const without = MOVE_KINDS.filter((kind) => kind !== 'submit-key');
const room = { computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4', name: 'Laser' }] }] };

it('finds what is broken, shortens it beside other days, and shows it again', { timeout: 180_000 }, async () => {
  using planted = await startPlanted(['409 never']);
  using sound = await startPlanted([]);
  const { elsewhere, stage, sideBySide } = await meetService(await targetOf(planted));
  await using here = stage;
  await using there = (await meetService(await targetOf(sound))).stage;
  const draw = { without, room, expect: 'sound', elsewhere } as const;
  const met: string[] = [];
  const { findings, unplayedBecause } = await explore({
    ...draw,
    seed: 1,
    seeds: 40,
    stage: here,
    players: Array.from({ length: sideBySide }, () => playerOn(here, draw)),
    mostFindings: 1,
    onMet: ({ signature }) => met.push(signature),
  });
  expect(unplayedBecause).toBeUndefined();
  expect(met).toEqual([IDEMPOTENCY]);
  expect(findings.map(({ signature }) => signature)).toEqual([IDEMPOTENCY]);
  expect(findings[0]?.day.steps.length).toBeLessThanOrEqual(2);
  const text = textOf(findings[0]?.day ?? never());
  expect(await playText(text, here)).toMatchObject({ verdict: 'fail', broken: [IDEMPOTENCY] });
  expect(await playText(text, there)).toMatchObject({ verdict: 'pass' });
});

function never(): never {
  throw new Error('nothing was found');
}
