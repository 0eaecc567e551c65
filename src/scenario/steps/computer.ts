/**
 * What happens to computers: they lose their network, sleep, crash, disconnect and connect.
 */

import { z } from 'zod';

import { duration } from '../../common/duration-schema.ts';
import { durationMs } from '../../common/duration.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import { LinkError, PROGRAM_PARTS } from '../../link/device-link.ts';
import { uses } from '../vocabulary/names.ts';
import { name } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import { KEPT, type StepOutcome } from '../vocabulary/outcome.ts';
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

const DOWN = '5s';
const down = duration.default(DOWN).describe('How long until the program runs again.');

const crashArgs = z.strictObject({
  computer: name.describe('The computer.'),
  forget: z.boolean().default(false).describe('Its store is lost too: what is delivered again prints again.'),
  down,
});
/** Every computer of the room has both. */
const partArgs = z.strictObject({
  every: z
    .enum(PROGRAM_PARTS)
    .describe('What dies on every computer: the client program, or the print system beside it.'),
  down,
});
const anyCrash = z.union([z.enum(PROGRAM_PARTS).transform((every) => ({ every, down: DOWN })), partArgs, crashArgs]);

export const crash = stepKind<z.output<typeof anyCrash>>({
  about:
    'The client program of a computer dies, with what it was working on, and is started again; `client` or `spooler`: the client programs or the print systems of all computers. Those of a `client:` get SIGKILL.',
  args: anyCrash,
  summary: (what) => `crash ${'computer' in what ? what.computer : `every ${what.every}`}`,
  names: (what) => ('computer' in what ? uses('computer', what.computer, 'computer') : []),
  async run(what, setup) {
    const outcome = 'computer' in what ? crashOne(what, setup) : crashEvery(what, setup);
    await setup.settle();
    return outcome;
  },
});

function crashOne({ computer, forget, down }: z.output<typeof crashArgs>, setup: Setup): StepOutcome {
  const { name: computerName } = setup.computer(computer);
  const program = setup.target.link?.program;
  if (program && forget) return { kind: 'inconclusive', reason: NO_STORE };
  if (program) program.crash(computerName, 'client', durationMs(down));
  else setup.computer(computer).crash({ forget, downMs: durationMs(down) });
  return KEPT;
}

function crashEvery({ every, down }: z.output<typeof partArgs>, { cast, room, target }: Setup): StepOutcome {
  cast.ensureSeen(`the ${every} of a computer`);
  const program = target.link?.program;
  const downMs = durationMs(down);
  if (!program && every === 'spooler') return { kind: 'inconclusive', reason: NO_SPOOLER };
  for (const computer of room.computers) {
    if (program) program.crash(computer.name, every, downMs);
    else computer.crash({ downMs });
  }
  return KEPT;
}

const NO_SPOOLER =
  'only computers of a client program have a print system that can be killed: see `client:` in docs/target.md';
const NO_STORE = 'what a client program of the service keeps is its own: it cannot be made to forget';

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
