/**
 * JSON from another program: reading it without trusting it, and showing it in a sentence.
 */

import type { z } from 'zod';

import { messageOf } from './error-message.ts';
import { nestsDeeperThan } from './nesting.ts';
import { failure, success, type Outcome } from './outcome.ts';
import { readValueAs } from './schema-problems.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Not null, not an array, and not the body of something else. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NotJson);
}

/** Stands for the value of a body that is not JSON; it satisfies no expectation of a value. */
export class NotJson {
  readonly text: string;
  readonly #is: string;

  constructor(text: string, is = 'not JSON') {
    this.text = text;
    this.#is = is;
  }

  toString(): string {
    return this.text === '' ? 'an empty body' : `a body that is ${this.#is}: ${JSON.stringify(this.text)}`;
  }
}

/** More than any answer has. What walks a value calls itself for each level, and must not run out of stack. */
const MOST_LEVELS = 1_000;
const TOO_DEEP = `nested deeper than ${MOST_LEVELS} levels`;

const MINUS_ZERO = /(?:^|[\s[,:])-0(?![\da-z-])/i;

function withoutMinusZero(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}

/** The value of a JSON text; the error says what is wrong with it. */
export function parseText(text: string): Outcome<unknown, string> {
  let value: unknown;
  try {
    // -0 is 0 to everyone but JavaScript.
    value = JSON.parse(text, MINUS_ZERO.test(text) ? withoutMinusZero : undefined);
  } catch (error) {
    return failure(messageOf(error));
  }
  // A level takes two characters.
  return text.length > 2 * MOST_LEVELS && nestsDeeperThan(value, MOST_LEVELS) ? failure(TOO_DEEP) : success(value);
}

/** The value of a JSON body, or a NotJson. */
export function parseJson(body: Uint8Array): unknown {
  // The bytes where they are: a copy of each body is what costs most here.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const parsed = parseText(text);
  if (parsed.ok) return parsed.value;
  return parsed.error === TOO_DEEP ? new NotJson(text, TOO_DEEP) : new NotJson(text);
}

/** The value of a JSON body in the shape of the schema; the error says what is wrong, and where: `jobs[2].id: …`. */
export function parseAs<Value>(schema: z.ZodType<Value>, body: string | Uint8Array): Outcome<Value, string> {
  const parsed = parseText(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  return parsed.ok ? readValueAs(schema, parsed.value) : parsed;
}

/** As JSON with the keys of every object in order: the same value, the same text. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

const SHOWN_MAX_CHARACTERS = 300;

/** A value for a message: one line of bounded length. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = value instanceof NotJson ? value.toString() : JSON.stringify(value);
  return text.length > SHOWN_MAX_CHARACTERS ? `${text.slice(0, SHOWN_MAX_CHARACTERS)}…` : text;
}
