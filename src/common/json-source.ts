/**
 * JSON source: the text of a file as a value that knows where each part of it stands.
 *
 *   text ─► counted (levels, values) ─► JSON.parse ─► (schema) ─► problems at line and column
 *
 * Files may come from anybody. What is nested without end, or so many values that they do not fit into memory, never
 * reaches the parser. Places are looked for only when there is a problem to tell.
 */

import { failure, success, type Outcome } from './outcome.ts';
import { formatPath, type Path, type Problem } from './problem.ts';
import type { YamlSource } from './yaml-source.ts';

const MOST_LEVELS = 64;
const MOST_VALUES = 5_000_000;

/** Reads one JSON document; the error names the place where it stops being one. */
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
  } catch {
    const { offset, message } = firstFault(text);
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

/** The place at which a text holds more than is read. */
function excessOf(text: string): Fault | undefined {
  let levels = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at) - 1;
    else if (character === '[' || character === '{') levels++;
    else if (character === ']' || character === '}') levels--;
    else if (character !== ',') continue;
    if (levels > MOST_LEVELS) {
      return { offset: at, message: `values stand more than ${MOST_LEVELS} levels deep` };
    }
    if (++values > MOST_VALUES) return { offset: at, message: `more than ${MOST_VALUES} values` };
  }
  return undefined;
}

/** Behind the closing quote of the text that begins at `start`; the end of the file when there is none. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

interface Token {
  /** `"` a text, `0` a number or a word, else the character itself; empty at the end. */
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
  if (first === '"') return { kind: '"', start, end: endOfText(text, start) };
  let end = start;
  while (end < text.length && !STRUCTURE.has(text[end] ?? '') && !BLANK.has(text[end] ?? '')) end++;
  return { kind: '0', start, end };
}

interface Place {
  readonly key: number;
  readonly value: number;
}

/** Where the value at a path begins, and its key; of the nearest thing around it when there is no such value. */
function placeOf(text: string, path: Path): Place {
  let place: Place = { key: 0, value: tokenAt(text, 0).start };
  for (const part of path) {
    const inner = memberOf(text, place.value, part);
    if (!inner) return { key: place.value, value: place.value };
    place = inner;
  }
  return place;
}

function memberOf(text: string, container: number, wanted: PropertyKey): Place | undefined {
  const opening = tokenAt(text, container);
  if (opening.kind !== '{' && opening.kind !== '[') return undefined;
  let found: Place | undefined;
  let token = tokenAt(text, opening.end);
  for (let index = 0; token.kind !== '' && token.kind !== '}' && token.kind !== ']'; index++) {
    const key = token;
    if (opening.kind === '{') token = tokenAt(text, tokenAt(text, key.end).end);
    const name = opening.kind === '{' ? JSON.parse(text.slice(key.start, key.end)) : index;
    // Of a key that stands twice the last one counts.
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

/** What may stand next: a value, a key, or what follows one of them. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or ]' | ', or }' | 'the end';

/** The first thing in a text that makes it no JSON document. */
function firstFault(text: string): Fault {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let token = tokenAt(text, 0); ; token = tokenAt(text, token.end)) {
    const { kind, start, end } = token;
    if (kind === '') {
      return {
        offset: start,
        message: `the file ends where ${wordsFor(expected)} should stand; was it cut off?`,
      };
    }
    const isText = kind === '"' || kind === '0';
    if (isText && !isScalar(text.slice(start, end))) {
      return { offset: start, message: notScalar(kind, end === text.length) };
    }
    const next = behind(kind, expected, open);
    if (next === undefined)
      return { offset: start, message: `no JSON: ${wordsFor(expected)} should stand here` };
    expected = next;
  }
}

/** What may stand behind a token; undefined when it may not stand there itself. Keeps `open` up to date. */
function behind(kind: string, expected: Expected, open: string[]): Expected | undefined {
  if (kind === ':') return expected === ':' ? 'value' : undefined;
  if (kind === ',') return expected.startsWith(',') ? (open.at(-1) === '[' ? 'value' : 'key') : undefined;
  if (kind === '}' || kind === ']') {
    if (!expected.endsWith(kind)) return undefined;
    open.pop();
    return behindValue(open);
  }
  if (kind === '"' && expected.startsWith('key')) return ':';
  if (!expected.startsWith('value')) return undefined;
  if (kind !== '{' && kind !== '[') return behindValue(open);
  open.push(kind);
  return kind === '{' ? 'key or }' : 'value or ]';
}

function behindValue(open: readonly string[]): Expected {
  if (open.length === 0) return 'the end';
  return open.at(-1) === '[' ? ', or ]' : ', or }';
}

function isScalar(written: string): boolean {
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false;
  }
}

function notScalar(kind: string, isLast: boolean): string {
  if (isLast) return 'the file ends in the middle of a value; was it cut off?';
  return kind === '"' ? 'a text with characters that JSON does not allow' : 'no JSON value';
}

function wordsFor(expected: Expected): string {
  const words: Readonly<Partial<Record<Expected, string>>> = {
    value: 'a value',
    'value or ]': 'a value or ]',
    key: 'a key in quotes',
    'key or }': 'a key in quotes or }',
  };
  return words[expected] ?? expected;
}
