/**
 * Days that were drawn, with whatever left out: shortening a finding comes through days that no one drew, and on a
 * sound service none of them may break anything.
 */

import { expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { drawDay } from '../../src/explore/draw/draw-day.ts';
import { embeddedStage } from '../../src/explore/embedded-stage.ts';
import { playText, textOf } from '../../src/explore/play-day.ts';
import { shrinkDay } from '../../src/explore/shrink-day.ts';

const LIMIT_MS = 120_000;
const FIRST_SEED = 40;
const DAYS = 12;
const PLAYS = 40;
/** The percentage of shorter days that are kept: the more are kept, the more a day shrinks. */
const KEPT = 60;

it('finds nothing on a sound service in any of them', { timeout: LIMIT_MS }, async () => {
  await using stage = embeddedStage();
  const found: string[] = [];
  let plays = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + DAYS; seed++) {
    const random = createRandom(String(seed));
    const day = drawDay(seed, { without: [], room: undefined, expect: 'strict' });
    await shrinkDay(day, {
      mostPlays: PLAYS,
      async stillBreaks(shorter) {
        const played = await playText(textOf(shorter), stage);
        // A name may be there no more.
        if (!played) return false;
        plays++;
        if (played.verdict !== 'pass') found.push(`day ${seed}: ${played.message}`);
        return random.integer(1, 100) <= KEPT;
      },
    });
  }
  expect(found).toEqual([]);
  expect(plays).toBeGreaterThan((DAYS * PLAYS) / 4);
});
