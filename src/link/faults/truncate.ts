/**
 * Truncate: the connection is cut in the middle of the frame. Its first half is on the wire, and is
 * worth nothing to whoever reads it.
 */

import type { FrameFault } from './lane.ts';

export const truncate: FrameFault = (frame, lane) => {
  lane.passPart(frame);
};
