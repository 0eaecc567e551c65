/**
 * Errors: the codes the specification prints, the statuses it prints without a code, and the error object.
 */

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
