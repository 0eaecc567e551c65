/**
 * Latency: the frame takes `delay` (100 ms unless set); what comes after it cannot overtake it.
 */

import { durationSetting } from '../../common/fault-settings.ts';
import type { FrameFault } from './lane.ts';

export const latency: FrameFault = (frame, lane, firing) => {
  lane.pass(frame, durationSetting(firing, 'delay', 100));
};
