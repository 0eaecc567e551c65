/**
 * Errors: the codes the specification prints, the statuses it prints without a code, and the error object.
 */

import type { ClauseRows } from './clause.ts';

export interface SpecError {
  readonly status: number;
  /** Null where the specification prints a status without a code. */
  readonly code: string | null;
  readonly clause: string;
}

export const ERRORS = {
  InvalidContent: { status: 400, code: 'InvalidContent', clause: 'errors/invalid-content' },
  InvalidCredentials: { status: 401, code: 'InvalidCredentials', clause: 'errors/invalid-credentials' },
  /** Sent by a caller's own authentication endpoint, never by the service. */
  Unauthorized: { status: 401, code: 'Unauthorized', clause: 'errors/unauthorized' },
  ScaleNotFound: { status: 404, code: null, clause: 'errors/scale-not-found' },
  Conflict: { status: 409, code: 'Conflict', clause: 'errors/conflict' },
  BodyTooLarge: { status: 413, code: null, clause: 'errors/body-too-large' },
  TooManyRequests: { status: 429, code: 'TooManyRequests', clause: 'errors/too-many-requests' },
} as const satisfies Record<string, SpecError>;

/** The keys of the error object; each is a string. */
export const ERROR_FIELDS = {
  uid: { clause: 'errors/uid-is-request-id' },
  code: { clause: 'errors/code-brief' },
  message: { clause: 'errors/message-readable' },
} as const;

export const ERROR_CLAUSES = {
  // The error object
  'errors/object': { statement: 'The body of an error is a JSON object.' },
  'errors/object-three-keys': { statement: 'The error object has the three keys uid, code and message.' },
  'errors/no-other-keys': { level: 'should', statement: 'The error object has no other keys.' },
  'errors/uid-is-request-id': { statement: 'uid of an error is the Request-Id of the response.' },
  'errors/code-brief': { statement: 'code of an error is a brief name, a string that is not empty.' },
  'errors/code-word': { level: 'should', statement: 'code of an error is one word, without blanks.' },
  'errors/message-readable': {
    statement: 'message of an error is a description for people, a string that is not empty.',
  },
  'errors/no-internals': { level: 'should', statement: 'An error shows no stack trace, file path or key.' },

  // Conditions
  'errors/invalid-content': { statement: 'A body that cannot be parsed gets 400 with code InvalidContent.' },
  'errors/invalid-content-truncated': {
    level: 'should',
    statement: 'A JSON body cut off in the middle gets 400 with code InvalidContent.',
  },
  'errors/invalid-content-encoding': {
    level: 'should',
    statement: 'A JSON body with bytes that are no UTF-8 gets a 4xx status, not a 5xx.',
  },
  'errors/valid-content-accepted': {
    level: 'should',
    statement:
      'A body that can be parsed never gets InvalidContent for unusual but valid JSON, such as white space or escapes.',
    needs: ['computer'],
  },
  'errors/invalid-content-does-nothing': {
    level: 'should',
    statement: 'A request refused with InvalidContent changes nothing.',
    needs: ['computer'],
  },
  'errors/invalid-credentials': {
    statement: 'The code of a 401 is InvalidCredentials, whether the credentials are missing or invalid.',
  },
  'errors/invalid-credentials-child': {
    statement: 'An invalid X-Child-Account-By-* header gets 401 with code InvalidCredentials.',
    needs: ['integrator'],
  },
  'errors/unauthorized': {
    party: 'caller',
    statement: 'The code in the 401 of a delegated authentication endpoint is Unauthorized.',
    needs: ['authentication-endpoint'],
  },
  'errors/scale-not-found': {
    statement: 'The 404 for a scale without data carries the error object.',
  },
  'errors/conflict': {
    statement: 'The code of the 409 for a used idempotency key is Conflict.',
    needs: ['computer'],
  },
  'errors/body-too-large': { statement: 'A POST body larger than 50 MB gets 413.', needs: ['large-body'] },
  'errors/body-too-large-object': {
    level: 'should',
    statement: 'The 413 for a large body carries the error object.',
    needs: ['large-body'],
  },
  'errors/body-too-large-whatever-it-says': {
    level: 'should',
    statement: 'The size that counts is that of the body as it arrives, also without Content-Length.',
    needs: ['large-body', 'raw-socket'],
  },
  'errors/too-many-requests': {
    statement: 'The code of the 429 for a request beyond the rate is TooManyRequests.',
    span: 'seconds',
  },
  'errors/too-many-requests-object': {
    level: 'should',
    statement: 'The 429 for a request beyond the rate carries the error object.',
    span: 'seconds',
  },
} as const satisfies ClauseRows;
