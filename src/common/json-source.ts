/**
 * JSON source: the text of a file as a value that knows where each part of it is.
 *
 *   text ─► limits (levels, values) ─► JSON.parse ─► (schema) ─► problems at line and column
 *
 * Files may come from anywhere. What is nested too deep, or holds too many values to fit into memory, never reaches
 * the parser. Places are looked up only for a problem.
 */

import { messageOf } from './error-message.ts';
import { failure, success, type Outcome } from './outcome.ts';
import { formatPath, type Path, type Problem } from './problem.ts';
import type { YamlSource } from './yaml-source.ts';

const MOST_LEVELS = 64;
const MOST_VALUES = 5_000_000;

/** Reads one JSON document; the error names the place of the first fault. */
export function readJson(text: string): Outcome<YamlSource, readonly Problem[]> {
  const excess = excessOf(text);
  if (excess) return failure([problem(text, excess.offset, [], excess.message)]);
  try {
    const value: unknown = JSON.parse(text);
    return success({
      value,
      problemAt: (path, message) => problem(text, placeOf(text, path).value, path, message),
      problemWithKey: (path, key, message) => problem(text, placeOf(text, [...path, key]).key, path, message),
    });
  } catch (error) {
    const { offset, message } = faultIn(text, messageOf(error));
    return failure([problem(text, offset, [], message)]);
  }
}

function problem(text: string, offset: number, path: Path, message: string): Problem {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n'), at: formatPath(path), message };
}

interface Fault {
  readonly offset: number;
  readonly message: string;
}

const OUT_OF_PLACE = 'Unexpected token';
const POSITION = / at position (\d+)/;

/** The first fault in a text, by what the parser says: `Expected ':' after property name in JSON at position 5`. */
function faultIn(text: string, message: string): Fault {
  const position = POSITION.exec(message)?.[1];
  const afterAll = message.startsWith(OUT_OF_PLACE) ? firstOutOfPlace(text) : text.length;
  const offset = position === undefined ? afterAll : Number(position);
  const [what = ''] = message.split(/ in JSON at | at position |(?<='), /, 1);
  const hint = offset === text.length ? '; was the file cut off?' : '';
  return { offset, message: `not valid JSON: ${what}${hint}` };
}

/** The parser does not say where it is: at the end of the shortest beginning that has this fault. */
function firstOutOfPlace(text: string): number {
  let sound = 0;
  let faulty = text.length;
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (hasOutOfPlace(text.slice(0, middle))) faulty = middle;
    else sound = middle;
  }
  return sound;
}

function hasOutOfPlace(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return messageOf(error).startsWith(OUT_OF_PLACE);
  }
}

/** Where a text exceeds the limits. */
function excessOf(text: string): Fault | undefined {
  let levels = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '[' || character === '{') levels++;
    else if (character === ']' || character === '}') levels--;
    else if (character !== ',') continue;
    if (levels > MOST_LEVELS) {
      return { offset: at, message: `nested more than ${MOST_LEVELS} levels deep` };
    }
    if (++values > MOST_VALUES) return { offset: at, message: `more than ${MOST_VALUES} values` };
  }
  return undefined;
}

/** After the closing quote of the string that begins at `start`; the end of the file if it has none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

interface Token {
  /** `"` a string, `0` a number or a word, else the character itself; empty at the end. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

const BLANK = new Set([' ', '\t', '\n', '\r']);
const STRUCTURE = new Set(['{', '}', '[', ']', ':', ',']);

function tokenAt(text: string, from: number): Token {
  let start = from;
  while (BLANK.has(text[start] ?? '')) start++;
  const first = text[start] ?? '';
  if (first === '' || STRUCTURE.has(first)) return { kind: first, start, end: start + first.length };
  if (first === '"') return { kind: '"', start, end: endOfString(text, start) };
  let end = start;
  while (end < text.length && !STRUCTURE.has(text[end] ?? '') && !BLANK.has(text[end] ?? '')) end++;
  return { kind: '0', start, end };
}

interface Position {
  readonly key: number;
  readonly value: number;
}

/** Where the value at a path begins, and its key; or else those of the nearest value around it. */
function placeOf(text: string, path: Path): Position {
  let place: Position = { key: 0, value: tokenAt(text, 0).start };
  for (const part of path) {
    const inner = memberOf(text, place.value, part);
    if (!inner) return { key: place.value, value: place.value };
    place = inner;
  }
  return place;
}

function memberOf(text: string, container: number, wanted: PropertyKey): Position | undefined {
  const opening = tokenAt(text, container);
  if (opening.kind !== '{' && opening.kind !== '[') return undefined;
  let found: Position | undefined;
  let token = tokenAt(text, opening.end);
  for (let index = 0; token.kind !== '' && token.kind !== '}' && token.kind !== ']'; index++) {
    const key = token;
    if (opening.kind === '{') token = tokenAt(text, tokenAt(text, key.end).end);
    const name = opening.kind === '{' ? JSON.parse(text.slice(key.start, key.end)) : index;
    // The last of several repeated keys counts.
    if (name === wanted) found = { key: key.start, value: token.start };
    token = tokenAt(text, endOfValue(text, token));
    if (token.kind === ',') token = tokenAt(text, token.end);
  }
  return found;
}

function endOfValue(text: string, first: Token): number {
  let levels = 0;
  for (let token = first; token.kind !== ''; token = tokenAt(text, token.end)) {
    if (token.kind === '{' || token.kind === '[') levels++;
    if (token.kind === '}' || token.kind === ']') levels--;
    if (levels <= 0) return token.end;
  }
  return text.length;
}
