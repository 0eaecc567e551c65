/**
 * Option values: what the command line's texts stand for. Each refuses what it cannot read, with the
 * form it wants.
 */

import { InvalidArgumentError, Option } from 'commander';

import { parseDuration } from '../../common/duration.ts';
import { DEFAULT_API_KEY, DEFAULT_PORT } from '../../workbench/defaults.ts';

const LAST_PORT = 65_535;

export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > LAST_PORT) throw new InvalidArgumentError(`ports go up to ${LAST_PORT}`);
  return port;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('write a whole number');
  return Number(text);
}

export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('write a number from 1 up');
  return number;
}

/** `2/4`: the second of four parts. */
export function shard(text: string): { readonly index: number; readonly count: number } {
  const [, index = '', count = ''] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const isPart = index !== '' && Number(index) >= 1 && Number(index) <= Number(count);
  if (!isPart) throw new InvalidArgumentError('write for example 2/4, the second of four parts');
  return { index: Number(index), count: Number(count) };
}

/** A number where it is one, as in a scenario file. */
export function seedValue(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

export function duration(text: string): string {
  if (parseDuration(text) === undefined) throw new InvalidArgumentError('write for example 500ms, 30s or 2m');
  return text;
}

/** `--url`, with the environment behind it. */
export function urlOption(): Option {
  return new Option('--url <url>', 'address of the service')
    .env('PLATEN_URL')
    .default(`http://127.0.0.1:${DEFAULT_PORT}`);
}

/** `--key`, with the environment behind it. */
export function keyOption(): Option {
  return new Option('--key <key>', 'API key').env('PLATEN_API_KEY').default(DEFAULT_API_KEY);
}

export function callbackHostOption(): Option {
  return new Option(
    '--callback-host <name>',
    'name under which the service reaches this machine, for webhooks',
  ).argParser(hostName);
}

/** A name or an address, without scheme and port: receivers choose their ports. */
function hostName(text: string): string {
  const isHost = /^[\w.-]+$|^\[[\d:a-f]+\]$/i.test(text);
  if (!isHost) throw new InvalidArgumentError('write a host alone, such as build-7.example or 10.0.0.7');
  return text;
}

/** Refuses an option by its old name, and names the new one. */
export function renamedOption(flags: string, now: string): Option {
  return new Option(flags).hideHelp().argParser(() => {
    throw new InvalidArgumentError(`its name is ${now} now`);
  });
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document and nothing else');
}
