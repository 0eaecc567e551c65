/**
 * What happens to computers: they lose their network, sleep, crash, disconnect and connect.
 */

import { z } from 'zod';

import { duration } from '../../common/duration-schema.ts';
import { durationMs } from '../../common/duration.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import { LinkError } from '../../link/device-link.ts';
import { uses } from '../vocabulary/names.ts';
import { name } from '../vocabulary/schema-types.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { stepKind, type Action } from './step.ts';

export const cut = onComputer(
  'The network cable of a computer is pulled, without a goodbye; it reconnects by itself.',
  'cut',
  (computer) => computer.cut(),
);

export const disconnect = onComputer('A computer says goodbye and stays away.', 'disconnect', (computer) =>
  computer.disconnect(),
);

export const connect = onComputer(
  'A computer that was away connects again; where it cannot, it tries again by itself.',
  'connect',
  (computer) => computer.connect(),
);

export const sleep = onComputer(
  'A computer falls asleep: it neither receives nor sends, and the service has to notice.',
  'send to sleep',
  (computer) => computer.sleep(),
);

export const wake = onComputer('A computer that slept wakes up.', 'wake', (computer) => computer.wake());

export const leaveGhost = onComputer(
  'A computer connects again while the service still believes its old connection is alive.',
  'leave a ghost of',
  (computer) => computer.leaveGhost(),
);

const crashArgs = z.strictObject({
  computer: name.describe('The computer.'),
  forget: z.boolean().default(false).describe('Its store is lost too: what is delivered again prints again.'),
  down: duration.default('5s').describe('How long until the program runs again.'),
});

export const crash = stepKind<z.output<typeof crashArgs>>({
  about: 'The client program of a computer dies, with what it was working on, and is started again.',
  args: crashArgs,
  summary: ({ computer }) => `crash ${computer}`,
  names: ({ computer }) => uses('computer', computer, 'computer'),
  async run({ computer, forget, down }, setup) {
    setup.computer(computer).crash({ forget, downMs: durationMs(down) });
    await setup.settle();
    return KEPT;
  },
});

const skewArgs = z.strictObject({
  computer: name.describe('The computer.'),
  ahead: duration.exactOptional().describe('How far ahead of the true time.'),
  back: duration.exactOptional().describe('How far behind the true time.'),
});

export const skewClock = stepKind<z.output<typeof skewArgs>>({
  about: 'Sets the clock of a computer.',
  args: skewArgs,
  summary: ({ computer, ahead, back }) => `set the clock of ${computer} ${ahead ?? '0s'} ahead, ${back ?? '0s'} back`,
  names: ({ computer }) => uses('computer', computer, 'computer'),
  run({ computer, ahead = '0s', back = '0s' }, setup) {
    setup.computer(computer).skewClock(durationMs(ahead) - durationMs(back));
    return KEPT;
  },
});

function onComputer(
  about: string,
  verb: string,
  act: (computer: VirtualComputer) => Promise<void> | void,
): z.ZodType<Action> {
  return stepKind({
    about,
    args: name,
    summary: (computer) => `${verb} ${computer}`,
    names: (computer) => uses('computer', computer),
    async run(computer, setup) {
      const one = setup.computer(computer);
      await setup.letFinish(Promise.resolve(act(one))).catch((error: unknown) => {
        if (!(error instanceof LinkError)) throw error;
        // A client program tries again by itself.
        setup.note(`${computer}: ${error.message}`);
        one.start();
      });
      await setup.settle();
      return KEPT;
    },
  });
}
