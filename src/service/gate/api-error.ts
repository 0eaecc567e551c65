/**
 * API errors: how the service refuses a request.
 *
 * What refuses a request throws an ApiError; one place renders it as the error object {uid, code, message}.
 * Codes that the specification prints come from src/spec/errors.ts; the others are choices (gap/error-codes).
 */

import { ERRORS } from '../../spec/errors.ts';
import { AUTHENTICATION_HEADERS } from '../../spec/headers.ts';
import { LIMITS } from '../../spec/limits.ts';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly headers: readonly (readonly [string, string])[];

  constructor(
    status: number,
    code: string,
    message: string,
    headers: readonly (readonly [string, string])[] = [],
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Codes for conditions whose code the specification does not print. */
const CHOSEN_CODES = {
  badRequest: 'BadRequest',
  notFound: 'NotFound',
  methodNotAllowed: 'MethodNotAllowed',
  bodyTooLarge: 'RequestBodyTooLarge',
  forbidden: 'Forbidden',
  requestTimeout: 'RequestTimeout',
  unsupportedMediaType: 'UnsupportedMediaType',
  expectationFailed: 'ExpectationFailed',
  headersTooLarge: 'RequestHeadersTooLarge',
  internal: 'InternalError',
  unavailable: 'ServiceUnavailable',
} as const;

/** 400: the body cannot be parsed. */
export function invalidContent(message: string): ApiError {
  return new ApiError(ERRORS.InvalidContent.status, ERRORS.InvalidContent.code, message);
}

/** 400: the request was understood, and something in it has no acceptable value. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, CHOSEN_CODES.badRequest, message);
}

/** 401 with the challenge that the specification prints. */
export function invalidCredentials(message: string): ApiError {
  return new ApiError(ERRORS.InvalidCredentials.status, ERRORS.InvalidCredentials.code, message, [
    [AUTHENTICATION_HEADERS.challenge.name, AUTHENTICATION_HEADERS.challenge.value],
  ]);
}

export function notFound(message: string): ApiError {
  return new ApiError(404, CHOSEN_CODES.notFound, message);
}

export function forbidden(message: string): ApiError {
  return new ApiError(403, CHOSEN_CODES.forbidden, message);
}

export function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  return new ApiError(
    405,
    CHOSEN_CODES.methodNotAllowed,
    `${method} is not allowed here; allowed are ${allowed.join(', ')}`,
    [['Allow', allowed.join(', ')]],
  );
}

export function conflict(message: string): ApiError {
  return new ApiError(ERRORS.Conflict.status, ERRORS.Conflict.code, message);
}

export function bodyTooLarge(limitBytes: number): ApiError {
  return new ApiError(
    ERRORS.BodyTooLarge.status,
    CHOSEN_CODES.bodyTooLarge,
    `the request body is longer than ${limitBytes} bytes`,
  );
}

export function unsupportedMediaType(message: string): ApiError {
  return new ApiError(415, CHOSEN_CODES.unsupportedMediaType, message);
}

export function expectationFailed(expectation: string): ApiError {
  return new ApiError(
    417,
    CHOSEN_CODES.expectationFailed,
    `the only expectation that can be met is 100-continue, not '${expectation.slice(0, 40)}'`,
  );
}

/** @param waitMs - until the next request of this caller will be answered */
export function tooManyRequests(waitMs: number): ApiError {
  return new ApiError(
    ERRORS.TooManyRequests.status,
    ERRORS.TooManyRequests.code,
    `more than ${LIMITS.requestsPerSecond.value} requests a second; try again in ${Math.ceil(waitMs)} ms`,
    [['Retry-After', String(Math.ceil(waitMs / 1_000))]],
  );
}

/** 408: the request did not arrive in its time. */
export function requestTimeout(): ApiError {
  return new ApiError(408, CHOSEN_CODES.requestTimeout, 'the request did not arrive in time');
}

/** 431: the request line and the headers are too long. */
export function headersTooLarge(limitBytes: number): ApiError {
  return new ApiError(
    431,
    CHOSEN_CODES.headersTooLarge,
    `the request line and the headers are longer than ${limitBytes} bytes`,
  );
}

export function shuttingDown(): ApiError {
  return new ApiError(503, CHOSEN_CODES.unavailable, 'the service is shutting down');
}

/** 500: a fault of this service; what went wrong stays in its log. */
export function internalError(): ApiError {
  return new ApiError(500, CHOSEN_CODES.internal, 'the service failed to handle this request');
}

/** The error object, in the order the specification lists its keys. */
export function renderError(error: ApiError, requestId: string): string {
  return JSON.stringify({ uid: requestId, code: error.code, message: error.message });
}
