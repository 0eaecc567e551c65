/**
 * JSON bodies: parsed after a check of their shape.
 *
 *   text ─► depth, number of values, repeated names ─► JSON.parse
 *
 * The check jumps from string to string, so that fifty megabytes of base64 cost it next to nothing. It leaves
 * the syntax to JSON.parse. A name that occurs twice in one object is refused, because two readers would
 * understand different things (gap/repeated-names). It pauses; JSON.parse does not, and has few values to make then.
 */

import { messageOf } from '../../common/error-message.ts';
import type { SlicedWork } from '../../common/sliced-work.ts';
import { invalidContent, type ApiError } from './api-error.ts';

/**
 * Objects and arrays inside each other, and values with their names, in a body of any encoding. The
 * specification limits its bytes alone: 50 MB of brackets would grow into gigabytes (gap/body-structure).
 */
export const BODY_MAX_DEPTH = 32;
export const BODY_MAX_VALUES = 100_000;

/** Looked at in a few milliseconds. */
const SLICE_CHARACTERS = 500_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** @throws ApiError 400 InvalidContent */
export function* parseJsonBody(text: string): SlicedWork<unknown> {
  yield* checkShape(text);
  yield;
  const body = parsed(text);
  yield;
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const hint = FORM.test(text) ? '; a form needs Content-Type: application/x-www-form-urlencoded' : '';
    throw invalidContent(`the body is not valid JSON: ${messageOf(error)}${hint}`);
  }
}

/** How a form begins, which no JSON does. */
const FORM = /^[\w.%[\]-]+=/;

function* checkShape(text: string): SlicedWork<void> {
  /** Names seen in each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let values = 0;
  let stringStart = 0;
  let stringEnd = 0;
  let isInString = false;
  let pauseAt = SLICE_CHARACTERS;
  for (let index = 0; index < text.length; index++) {
    if (index >= pauseAt) {
      yield;
      pauseAt = index + SLICE_CHARACTERS;
    }
    if (isInString) {
      index = stringEnd = nextQuote(text, index);
      isInString = isEscaped(text, index);
      continue;
    }
    switch (text.charCodeAt(index)) {
      case QUOTE:
        stringStart = index;
        isInString = true;
        break;
      case COLON:
        claimName(open.at(-1), text, stringStart, stringEnd);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        open.push(text.charCodeAt(index) === OPEN_BRACE ? new Set() : undefined);
        if (open.length > BODY_MAX_DEPTH) throw tooDeep();
        values++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        // What follows the outermost value is white space, or JSON.parse refuses it.
        if (open.length === 0) return;
        break;
      case COMMA:
        values++;
        break;
      default:
    }
    if (values > BODY_MAX_VALUES) throw tooManyValues();
  }
}

function claimName(names: Set<string> | undefined, text: string, start: number, end: number): void {
  if (!names) return;
  const quoted = text.slice(start, end + 1);
  const name = quoted.includes('\\') ? unescapeName(quoted) : quoted.slice(1, -1);
  if (names.has(name)) throw repeatedName(name);
  names.add(name);
}

/** A name that is not JSON stays as it is: JSON.parse refuses it later. */
function unescapeName(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Index of the first quote from `start` on, or of the last character without one. */
function nextQuote(text: string, start: number): number {
  const quote = text.indexOf('"', start);
  return quote === -1 ? text.length - 1 : quote;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

export function tooDeep(): ApiError {
  return invalidContent(`the body has more than ${BODY_MAX_DEPTH} levels`);
}

export function tooManyValues(): ApiError {
  return invalidContent(`the body has more than ${BODY_MAX_VALUES} values`);
}

export function repeatedName(name: string): ApiError {
  return invalidContent(`'${name.slice(0, 40)}' occurs twice in the body`);
}
