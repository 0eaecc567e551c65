/**
 * advance: lets time pass.
 */

import { duration } from '../../common/duration-schema.ts';
import { durationMs, formatDuration, parseDuration } from '../../common/duration.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

/** Longer waits make a scenario inconclusive. */
const LONGEST_REAL_WAIT_MS = 120_000;

/** Everything that is due on the way happens: centuries would play for hours. */
const LONGEST = '366d';

export const advance = stepKind({
  about: 'Time passes. On a virtual clock at once, with everything that is due on the way.',
  args: duration.refine((text) => (parseDuration(text) ?? 0) <= durationMs(LONGEST), `must be at most ${LONGEST}`),
  summary: (length) => `${length} pass`,
  async run(length, { time }) {
    if (!time.isVirtual && durationMs(length) > LONGEST_REAL_WAIT_MS) {
      const reason = `${formatDuration(durationMs(length))} would have to pass in real time`;
      return { kind: 'inconclusive', reason };
    }
    await time.elapse(length);
    return KEPT;
  },
});
