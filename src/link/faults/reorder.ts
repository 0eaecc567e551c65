/**
 * Reorder: the frame comes after the one that follows it, or when none has come for `wait` (1 s unless set).
 */

import { durationSetting } from '../../common/fault-settings.ts';
import type { FrameFault } from './lane.ts';

export const reorder: FrameFault = (frame, lane, firing) => {
  lane.setAside(frame, durationSetting(firing, 'wait', 1_000));
};
