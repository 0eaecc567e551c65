/**
 * API errors: how the service refuses a request.
 *
 * What refuses a request throws an ApiError; one place renders it as the error object {uid, code, message}.
 * Codes that the specification prints come from src/specification/errors.ts; the others are choices (gap/error-codes).
 */

import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly headers: readonly (readonly [string, string])[];

  constructor(status: number, code: string, message: string, headers: readonly (readonly [string, string])[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

type Condition = { readonly status: number; readonly code: string };

/** What makes a refusal of a message; without a printed code, the name of the status is the code. */
const refusal =
  ({ status, code }: Condition, headers: ApiError['headers'] = []) =>
  (message: string): ApiError =>
    new ApiError(status, code, message, headers);

const { challenge } = AUTHENTICATION_HEADERS;

/** The body cannot be parsed. */
export const invalidContent = refusal(ERRORS.InvalidContent);
/** The request was understood, and something in it has no acceptable value. */
export const badRequest = refusal({ status: 400, code: 'BadRequest' });
export const invalidCredentials = refusal(ERRORS.InvalidCredentials, [[challenge.name, challenge.value]]);
export const forbidden = refusal({ status: 403, code: 'Forbidden' });
export const notFound = refusal({ status: 404, code: 'NotFound' });
export const conflict = refusal(ERRORS.Conflict);
export const unsupportedMediaType = refusal({ status: 415, code: 'UnsupportedMediaType' });

export function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  const methods = allowed.join(', ');
  const message = `${method} is not allowed here; allowed are ${methods}`;
  return new ApiError(405, 'MethodNotAllowed', message, [['Allow', methods]]);
}

export function requestTimeout(): ApiError {
  return new ApiError(408, 'RequestTimeout', 'the request did not arrive in time');
}

export function bodyTooLarge(limitBytes: number): ApiError {
  const message = `the request body is longer than ${limitBytes} bytes`;
  return new ApiError(ERRORS.BodyTooLarge.status, 'RequestBodyTooLarge', message);
}

export function expectationFailed(expectation: string): ApiError {
  const message = `the only expectation that can be met is 100-continue, not '${expectation.slice(0, 40)}'`;
  return new ApiError(417, 'ExpectationFailed', message);
}

export function upgradeRequired(message: string, header: readonly [string, string]): ApiError {
  return new ApiError(426, 'UpgradeRequired', message, [header]);
}

/** @param waitMs - until the next request of this caller will be answered */
export function tooManyRequests(waitMs: number): ApiError {
  const { status, code } = ERRORS.TooManyRequests;
  const limit = LIMITS.requestsPerSecond.value;
  const message = `more than ${limit} requests a second; try again in ${Math.ceil(waitMs)} ms`;
  return new ApiError(status, code, message, [['Retry-After', String(Math.ceil(waitMs / 1_000))]]);
}

export function headersTooLarge(limitBytes: number): ApiError {
  const message = `the request line and the headers are longer than ${limitBytes} bytes`;
  return new ApiError(431, 'RequestHeadersTooLarge', message);
}

/** A fault of this service; what went wrong stays in its log. */
export function internalError(): ApiError {
  return new ApiError(500, 'InternalError', 'the service failed to handle this request');
}

export function tooManyBodies(limitBytes: number): ApiError {
  const message = `long request bodies are under way that take more than ${limitBytes} bytes together; try again`;
  return new ApiError(503, 'ServiceUnavailable', message, [['Retry-After', '1']]);
}

export function shuttingDown(): ApiError {
  return new ApiError(503, 'ServiceUnavailable', 'the service is shutting down');
}

/** The error object, in the order the specification lists its keys. */
export function renderError(error: ApiError, requestId: string): string {
  return JSON.stringify({ uid: requestId, code: error.code, message: error.message });
}
