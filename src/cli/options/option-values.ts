/**
 * Option values: reads the strings of the command line. Each refuses what it cannot read, and shows the right form.
 */

import { InvalidArgumentError, Option } from 'commander';

import { parseDuration } from '../../common/duration.ts';
import { foundAt } from '../../common/named-place.ts';
import type { ReadRoom } from '../../scenario/format/read-scenario.ts';
import { DEFAULT_API_KEY, DEFAULT_PORT } from '../../workbench/defaults.ts';

const LAST_PORT = 65_535;

export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= LAST_PORT)) throw new InvalidArgumentError(`write a port from 0 to ${LAST_PORT}`);
  return port;
}

const GREATEST_INTEGER = 10 ** 15 - 1;

export function integer(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(`write an integer from 0 to ${GREATEST_INTEGER}`);
  return Number(text);
}

/** More would use up the memory of any machine, and find no cores. */
const MOST_PROCESSES = 256;

export function numberOfProcesses(text: string): number {
  const count = positiveInteger(text);
  if (count > MOST_PROCESSES) throw new InvalidArgumentError(`write an integer from 1 to ${MOST_PROCESSES}`);
  return count;
}

export function positiveInteger(text: string): number {
  if (!/^0*[1-9]\d*$/.test(text)) throw new InvalidArgumentError('write an integer of at least 1');
  return integer(text);
}

/** `2/4`: the second of four parts. */
export function shard(text: string): { readonly index: number; readonly count: number } {
  const [, index = '', count = ''] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const isPart = index !== '' && Number(index) >= 1 && Number(index) <= Number(count);
  if (!isPart) throw new InvalidArgumentError('write for example 2/4, the second of four parts');
  return { index: Number(index), count: Number(count) };
}

export function filled(text: string): string {
  if (text === '') throw new InvalidArgumentError('it must not be empty');
  return text;
}

/** A number where it is one, as in a scenario file. */
export function seedValue(text: string): number | string {
  filled(text);
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

export function duration(text: string): string {
  if (parseDuration(text) === undefined) throw new InvalidArgumentError('write for example 500ms, 30s or 2m');
  return text;
}

/** A duration in which something can happen. */
export function someTime(text: string): string {
  if (parseDuration(duration(text)) === 0) throw new InvalidArgumentError('it must be longer than 0');
  return text;
}

export function urlOption(): Option {
  return new Option('--url <url>', 'address of the service')
    .env('PLATEN_URL')
    .default(`http://127.0.0.1:${DEFAULT_PORT}`);
}

export function keyOption(): Option {
  return new Option('--key <key>', 'API key').env('PLATEN_API_KEY').default(DEFAULT_API_KEY);
}

export function controlTokenOption(): Option {
  return new Option(
    '--control-token <token>',
    'token of a workbench that listens beyond loopback, as platen start prints it',
  ).env('PLATEN_CONTROL_TOKEN');
}

export function callbackHostOption(): Option {
  return new Option(
    '--callback-host <name>',
    'host name by which the service reaches this machine, for webhooks',
  ).argParser(hostName);
}

/** Without scheme and port: receivers choose their ports. */
function hostName(text: string): string {
  const isHost = /^[\w.-]+$|^\[[\d:a-f]+\]$/i.test(text);
  if (!isHost)
    throw new InvalidArgumentError('write a host without scheme and port, such as build-7.example or 10.0.0.7');
  return text;
}

/** Refuses an option by its old name, and names the new one. */
export function renamedOption(flags: string, now: string): Option {
  return new Option(flags).hideHelp().argParser(() => {
    throw new InvalidArgumentError(`it is now called ${now}`);
  });
}

/** `--link`: see openLink. */
export function linkOption(): Option {
  return new Option(
    '--link <link>',
    "how virtual computers reach the service: 'websocket' (the default if it has the link of docs/device-link.md), a module of yours such as ./my-link.ts, or 'none'",
  );
}

/** `--target`: see describedTarget. */
export function targetOption(): Option {
  return new Option(
    '--target <file>',
    'descriptor of the service, with address, keys, link and hooks: see docs/target.md',
  );
}

/** `--start`: see startedTarget. */
export function startOption(): Option {
  return new Option(
    '--start <command>',
    'start the service for the run by this command, which finds PORT, DATA_DIR and API_KEY in its environment; give the address as well if it listens elsewhere',
  ).argParser(filled);
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document and nothing else');
}

/** Shared by the commands that start a workbench. */
export function roomOption(): Option {
  return new Option('--room <file>', 'a room as YAML (default: two computers with four printers and a scale)');
}

export function clockOption(): Option {
  const description = 'real time, or a virtual clock that moves only when it is advanced';
  return new Option('--clock <clock>', description).choices(['real', 'virtual']);
}

export function limitsOption(): Option {
  const description = 'request rate limit: that of the specification, or none';
  return new Option('--limits <limits>', description).choices(['spec', 'off']);
}

/** The flags of commands that play files which may name others. */
export interface FilesFlags {
  readonly allowFiles?: readonly string[];
}

export function allowFilesOption(): Option {
  return new Option(
    '--allow-files <folder>',
    'also read files from here that a scenario or a room names; repeat for more (default: its own folder and this one)',
  ).argParser(folders);
}

function folders(folder: string, before: readonly string[] = []): readonly string[] {
  if (!foundAt(folder)?.isDirectory()) throw new InvalidArgumentError('there is no such folder');
  return [...before, folder];
}

/** The room of a file; undefined if no file is named. @throws ActionableError with every mistake in it */
export async function readRoomFile(
  file: string | undefined,
  { allowFiles }: FilesFlags,
): Promise<ReadRoom | undefined> {
  if (file === undefined) return undefined;
  // Loaded when needed: it imports the YAML parser.
  const { loadRoom } = await import('../../scenario/format/find-scenarios.ts');
  return loadRoom(file, allowFiles);
}
