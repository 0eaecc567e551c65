/**
 * Form bodies: application/x-www-form-urlencoded with the key structure of the JSON bodies.
 *
 *   Account[firstname]=-&ApiKeys[]=office&Tags[site]=7   ─►   {Account: {firstname: '-'},
 *                                                              ApiKeys: ['office'], Tags: {site: '7'}}
 *
 * All values are strings. Objects have no prototype, so that `__proto__` is a name like any other.
 */

import type { SlicedWork } from '../../common/sliced-work.ts';
import { SERVICE_FRAME_MAX_BYTES } from '../../link/messages.ts';
import { invalidContent } from './api-error.ts';
import { BODY_MAX_DEPTH, BODY_MAX_VALUES, repeatedName, tooDeep, tooManyValues } from './json-body.ts';

type FormValue = string | FormArray | FormObject;
type FormArray = FormValue[];
interface FormObject {
  [name: string]: FormValue;
}

/** The longest key, as it is sent: a name in UTF-8 takes up to twelve characters for each of its own. */
const KEY_MAX_CHARACTERS = 10_000;

/** Pairs, or empty ones, that are read in a few milliseconds. */
const SLICE_PAIRS = 2_000;
/** Characters that are decoded in as long. */
const SLICE_CHARACTERS = 500_000;

/** What a delivery has beside its document: all of it has limits. */
const DELIVERY_ROOM_BYTES = 128 * 1024;
/** A form may grow in JSON, beyond what a computer takes in one frame; a body of JSON is never as long. */
const VALUE_MAX_JSON_BYTES = SERVICE_FRAME_MAX_BYTES - DELIVERY_ROOM_BYTES;

/** @throws ApiError 400 InvalidContent for broken percent-encoding, keys that contradict each other, and JSON */
export function* parseFormBody(text: string): SlicedWork<unknown> {
  if (text.startsWith('{')) {
    throw invalidContent(
      'the body looks like JSON, but its Content-Type says that it is a form: send Content-Type: application/json',
    );
  }
  const root = newObject();
  let pairs = 0;
  let looks = 0;
  for (let start = 0; start <= text.length;) {
    if (++looks % SLICE_PAIRS === 0) yield;
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      if (++pairs > BODY_MAX_VALUES) throw tooManyValues();
      yield* addPair(root, text.slice(start, end));
    }
    start = end + 1;
  }
  return root;
}

function* addPair(root: FormObject, pair: string): SlicedWork<void> {
  const equals = pair.indexOf('=');
  const sentKey = equals === -1 ? pair : pair.slice(0, equals);
  if (sentKey.length > KEY_MAX_CHARACTERS) throw keyTooLong(sentKey);
  const key = decode(sentKey);
  const value = equals === -1 ? '' : yield* decodeSliced(pair.slice(equals + 1), key);
  const names = splitKey(key);
  let holder: FormObject | FormArray = root;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    if (isLast) put(holder, name, value, key);
    else holder = descend(holder, name, names[index + 1] === '', key);
  }
}

/** `options[copies]` → `options`, `copies`; `ApiKeys[]` → `ApiKeys` and an empty name. */
function splitKey(key: string): readonly string[] {
  const bracket = key.indexOf('[');
  if (bracket <= 0) return [key];
  if (!key.endsWith(']')) throw malformedKey(key);
  const names = key.slice(bracket + 1, -1).split('][');
  if (names.length >= BODY_MAX_DEPTH) throw tooDeep();
  if (names.some((name) => name.includes('[') || name.includes(']'))) throw malformedKey(key);
  return [key.slice(0, bracket), ...names];
}

function put(holder: FormObject | FormArray, name: string, value: FormValue, key: string): void {
  if (Array.isArray(holder)) {
    if (name !== '') throw contradiction(key);
    holder.push(value);
    return;
  }
  if (Object.hasOwn(holder, name)) throw repeatedName(key);
  holder[name] = value;
}

function descend(
  holder: FormObject | FormArray,
  name: string,
  wantsArray: boolean,
  key: string,
): FormObject | FormArray {
  const existing = Array.isArray(holder) ? undefined : holder[name];
  if (existing === undefined) {
    const child = wantsArray ? [] : newObject();
    put(holder, name, child, key);
    return child;
  }
  if (typeof existing === 'string' || Array.isArray(existing) !== wantsArray) throw contradiction(key);
  return existing;
}

function newObject(): FormObject {
  return Object.create(null) as FormObject;
}

function* decodeSliced(text: string, key: string): SlicedWork<string> {
  if (text.length <= SLICE_CHARACTERS) return decode(text);
  const parts: string[] = [];
  let jsonBytes = 0;
  for (let start = 0; start < text.length;) {
    const end = endOfCharacter(text, start + SLICE_CHARACTERS);
    const part = decode(text.slice(start, end));
    jsonBytes += Buffer.byteLength(JSON.stringify(part)) - '""'.length;
    if (jsonBytes > VALUE_MAX_JSON_BYTES) throw valueTooLong(key);
    parts.push(part);
    start = end;
    yield;
  }
  return parts.join('');
}

/** From a place in a text to the next that is not inside an encoded character. */
function endOfCharacter(text: string, place: number): number {
  let end = place;
  if (text[end - 1] === '%') end += 2;
  else if (text[end - 2] === '%') end += 1;
  return end + (CONTINUATION.exec(text.slice(end, end + 3 * ESCAPE_CHARACTERS))?.[0].length ?? 0);
}

/** The encoded bytes that end a character of UTF-8 begun before. */
const CONTINUATION = /^(?:%[89ab][0-9a-f])+/i;

/** `%2B` */
const ESCAPE_CHARACTERS = 3;

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  const first = spaced.indexOf('%');
  if (first === -1) return spaced;
  // A long document often has only one encoded character.
  const end = spaced.lastIndexOf('%') + ESCAPE_CHARACTERS;
  try {
    return spaced.slice(0, first) + decodeURIComponent(spaced.slice(first, end)) + spaced.slice(end);
  } catch {
    throw invalidContent(`'${text.slice(0, 40)}' is not a valid percent-encoding of UTF-8`);
  }
}

function keyTooLong(key: string): Error {
  return invalidContent(`the key '${key.slice(0, 40)}…' has more than ${KEY_MAX_CHARACTERS} characters`);
}

function valueTooLong(key: string): Error {
  const room = `the ${VALUE_MAX_JSON_BYTES} bytes of JSON that a computer takes`;
  return invalidContent(`${key.slice(0, 40)}: takes more than ${room}`);
}

function malformedKey(key: string): Error {
  return invalidContent(`the key '${key.slice(0, 40)}' has unbalanced brackets`);
}

function contradiction(key: string): Error {
  return invalidContent(`the key '${key.slice(0, 40)}' contradicts the shape of an earlier one`);
}
