/**
 * Duplicate: the frame comes twice, which no proper peer does on one connection; `copies` of it more
 * where that is set.
 */

import { countSetting } from '../../common/fault-settings.ts';
import type { FrameFault } from './lane.ts';

export const duplicate: FrameFault = (frame, lane, firing) => {
  const copies = countSetting(firing, 'copies', 1);
  for (let sent = 0; sent <= copies; sent++) lane.pass(frame);
};
