/**
 * Form bodies: application/x-www-form-urlencoded with the key structure of the JSON bodies.
 *
 *   Account[firstname]=-&ApiKeys[]=office&Tags[site]=7   ─►   {Account: {firstname: '-'},
 *                                                              ApiKeys: ['office'], Tags: {site: '7'}}
 *
 * All values are strings. Objects have no prototype, so that `__proto__` is a name like any other.
 */

import { invalidContent } from './api-error.ts';
import { BODY_MAX_DEPTH, BODY_MAX_VALUES, repeatedName, tooDeep, tooManyValues } from './json-body.ts';

type FormValue = string | FormArray | FormObject;
type FormArray = FormValue[];
interface FormObject {
  [name: string]: FormValue;
}

/** @throws ApiError 400 InvalidContent for broken percent-encoding, keys that contradict each other, and JSON */
export function parseFormBody(text: string): unknown {
  if (text.startsWith('{')) {
    throw invalidContent(
      'the body looks like JSON, but its Content-Type says that it is a form: send Content-Type: application/json',
    );
  }
  const root = newObject();
  let pairs = 0;
  for (let start = 0; start <= text.length;) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      if (++pairs > BODY_MAX_VALUES) throw tooManyValues();
      addPair(root, text.slice(start, end));
    }
    start = end + 1;
  }
  return root;
}

function addPair(root: FormObject, pair: string): void {
  const equals = pair.indexOf('=');
  const key = decode(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
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

/** `%2B` */
const ESCAPE_CHARACTERS = 3;

function newObject(): FormObject {
  return Object.create(null) as FormObject;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  const first = spaced.indexOf('%');
  if (first === -1) return spaced;
  // Of a long document it is often one character that is encoded.
  const end = spaced.lastIndexOf('%') + ESCAPE_CHARACTERS;
  try {
    return spaced.slice(0, first) + decodeURIComponent(spaced.slice(first, end)) + spaced.slice(end);
  } catch {
    throw invalidContent(`'${text.slice(0, 40)}' is not a valid percent-encoding of UTF-8`);
  }
}

function malformedKey(key: string): Error {
  return invalidContent(`the key '${key.slice(0, 40)}' has unbalanced brackets`);
}

function contradiction(key: string): Error {
  return invalidContent(`the key '${key.slice(0, 40)}' contradicts the shape of an earlier one`);
}
