/**
 * platen room: connects a room to a service, or exposes it to operating systems, and reports what happens in it,
 * until it is stopped.
 */

import { once } from 'node:events';
import path from 'node:path';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { ensureWritable } from '../common/folder.ts';
import { createRandom } from '../common/random.ts';
import type { VirtualComputer } from '../devices/computer/computer.ts';
import { amountInWords, type Printout } from '../devices/printer/printout.ts';
import type { Profiles } from '../devices/profiles.ts';
import type { Room, RoomDescription } from '../devices/room.ts';
import type { ExposedRoom, Exposure, HardwareAddresses } from '../hardware/exposed-room.ts';
import { openLink } from '../targets/open-link.ts';
import type { Target } from '../targets/target.ts';
import { styled, type Line } from '../report/terminal/line.ts';
import { table } from '../report/terminal/table.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { explainLink } from './remote/link-trouble.ts';
import { ensureFolderOf, removeFile, writeFileWhole } from './files/whole-file.ts';
import { interruption } from './interruption.ts';
import { exposeOption, hardwareRecord, hardwareTable } from './options/expose-option.ts';
import { addTargetOption, findTarget, placeNamed, type TargetFlags } from './options/open-target.ts';
import {
  allowFilesOption,
  type FilesFlags,
  filled,
  jsonOption,
  keyOption,
  linkOption,
  readRoomFile,
} from './options/option-values.ts';
import { tellLeftBehind } from './screen/left-behind.ts';
import { clockTime } from './screen/clock-time.ts';
import { out, outJson } from './screen/terminal.ts';

interface RoomFlags extends Pick<TargetFlags, 'key' | 'keysGiven' | 'link' | 'start' | 'target'>, FilesFlags {
  readonly room?: string;
  readonly seed: string;
  readonly expose?: Exposure;
  readonly out?: string;
  readonly readyFile?: string;
  readonly json?: true;
  readonly quiet?: true;
}

const LOOK_EVERY_MS = 250;

export function roomCommand(program: Command, finish: (code: ExitCode) => void): void {
  addTargetOption(program.command('room'))
    .description('connect a room of computers and printers to a service, or to operating systems, until stopped')
    .argument('[url]', 'address of the service; none is needed with --expose')
    .addOption(keyOption())
    .addOption(linkOption())
    .option(
      '--room <file>',
      'the room, as under `room:` in a scenario (default: two computers with four printers and a scale)',
    )
    .addOption(allowFilesOption())
    .option('--seed <seed>', 'the same seed makes the same computers', '1')
    .addOption(exposeOption())
    .option('--out <folder>', 'keep what the printers print here, as PDF; raw bytes as they are, too', filled)
    .option('--ready-file <file>', 'write {url, pid, hardware} here once it is ready', filled)
    .addOption(jsonOption())
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (url: string | undefined, flags: RoomFlags) => finish(await run(url, flags)));
}

async function run(named: string | undefined, flags: RoomFlags): Promise<ExitCode> {
  const { expose, readyFile, quiet, json, link } = flags;
  const isConnected = placeNamed(named, flags) !== undefined;
  if (!isConnected && !expose) {
    throw usageError(
      'the room has nothing to connect to',
      'Name the address of a service, or let operating systems print to it: `platen room --expose ipp`.',
    );
  }
  if (link === 'none') throw usageError('a room connects its computers over a link', 'Give a --link other than none.');
  if (readyFile !== undefined) {
    ensureFolderOf(readyFile);
    removeFile(readyFile);
  }
  if (flags.out !== undefined) ensureWritable(flags.out);
  const stopped = interruption();
  const target = isConnected ? await findTarget(named, flags, stopped) : undefined;
  const url = target?.baseUrl;
  const room = await openRoom(target, flags);
  const say = quiet || json ? () => undefined : (text: string): void => out(`${clockTime()}  ${text}`);
  try {
    if (url !== undefined) await room.connect().catch((error: unknown) => explainLink('the computers', url, error));
    await using exposed = expose && (await exposeRoom(room, expose));
    const hardware = exposed?.addresses ?? [];
    const ready = { url: url ?? null, pid: process.pid, hardware: hardwareRecord(hardware) };
    if (readyFile !== undefined) writeFileWhole(readyFile, `${JSON.stringify(ready)}\n`);
    if (json) outJson(ready);
    else if (!quiet) out(banner(url, room, hardware));
    for (const printer of room.printers) {
      printer.onPrintout((printout) => {
        say(described(printout));
        if (flags.out !== undefined) void keep(printout, flags.out).catch((error: unknown) => say(messageOf(error)));
      });
    }
    const watch = url === undefined ? undefined : watchConnections(room.computers, say);
    if (!stopped.aborted) await once(stopped, 'abort');
    watch?.cancel();
  } finally {
    if (readyFile !== undefined) removeFile(readyFile);
    const stay = room.computers.flatMap(({ name, id }) => (id === undefined ? [] : [`${name} (${id})`]));
    await room.close();
    await target?.close();
    if (target && !target.isDisposable && stay.length > 0)
      tellLeftBehind(target.name, `${stay.join(', ')}, disconnected, with printers`, flags);
  }
  return EXIT.good;
}

async function exposeRoom(room: Room, exposure: Exposure): Promise<ExposedRoom> {
  const { ExposedRoom: Exposed } = await import('../hardware/exposed-room.ts');
  return Exposed.open({ clock: systemClock, press: room.press, exposure, computers: () => room.computers });
}

type RoomDescribed = FilesFlags & Pick<RoomFlags, 'room' | 'key'> & { readonly seed?: string | undefined };

interface DescribedRoom {
  readonly description: RoomDescription;
  /** Those that ship unless given. */
  readonly profiles?: Profiles;
}

async function describedRoom(flags: RoomDescribed): Promise<DescribedRoom> {
  const read = await readRoomFile(flags.room, flags);
  if (read === undefined) return { description: (await import('../devices/default-room.ts')).DEFAULT_ROOM };
  const { profilesOf } = await import('../scenario/vocabulary/own-files.ts');
  return { description: read.description, profiles: profilesOf(read) };
}

/** The room of the flags, which connects to the target. @throws ActionableError with every mistake in its file */
export async function openRoom(target: Target | undefined, flags: RoomDescribed): Promise<Room> {
  const { description, profiles } = await describedRoom(flags);
  const { Room: NewRoom } = await import('../devices/room.ts');
  return new NewRoom(description, {
    clock: systemClock,
    profiles,
    random: createRandom(flags.seed ?? '1').stream('room from outside'),
    // One that could not be found is tried all the same: the attempt says what is wrong.
    link: target?.link ?? (await openLink('websocket')),
    serviceUrl: target?.baseUrl ?? '',
    credential: { kind: 'api-key', key: target?.apiKey ?? flags.key },
  });
}

function banner(url: string | undefined, { computers }: Room, hardware: readonly HardwareAddresses[]): readonly Line[] {
  const rows = computers.flatMap(({ name, id, printers }) =>
    printers.map((printer) => [
      id === undefined ? name : `${name} (${id})`,
      styled('cyan', printer.name),
      printer.description,
    ]),
  );
  const head = url === undefined ? 'The room is ready. Ctrl-C ends it.' : `Connected to ${url}. Ctrl-C disconnects.`;
  const addresses = hardware.length > 0 ? [...hardwareTable(hardware, '  '), ''] : [];
  return [head, '', ...table(rows, '  '), '', ...addresses];
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
  const { jobId, origin } = printout;
  const job = origin === null ? `job ${jobId}` : `${origin.protocol} job ${origin.id}`;
  return `${job} '${printout.title}': ${amountInWords(printout)} out of ${printout.printerName}`;
}

/** Writes a printout as `ipp-3-Laser.pdf`; in the printer's own language as `raw-1-Labels.raw`, and as drawn. */
async function keep(printout: Printout, folder: string): Promise<void> {
  const { jobId, origin, printerName, submission } = printout;
  const job = origin === null ? `job-${jobId}-${submission}` : `${origin.protocol}-${origin.id}`;
  const name = path.join(folder, `${job}-${printerName.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}`);
  if (printout.kind === 'raw') writeFileWhole(`${name}.raw`, printout.bytes);
  const pdf = await (printout.kind === 'raw' ? printout.drawn?.pdf() : printout.pdf());
  if (pdf) writeFileWhole(`${name}.pdf`, pdf);
}
