/**
 * advance: lets time pass.
 */

import { passing } from '../../common/duration-schema.ts';
import { durationMs, formatDuration } from '../../common/duration.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

/** Longer waits make a scenario inconclusive. */
const LONGEST_REAL_WAIT_MS = 120_000;

export const advance = stepKind({
  about: 'Time passes. On a virtual clock at once, with everything that is due on the way.',
  args: passing,
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
