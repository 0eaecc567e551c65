/**
 * Response: status, headers, body and error of one answer.
 */

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERROR_FIELDS } from '../../spec/errors.ts';
import type { Answer } from './answer.ts';
import { isObject } from './records.ts';

export function expectStatus(answer: Answer, status: number): Mismatch | undefined {
  if (answer.status === status) return undefined;
  return {
    expected: `status ${status}`,
    actual: `status ${answer.status} with ${showValue(answer.value)}`,
    at: answer.request,
    exchange: answer.position,
  };
}

export function expectSuccess(answer: Answer): Mismatch | undefined {
  if (answer.status >= 200 && answer.status < 300) return undefined;
  return {
    expected: 'a 2xx status',
    actual: `status ${answer.status} with ${showValue(answer.value)}`,
    at: answer.request,
    exchange: answer.position,
  };
}

/** Expects a 4xx: the specification says that it is refused, and not how. */
export function expectRefusal(answer: Answer): Mismatch | undefined {
  if (answer.status >= 400 && answer.status < 500) return undefined;
  return {
    expected: 'a 4xx status',
    actual: `status ${answer.status} with ${showValue(answer.value)}`,
    at: answer.request,
    exchange: answer.position,
  };
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
  return {
    expected,
    actual: value === undefined ? 'no such header' : showValue(value),
    at: `header ${name} of ${answer.request}`,
    exchange: answer.position,
  };
}

export function expectHeaderValue(answer: Answer, name: string, wanted: string): Mismatch | undefined {
  return expectHeader(answer, name, showValue(wanted), (value) => value === wanted);
}

export function expectBody(
  answer: Answer,
  expected: string,
  accepts: (value: unknown) => boolean,
): Mismatch | undefined {
  if (accepts(answer.value)) return undefined;
  return {
    expected,
    actual: showValue(answer.value),
    at: `body of ${answer.request}`,
    exchange: answer.position,
  };
}

export interface ErrorRow {
  readonly status: number;
  /** Null where the specification prints none. */
  readonly code: string | null;
}

/** Expects this error: its status, and its code where the specification prints one. */
export function expectError(answer: Answer, { status, code }: ErrorRow): Mismatch | undefined {
  const wrongStatus = expectStatus(answer, status);
  if (wrongStatus || code === null) return wrongStatus;
  return expectErrorCode(answer, code);
}

export function expectErrorCode(answer: Answer, code: string): Mismatch | undefined {
  const actual = isObject(answer.value) ? answer.value['code'] : answer.value;
  if (actual === code) return undefined;
  return {
    expected: showValue(code),
    actual: showValue(actual),
    at: `body.code of ${answer.request}`,
    exchange: answer.position,
  };
}
