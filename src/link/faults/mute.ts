/**
 * Mute: the computer stops reading, pings included, for as long as the rule's `for` or its `duration` says
 * (1 minute unless either does). A service that waits for it finds a slow reader, then a dead one.
 */

import { lastsMs } from '../../common/fault-settings.ts';
import type { FrameFault } from './lane.ts';

export const mute: FrameFault = (frame, lane, firing) => {
  const durationMs = lastsMs(firing, lane.clock.now(), 60_000);
  lane.mute(durationMs);
  lane.pass(frame, lane.direction === 'to-computer' ? durationMs : 0);
};
