/**
 * platen exec: runs a command with a workbench, which the command finds by its environment.
 *
 *   platen exec -- npm test              PLATEN_URL, PLATEN_API_KEY; exits with the code of npm test
 *   platen exec --provoke -- npm test    judges npm test as an app that prints (provoke-app.ts)
 *
 * It writes nothing to stdout: that belongs to the command, as stdin does.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

import { Option, type Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { messageOf } from '../common/error-message.ts';
import { DEFAULT_API_KEY } from '../workbench/defaults.ts';
import type { StartedPlaten } from '../workbench/start.ts';
import {
  allowFilesOption,
  clockOption,
  filled,
  jsonOption,
  limitsOption,
  readRoomFile,
  roomOption,
  startOption,
  type FilesFlags,
} from './options/option-values.ts';
import { reporterOption } from './files/publish.ts';
import { addTlsOptions, caFileOf, tlsChoice, type TlsFlags } from './options/tls-options.ts';
import type { ProvokeFlags } from './provoke-app.ts';
import { addOpenOption } from './remote/run-feed.ts';
import { leaveSignalsToSystem } from './interruption.ts';
import { err } from './screen/terminal.ts';

interface ExecFlags extends TlsFlags, FilesFlags, ProvokeFlags {
  readonly start?: string;
  readonly room?: string;
  readonly clock?: 'real' | 'virtual';
  readonly limits?: 'spec' | 'off';
  readonly seed?: string;
}

/** The exit codes of shells. */
const CODE = { notFound: 127, notExecutable: 126, signalled: 128 } as const;

export function execCommand(program: Command, finish: (code: number) => void): void {
  addOpenOption(addTlsOptions(program.command('exec')))
    .description(
      'start a workbench, or a service of yours, run a command with PLATEN_URL and PLATEN_API_KEY, exit with its code',
    )
    .argument('<command...>', 'the command and its arguments, after --')
    .addOption(startOption())
    .addOption(roomOption())
    .addOption(allowFilesOption())
    .addOption(clockOption())
    .addOption(limitsOption())
    .addOption(new Option('--seed <seed>', 'seed of everything random (default: 1)').argParser(filled))
    .option(
      '--provoke [moment]',
      'judge the command as an app that prints: run it once for each thing that can go wrong for it, or for this one',
    )
    .option('--fast', 'with --provoke, let the clock of the command run twenty times as fast, by libfaketime')
    .addOption(reporterOption())
    .option('--out <folder>', 'with --provoke, folder for the report (default: reports/<run>)', filled)
    .addOption(jsonOption())
    .passThroughOptions()
    .action(async (command: readonly string[], flags: ExecFlags) => finish(await runOrProvoke(command, flags)));
}

async function runOrProvoke(words: readonly string[], flags: ExecFlags): Promise<number> {
  if (flags.provoke !== undefined) {
    const { provokeApp, refuseFlags } = await import('./provoke-app.ts');
    refuseFlags(flags);
    return provokeApp(words, spawnableOf(words, process.platform, process.env['comspec']), flags);
  }
  if (flags.out ?? flags.reporter ?? flags.json ?? flags.open ?? flags.fast) {
    throw usageError(
      '--out, --reporter, --json, --open and --fast are for a command that is judged',
      'Add --provoke to judge it.',
    );
  }
  return run(words, flags);
}

async function run(words: readonly string[], flags: ExecFlags): Promise<number> {
  await using served = await (flags.start === undefined ? serveWorkbench(flags) : serveStarted(flags.start, flags));
  const { file, args, windowsVerbatimArguments } = spawnableOf(words, process.platform, process.env['comspec']);
  const env = { ...process.env, ...served.environment };
  const child = spawn(file, args, { stdio: 'inherit', env, windowsVerbatimArguments });
  const stopForwarding = forwardSignals(child);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return signal === null ? (code ?? 0) : CODE.signalled + constants.signals[signal];
  } catch (error) {
    return cannotStart(words[0] ?? '', error);
  } finally {
    stopForwarding();
  }
}

/** A service for the command, and how it finds it. */
interface Served extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
}

async function serveWorkbench(flags: ExecFlags): Promise<Served> {
  const { room, clock, limits, seed } = flags;
  const { start } = await import('../workbench/start.ts');
  const platen = await start({
    port: 0,
    clock,
    limits,
    seed,
    room: (await readRoomFile(room, flags))?.description,
    tls: await tlsChoice(flags),
  });
  const ca = caFileOf(platen.certificate, flags);
  return {
    environment: environmentOf(platen, ca.file),
    async [Symbol.asyncDispose]() {
      ca[Symbol.dispose]();
      await platen.close();
    },
  };
}

/** The service that the command starts, with the room connected to it where it has the device link. */
async function serveStarted(start: string, flags: ExecFlags): Promise<Served> {
  refuseOfWorkbench(flags);
  const { findTarget, orClose, tellLost } = await import('./options/open-target.ts');
  const key = process.env['PLATEN_API_KEY'] ?? DEFAULT_API_KEY;
  const target = await findTarget(undefined, { start, key }, undefined, 'real');
  const { openRoom } = await import('./room.ts');
  const room = await orClose(target, openRoom(target, { ...flags, key }));
  const close = async (): Promise<void> => {
    tellLost(target);
    await room.close();
    await target.close();
  };
  try {
    if (target.link) await room.connect();
    else err('The service has no device link: no printers of a room are connected to it.');
  } catch (error) {
    await close();
    throw error;
  }
  const { baseUrl: PLATEN_URL, apiKey: PLATEN_API_KEY } = target;
  return { environment: { PLATEN_URL, PLATEN_API_KEY }, [Symbol.asyncDispose]: close };
}

function refuseOfWorkbench(flags: ExecFlags): void {
  const given = (['clock', 'limits', 'tls'] as const).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw usageError(`--${given} is about the reference service, and --start starts another`, `Omit --${given}.`);
}

function environmentOf(
  { url, apiKey, controlToken }: StartedPlaten,
  caFile: string | undefined,
): Record<string, string> {
  return {
    PLATEN_URL: url,
    PLATEN_API_KEY: apiKey,
    ...(controlToken !== undefined && { PLATEN_CONTROL_TOKEN: controlToken }),
    ...(caFile !== undefined && { PLATEN_CA: caFile, NODE_EXTRA_CA_CERTS: caFile }),
  };
}

/** Leaves it to the command what a signal means. @returns a function that stops the forwarding */
function forwardSignals(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals): void => {
    // A terminal sends an interrupt to both of us.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  leaveSignalsToSystem();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}

function cannotStart(command: string, error: unknown): number {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    err([`error: there is no command '${command}'`, 'Write it after --, as in: platen exec -- npm test']);
    return CODE.notFound;
  }
  if (code === 'EACCES') {
    err([`error: '${command}' cannot be run: permission denied`, 'Make it executable, or name its interpreter.']);
    return CODE.notExecutable;
  }
  throw usageError(`'${command}' cannot be run: ${messageOf(error)}`, 'Try it without platen first.');
}

/**
 * How a command that a person typed is started. On Windows npm and npx are scripts (npm.cmd), which only the shell
 * finds and runs, and which takes one line with quotes of its own instead of a list of arguments.
 */
interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted as the shell of Windows reads them. */
  readonly windowsVerbatimArguments: boolean;
}

/** Arguments for `spawn`, without its option `shell`, which does not quote. */
export function spawnableOf(
  [command = '', ...args]: readonly string[],
  platform: NodeJS.Platform,
  shell = 'cmd.exe',
): Spawnable {
  if (platform !== 'win32') return { file: command, args, windowsVerbatimArguments: false };
  const line = [escaped(command), ...args.map((arg) => escaped(quoted(arg)))].join(' ');
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
}

/** As programs on Windows take their command line apart: backslashes count only before a quote. */
function quoted(arg: string): string {
  return `"${arg.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
}

/** Characters that mean something to cmd.exe. */
function escaped(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
