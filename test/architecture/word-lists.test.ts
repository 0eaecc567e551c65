/**
 * No list of words twice: what the specification enumerates stands in src/specification, what a run may come to in
 * src/record/words.ts, and every other file imports them.
 */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { keysOf } from '../../src/common/keys-of.ts';
import * as recordWords from '../../src/record/words.ts';
import { ERRORS } from '../../src/specification/errors.ts';
import * as fields from '../../src/specification/fields.ts';
import * as headers from '../../src/specification/headers.ts';
import * as inputs from '../../src/specification/inputs.ts';
import { STABLE_PRINT_JOB_STATES } from '../../src/specification/states.ts';
import { PROJECT } from '../support/command-line.ts';

/** Fewer words than this are no list. */
const LIST_LENGTH = 3;
/** A list with this part of the words of another is a copy of it. */
const SHARE_OF_COPY = 0.8;
/** Words of HTTP itself, which are no fact of the specification. */
const OF_HTTP = ['content-type', 'www-authenticate', 'application/json'];

const DEFINITIONS = ['src/specification/', 'src/record/words.ts'];
const SOURCES = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT })
  .filter((file) => !DEFINITIONS.some((definition) => file.startsWith(definition)))
  .map((file) => ({ file, text: withoutComments(readFileSync(path.join(PROJECT, file), 'utf8')) }));

const LISTS = [
  ...listsIn([recordWords, fields, inputs]),
  keysOf(STABLE_PRINT_JOB_STATES),
  keysOf(ERRORS),
  keysOf(fields.MEASUREMENT_UNITS),
];

it('repeats no list of the specification or of the record', () => {
  expect(SOURCES.flatMap(({ file, text }) => copiesIn(text).map((copy) => `${file}: ${copy}`))).toEqual([]);
});

it('takes the names of headers and media types from the specification', () => {
  const names = new Set(namesIn(headers).filter((name) => !OF_HTTP.includes(name)));
  const literals = SOURCES.flatMap(({ file, text }) => stringsIn(text).map((word) => ({ file, word })));
  expect(names.size).toBeGreaterThan(20);
  expect(literals.filter(({ word }) => names.has(word.toLowerCase()))).toEqual([]);
});

it('finds a planted copy, as an array and as a type', () => {
  const words = recordWords.LOAD_VERDICTS.map((word) => `'${word}'`);
  expect(copiesIn(`const OURS = [${words.join(', ')}];`)).toHaveLength(1);
  expect(copiesIn(`type Ours =\n  | ${words.join('\n  | ')};`)).toHaveLength(1);
  expect(copiesIn(`if (verdict === ${words[0]}) return ${words[1]};`)).toEqual([]);
});

/** The lists of a text, arrays and unions of strings alike, that repeat one of LISTS. */
function copiesIn(text: string): string[] {
  const lists = text.matchAll(/(?:'[^'\n]*'\s*[,|]?\s*){3,}/g);
  return [...lists].map(([list]) => list).filter((list) => isCopy(new Set(stringsIn(list))));
}

function isCopy(words: ReadonlySet<string>): boolean {
  return LISTS.some((list) => {
    const shared = list.filter((word) => words.has(word)).length;
    return shared >= LIST_LENGTH && shared >= list.length * SHARE_OF_COPY;
  });
}

/** Every array of words anywhere in a value. */
function listsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value)) return Object.values(value).flatMap(listsIn);
  return value.every((word) => typeof word === 'string') ? [value] : value.flatMap(listsIn);
}

/** The names and media types of header tables, in small letters. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries(value).flatMap(([key, inner]) => {
    const isName = key === 'name' || (key === 'value' && String(inner).includes('/'));
    return isName && typeof inner === 'string' ? [inner.toLowerCase()] : namesIn(inner);
  });
  return own;
}

function stringsIn(text: string): string[] {
  return [...text.matchAll(/'([^'\n]*)'/g)].map(([, word = '']) => word);
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
