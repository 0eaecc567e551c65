/**
 * JSON from another program: reading it without trusting it, and showing it in a sentence.
 */

import type { z } from 'zod';

import { messageOf } from './error-message.ts';
import { failure, type Outcome } from './outcome.ts';
import { readValueAs } from './schema-problems.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Not null, not an array, and not the body of something else. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NotJson);
}

/** Stands for the value of a body that is not JSON; it satisfies no expectation of a value. */
export class NotJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text === '' ? 'an empty body' : `a body that is not JSON: ${JSON.stringify(this.text)}`;
  }
}

const MINUS_ZERO = /(?:^|[\s[,:])-0(?![\da-z-])/i;

function withoutMinusZero(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}

/** The value of a JSON body, or a NotJson. */
export function parseJson(body: Uint8Array): unknown {
  // The bytes where they are: a copy of each body is what costs most here.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    // -0 is 0 to everyone but JavaScript.
    return JSON.parse(text, MINUS_ZERO.test(text) ? withoutMinusZero : undefined) as unknown;
  } catch {
    return new NotJson(text);
  }
}

/** The value of a JSON body in the shape of the schema; the error says what is wrong, and where: `jobs[2].id: …`. */
export function parseAs<Value>(schema: z.ZodType<Value>, body: string | Uint8Array): Outcome<Value, string> {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  } catch (error) {
    return failure(messageOf(error));
  }
  return readValueAs(schema, value);
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
