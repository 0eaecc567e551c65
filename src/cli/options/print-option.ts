/**
 * Print options on the command line: `--option pages=2-3`. Their names and types are those of the specification.
 */

import { InvalidArgumentError } from 'commander';

import { nearestName } from '../../common/nearest-name.ts';
import type { InputField } from '../../spec/clause.ts';
import { PRINT_OPTIONS } from '../../spec/inputs.ts';

const FIELDS: Readonly<Record<string, InputField>> = PRINT_OPTIONS;

export type PrintOptions = Readonly<Record<string, string | number | boolean>>;

/** Adds one `name=value` to the others. */
export function collectPrintOption(text: string, before: PrintOptions = {}): PrintOptions {
  const [name, value] = splitOnce(text);
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (!field) throw new InvalidArgumentError(`there is no print option '${name}'; ${hintFor(name)}`);
  if (value === undefined) throw new InvalidArgumentError(`write ${name}=VALUE`);
  return { ...before, [name]: typedValue(name, value, field) };
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Only the type is checked: values are for the service and the printer to judge. */
function typedValue(name: string, value: string, { type }: InputField): string | number | boolean {
  if (type === 'integer') {
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    throw new InvalidArgumentError(`${name} must be an integer`);
  }
  if (type === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true';
    throw new InvalidArgumentError(`${name} must be true or false`);
  }
  return value;
}

function hintFor(written: string): string {
  const names = Object.keys(FIELDS);
  const meant = nearestName(written, names);
  return meant === undefined ? `there are ${names.join(', ')}` : `did you mean '${meant}'?`;
}
