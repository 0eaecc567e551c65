/**
 * Frame faults: what can happen to a frame on its way, by name.
 *
 * Where several rules apply to one frame, the first of this table wins. Settings are those of the fault rule,
 * with the defaults given here.
 */

import type { Firing } from '../../common/fault-plan.ts';
import type { FaultMeaning, FaultMeanings } from '../../common/fault-rule.ts';
import { countSetting, durationSetting, lastsMs } from '../../common/fault-settings.ts';
import type { Direction, Frame } from './direction.ts';

/** What a fault does to a frame, and to the connection it is on. */
export type FrameFault = (frame: Frame, direction: Direction, firing: Firing) => void;

interface DescribedFault extends FaultMeaning {
  readonly apply: FrameFault;
}

export const FRAME_FAULTS = {
  drop: {
    does: 'the connection is cut without a goodbye, before the message gets through',
    settings: { when: '`after`: the message arrives before the connection drops' },
    apply: (frame, direction, firing) => {
      if (firing.with['when'] === 'after') direction.pass(frame);
      direction.connection.cut();
    },
  },
  truncate: {
    does: 'the connection is cut in the middle of the message: half of it is on the wire',
    apply: (frame, { connection, name }) => connection.handOverPart(name, frame),
  },
  mute: {
    does: 'the computer stops reading, pings included: a slow reader, then a dead one',
    settings: { duration: 'how long nothing is heard, where the rule has no `for` (1m)' },
    apply: (frame, direction, firing) => {
      const durationMs = lastsMs(firing, direction.clock.now(), 60_000);
      direction.connection.mute(durationMs);
      direction.pass(frame, direction.name === 'to-computer' ? durationMs : 0);
    },
  },
  latency: {
    does: 'the message is late; what comes after it cannot overtake it',
    settings: { delay: 'how much later (100ms)' },
    apply: (frame, direction, firing) => direction.pass(frame, durationSetting(firing, 'delay', 100)),
  },
  duplicate: {
    does: 'the message comes twice, which no proper peer does on one connection',
    settings: { copies: 'how many more of the message (1)' },
    apply: (frame, direction, firing) => {
      const copies = countSetting(firing, 'copies', 1);
      for (let sent = 0; sent <= copies; sent++) direction.pass(frame);
    },
  },
  reorder: {
    does: 'the message comes after the one that follows it',
    settings: { wait: 'how long it waits for one that overtakes it (1s)' },
    apply: (frame, direction, firing) => direction.setAside(frame, durationSetting(firing, 'wait', 1_000)),
  },
} as const satisfies Readonly<Record<string, DescribedFault>>;

/** Everything that can go wrong on a link. */
export const LINK_FAULTS = {
  refuse: { does: 'the computer cannot connect' },
  ...FRAME_FAULTS,
  'slow-close': {
    does: 'a connection that ends stays open, and nothing reads it: the service meets a ghost',
    settings: { delay: 'how long it takes to close (30s)' },
  },
} as const satisfies FaultMeanings;
