/**
 * Print options: passed on as they are, but for numbers and booleans that came as text.
 *
 * A form has nothing but texts, and some clients quote numbers in JSON too. Which option is a number and
 * which a boolean stands in the specification; a text that is neither is passed on: the client decides.
 */

import { PRINT_OPTIONS } from '../../spec/inputs.ts';

type Options = Readonly<Record<string, unknown>>;

const INTEGER = /^-?\d{1,15}$/;
const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** The options with texts turned into what their option is. */
export function readTextualOptions(options: Options): Options {
  const entries = Object.entries(options);
  if (entries.every(([name, value]) => readTextualOption(name, value) === value)) return options;
  return Object.fromEntries(entries.map(([name, value]) => [name, readTextualOption(name, value)]));
}

function readTextualOption(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !Object.hasOwn(PRINT_OPTIONS, name)) return value;
  const { type } = PRINT_OPTIONS[name as keyof typeof PRINT_OPTIONS];
  if (type === 'integer') return INTEGER.test(value) ? Number(value) : value;
  if (type === 'boolean') return BOOLEANS.get(value) ?? value;
  return value;
}
