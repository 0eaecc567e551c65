/**
 * platen room: connects a room to a service and reports what happens in it, until it is stopped.
 */

import type { Command } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { createRandom } from '../common/random.ts';
import type { VirtualComputer } from '../devices/computer/computer.ts';
import { amountInWords, type Printout } from '../devices/printer/printout.ts';
import type { Room, RoomDescription } from '../devices/room.ts';
import { LinkError } from '../link/device-link.ts';
import { openLink } from '../target/open-link.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { interruption } from './interruption.ts';
import { keyOption, linkOption } from './options/option-values.ts';
import { out, styled, table } from './screen/terminal.ts';

interface RoomFlags {
  readonly key: string;
  readonly room?: string;
  readonly seed: string;
  readonly link: string;
  readonly quiet?: true;
}

const LOOK_EVERY_MS = 250;

export function roomCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('room')
    .description('connect a room of computers and printers to a service, until stopped')
    .argument('<url>', 'address of the service')
    .addOption(keyOption())
    .addOption(linkOption().default('websocket'))
    .option(
      '--room <file>',
      'the room, as under `room:` in a scenario (default: two computers with four printers and a scale)',
    )
    .option('--seed <seed>', 'the same seed makes the same computers', '1')
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (url: string, flags: RoomFlags) => finish(await run(url, flags)));
}

async function run(url: string, flags: RoomFlags): Promise<ExitCode> {
  const description = await descriptionOf(flags.room);
  const stopped = interruption();
  const room = await openRoom(url, description, flags);
  const say = flags.quiet ? () => undefined : (text: string): void => out(`${clockTime()}  ${text}`);
  try {
    await room.connect().catch((error: unknown) => explain(url, error));
    if (!flags.quiet) out(banner(url, room));
    for (const printer of room.printers) printer.onPrintout((printout) => say(described(printout)));
    const watch = watchConnections(room.computers, say);
    if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener('abort', resolve));
    watch.cancel();
  } finally {
    await room.close();
  }
  return EXIT.good;
}

async function descriptionOf(file: string | undefined): Promise<RoomDescription> {
  if (file === undefined) return (await import('../devices/default-room.ts')).DEFAULT_ROOM;
  const { loadRoom } = await import('../scenario/format/find-scenarios.ts');
  return loadRoom(file);
}

async function openRoom(
  url: string,
  description: RoomDescription,
  { key, seed, link }: RoomFlags,
): Promise<Room> {
  const { remoteTarget } = await import('../target/remote.ts');
  const { Room: NewRoom } = await import('../devices/room.ts');
  const target = await remoteTarget({ url, apiKey: key });
  return new NewRoom(description, {
    clock: systemClock,
    random: createRandom(seed).stream('room from outside'),
    link: await openLink(link),
    serviceUrl: target.baseUrl,
    credential: { kind: 'api-key', key },
  });
}

function explain(url: string, error: unknown): never {
  if (!(error instanceof LinkError)) throw error;
  throw new ActionableError(
    'unreachable',
    `the computers cannot connect to ${url}: ${error.message}`,
    'Does the service implement docs/device-link.md at this address, and accept this key?',
    { cause: error },
  );
}

function banner(url: string, { computers }: Room): string {
  const rows = computers.flatMap(({ name, id, printers }) =>
    printers.map((printer) => [`${name} (${id})`, styled('cyan', printer.name), printer.description]),
  );
  return [`Connected to ${url}. Ctrl-C disconnects.`, '', table(rows, '  '), ''].join('\n');
}

/** Polls: a computer has no event for its connection. */
function watchConnections(
  computers: readonly VirtualComputer[],
  say: (text: string) => void,
): ReturnType<typeof systemClock.beat> {
  const connected = new Map(computers.map((computer) => [computer, computer.connected]));
  return systemClock.beat(LOOK_EVERY_MS, () => {
    for (const computer of computers) {
      if (connected.get(computer) === computer.connected) continue;
      connected.set(computer, computer.connected);
      const reason = computer.lastFailure?.message ?? 'the connection ended';
      say(computer.connected ? `${computer.name} is connected again` : `${computer.name} is gone: ${reason}`);
    }
  });
}

function described(printout: Printout): string {
  return `job ${printout.jobId} '${printout.title}': ${amountInWords(printout)} out of ${printout.printerName}`;
}

const TIME_OF_DAY = { start: 11, end: 19 };

function clockTime(): string {
  return new Date(systemClock.now()).toISOString().slice(TIME_OF_DAY.start, TIME_OF_DAY.end);
}
