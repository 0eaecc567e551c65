/**
 * Errors: the codes the specification prints, the statuses it prints without a code, and the error object.
 */

import { given } from './clause.ts';

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

export const ERROR_CLAUSES = [
  // The error object
  given().must({
    'errors/object': 'The body of an error is a JSON object.',
    'errors/object-three-keys': 'The error object has the three keys uid, code and message.',
    'errors/uid-is-request-id': 'uid of an error is the Request-Id of the response.',
    'errors/code-brief': 'code of an error is a brief name, a string that is not empty.',
    'errors/message-readable': 'message of an error is a description for people, a string that is not empty.',
  }),
  given().should({
    'errors/no-other-keys': 'The error object has no other keys.',
    'errors/no-internals': 'An error shows no stack trace, file path or key.',
  }),

  // Conditions
  given().must({
    'errors/invalid-content': 'A body that cannot be parsed gets 400 with code InvalidContent.',
    'errors/invalid-credentials':
      'The code of a 401 is InvalidCredentials, whether the credentials are missing or invalid.',
    'errors/scale-not-found': 'The 404 for a scale without data carries the error object.',
    'errors/invalid-content-truncated': 'A JSON body cut off in the middle gets 400 with code InvalidContent.',
  }),
  given().should({
    'errors/invalid-content-encoding': 'A JSON body with bytes that are not UTF-8 gets a 4xx status, not a 5xx.',
  }),
  given({ needs: ['computer'] }).must({
    'errors/conflict': 'The code of the 409 for a used idempotency key is Conflict.',
    'errors/valid-content-accepted':
      'A body that can be parsed never gets InvalidContent for unusual but valid JSON, such as white space or escapes.',
  }),
  given({ needs: ['computer'] }).should({
    'errors/invalid-content-does-nothing': 'A request refused with InvalidContent changes nothing.',
  }),
  given({ needs: ['integrator'] }).must({
    'errors/invalid-credentials-child': 'An invalid X-Child-Account-By-* header gets 401 with code InvalidCredentials.',
  }),
  given({ party: 'caller', needs: ['authentication-endpoint'] }).must({
    'errors/unauthorized': 'The code in the 401 of a delegated authentication endpoint is Unauthorized.',
  }),
  given({ needs: ['large-body'] }).must({
    'errors/body-too-large': 'A POST body larger than 50 MB gets 413.',
  }),
  given({ needs: ['large-body'] }).should({
    'errors/body-too-large-object': 'The 413 for a large body carries the error object.',
  }),
  given({ needs: ['large-body', 'raw-socket'] }).must({
    'errors/body-too-large-whatever-it-says':
      'The size that counts is that of the body as it arrives, also without Content-Length.',
  }),
  given({ span: 'seconds' }).must({
    'errors/too-many-requests': 'The code of the 429 for a request beyond the rate is TooManyRequests.',
  }),
  given({ span: 'seconds' }).should({
    'errors/too-many-requests-object': 'The 429 for a request beyond the rate carries the error object.',
  }),
];
