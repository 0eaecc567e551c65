/**
 * Control reply: what a route of the control API answers.
 */

export interface ControlReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** A request that cannot be served; becomes an error object of the form that the service uses. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function json(value: unknown, status = 200): ControlReply {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value, undefined, 2)}\n` };
}

export function bytes(contentType: string, body: Uint8Array): ControlReply {
  return { status: 200, contentType, body };
}

export function errorReply(error: unknown): ControlReply {
  if (error instanceof ControlError) {
    return json({ code: error.code, message: error.message, ...error.details }, error.status);
  }
  const message = error instanceof Error ? error.message : String(error);
  return json({ code: 'InternalError', message }, 500);
}
