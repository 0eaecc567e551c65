/**
 * Frame faults: what can happen to a frame on its way, by name.
 *
 * Where several rules apply to one frame, the first of this table wins. Settings are those of the fault rule,
 * with the defaults given here.
 */

import type { Firing } from '../../common/fault-plan.ts';
import { countSetting, durationSetting, lastsMs } from '../../common/fault-settings.ts';
import type { Direction, Frame } from './direction.ts';

/** What a fault does to a frame, and to the connection it is on. */
export type FrameFault = (frame: Frame, direction: Direction, firing: Firing) => void;

export const FRAME_FAULTS: ReadonlyMap<string, FrameFault> = new Map<string, FrameFault>([
  [
    // Cut without a goodbye, before the frame gets through, or after it where `when` is `after`.
    'drop',
    (frame, direction, firing) => {
      if (firing.with['when'] === 'after') direction.pass(frame);
      direction.connection.cut();
    },
  ],
  // Cut in the middle of the frame: its first half is on the wire, of no use to its reader.
  ['truncate', (frame, { connection, name }) => connection.handOverPart(name, frame)],
  [
    // The computer stops reading, pings included, for the rule's `for` or its `duration`. A service that
    // waits for it finds a slow reader, then a dead one.
    'mute',
    (frame, direction, firing) => {
      const durationMs = lastsMs(firing, direction.clock.now(), 60_000);
      direction.connection.mute(durationMs);
      direction.pass(frame, direction.name === 'to-computer' ? durationMs : 0);
    },
  ],
  // The frame takes `delay`; what comes after it cannot overtake it.
  ['latency', (frame, direction, firing) => direction.pass(frame, durationSetting(firing, 'delay', 100))],
  [
    // The frame comes twice, which no proper peer does on one connection, or with `copies` more.
    'duplicate',
    (frame, direction, firing) => {
      const copies = countSetting(firing, 'copies', 1);
      for (let sent = 0; sent <= copies; sent++) direction.pass(frame);
    },
  ],
  // The frame comes after the one that follows it, or after `wait` when none follows.
  ['reorder', (frame, direction, firing) => direction.setAside(frame, durationSetting(firing, 'wait', 1_000))],
]);
