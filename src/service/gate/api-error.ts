/**
 * API errors: how the service refuses a request.
 *
 * A handler throws an ApiError; one place renders it as the error object {uid, code, message}.
 * Codes the specification prints come from src/spec/errors.ts; the others are choices (gap/error-codes).
 */

import { ERRORS } from '../../spec/errors.ts';

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
  internal: 'InternalError',
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
    ['WWW-Authenticate', 'Basic realm=Api'],
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
    `${method} is not possible here; possible are ${allowed.join(', ')}`,
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
    [['Connection', 'close']],
  );
}

/** 500: a fault of this service; what went wrong stays in its log. */
export function internalError(): ApiError {
  return new ApiError(500, CHOSEN_CODES.internal, 'the service failed to handle this request');
}

/** The error object, in the order the specification lists its keys. */
export function renderError(error: ApiError, requestId: string): string {
  return JSON.stringify({ uid: requestId, code: error.code, message: error.message });
}
