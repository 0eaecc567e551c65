/**
 * Drop: the connection is cut without a goodbye, before the frame gets through, or after it where
 * `when` is set to `after`.
 */

import type { FrameFault } from './lane.ts';

export const drop: FrameFault = (frame, lane, firing) => {
  if (firing.with['when'] === 'after') lane.pass(frame);
  lane.cut();
};
