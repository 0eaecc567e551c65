/**
 * Response: status, headers, body and error of one answer.
 */

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERROR_FIELDS } from '../../spec/errors.ts';
import type { Answer } from './answer.ts';
import { isObject } from './records.ts';

/** A mismatch in the body of an answer, or in the part of it that `at` names. */
export function mismatchIn(
  { position, request, value }: Answer,
  expected: string,
  actual = showValue(value),
  at = `body of ${request}`,
): Mismatch {
  return { expected, actual, at, exchange: position };
}

function wrongStatus(answer: Answer, expected: string): Mismatch {
  const actual = `status ${answer.status} with ${showValue(answer.value)}`;
  return mismatchIn(answer, expected, actual, answer.request);
}

export function expectStatus(answer: Answer, status: number): Mismatch | undefined {
  return answer.status === status ? undefined : wrongStatus(answer, `status ${status}`);
}

export function expectSuccess(answer: Answer): Mismatch | undefined {
  return answer.status >= 200 && answer.status < 300 ? undefined : wrongStatus(answer, 'a 2xx status');
}

/** Expects a 4xx: the specification says that it is refused, and not how. */
export function expectRefusal(answer: Answer): Mismatch | undefined {
  return answer.status >= 400 && answer.status < 500 ? undefined : wrongStatus(answer, 'a 4xx status');
}

/** Expects a 4xx with the error object, whatever its status and code. */
export function expectErrorObject(answer: Answer): Mismatch | undefined {
  return expectRefusal(answer) ?? expectBody(answer, 'the error object', isErrorObject);
}

function isErrorObject(value: unknown): boolean {
  return isObject(value) && Object.keys(ERROR_FIELDS).every((key) => isText(value[key]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Expects a header; without `accepts` any value that is not empty will do. */
export function expectHeader(
  answer: Answer,
  name: string,
  expected = 'a value',
  accepts: (value: string) => boolean = (value) => value !== '',
): Mismatch | undefined {
  const value = answer.header(name);
  if (value !== undefined && accepts(value)) return undefined;
  const actual = value === undefined ? 'no such header' : showValue(value);
  return mismatchIn(answer, expected, actual, `header ${name} of ${answer.request}`);
}

export function expectHeaderValue(answer: Answer, name: string, wanted: string): Mismatch | undefined {
  return expectHeader(answer, name, showValue(wanted), (value) => value === wanted);
}

export function expectBody(
  answer: Answer,
  expected: string,
  accepts: (value: unknown) => boolean,
): Mismatch | undefined {
  return accepts(answer.value) ? undefined : mismatchIn(answer, expected);
}

/** Expects status 200 with such a body. */
export function expectFound(
  answer: Answer,
  expected: string,
  accepts: (value: unknown) => boolean,
): Mismatch | undefined {
  return expectStatus(answer, 200) ?? expectBody(answer, expected, accepts);
}

export interface ErrorRow {
  readonly status: number;
  /** Null where the specification prints none. */
  readonly code: string | null;
}

/** Expects this error: its status, and its code where the specification prints one. */
export function expectError(answer: Answer, { status, code }: ErrorRow): Mismatch | undefined {
  return expectStatus(answer, status) ?? (code === null ? undefined : expectErrorCode(answer, code));
}

export function expectErrorCode(answer: Answer, code: string): Mismatch | undefined {
  const actual = isObject(answer.value) ? answer.value['code'] : answer.value;
  if (actual === code) return undefined;
  return mismatchIn(answer, showValue(code), showValue(actual), `body.code of ${answer.request}`);
}
