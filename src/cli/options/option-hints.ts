/**
 * Option hints: what was probably meant by an option that a command does not have, or by a value that is not one of
 * its choices.
 */

import type { Command } from 'commander';

import { nearestName } from '../../common/nearest-name.ts';
import { DEFAULT_PORT } from '../../workbench/defaults.ts';

const UNKNOWN_OPTION = /^error: unknown option '(--[^'=]+)/;
const WRONG_CHOICE = /(?:argument|value) '([^']*)' is invalid(?: for argument '[^']*')?\. Allowed choices are (.+)\.$/m;

/** What people write for the address of a service, where it is an argument. */
const ADDRESS_OPTIONS = ['--url', '--host', '--port', '--address'];

/** What commander says of a command line that is wrong, with a line more where it is clear what was meant. */
export function withHint(message: string, command: Command): readonly string[] {
  const [, option] = UNKNOWN_OPTION.exec(message) ?? [];
  const hint = option === undefined ? choiceHint(message) : optionHint(option, command);
  return [inHouseWords(message).trimEnd(), ...(hint === undefined ? [] : [hint])];
}

/** Commander puts a full stop before what our own words go on to say. */
function inHouseWords(message: string): string {
  return message.replace('command-argument value ', 'argument ').replace(/( is invalid[^.]*)\. ([a-z])/, '$1: $2');
}

function choiceHint(message: string): string | undefined {
  const [, written = '', choices = ''] = WRONG_CHOICE.exec(message) ?? [];
  const meant = nearestName(written, choices.split(', '));
  return meant === undefined || choices === '' ? undefined : `(Did you mean ${meant}?)`;
}

function optionHint(option: string, command: Command): string | undefined {
  if (ADDRESS_OPTIONS.includes(option) && hasAddress(command)) {
    return `The address of the service is an argument: ${callWithAddress(command)}`;
  }
  const owners = (command.parent?.commands ?? []).filter((other) => optionsOf(other).includes(option));
  const [owner] = owners;
  if (owner && owners.length === 1) return `${option} is an option of platen ${owner.name()}.`;
  const meant = nearestName(option, optionsOf(command));
  return meant === undefined ? undefined : `(Did you mean ${meant}?)`;
}

function hasAddress({ registeredArguments }: Command): boolean {
  return registeredArguments.some((argument) => argument.name() === 'url');
}

/** `platen run SCENARIO http://127.0.0.1:8631` */
function callWithAddress(command: Command): string {
  const words = command.registeredArguments.map((argument) => argument.name());
  const before = words.slice(0, words.indexOf('url')).map((word) => word.toUpperCase());
  return ['platen', command.name(), ...before, `http://127.0.0.1:${DEFAULT_PORT}`].join(' ');
}

function optionsOf({ options }: Command): readonly string[] {
  return options.flatMap(({ long, hidden }) => (long === undefined || long === null || hidden ? [] : [long]));
}
