/**
 * Control reply: what a route of the control API answers.
 */

import type { ServerResponse } from 'node:http';

import { ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import { WaitExpired } from '../../common/waiter.ts';
import { ApiError } from '../../service/gate/api-error.ts';
import { JobWaitExpired } from '../views/job-query.ts';

/** An answer as a whole, or one that goes on as long as its connection. */
export type ControlReply = WholeReply | StreamReply;

export interface WholeReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

export interface StreamReply {
  readonly stream: (response: ServerResponse) => void;
}

export function json(value: unknown, status = 200): WholeReply {
  return { status, contentType: 'application/json', body: `${JSON.stringify(value, undefined, 2)}\n` };
}

export function bytes(contentType: string, body: Uint8Array): WholeReply {
  return { status: 200, contentType, body };
}

/** What came with a request does not fit. */
export class UnfitValue extends ApiError {
  /** What is wrong with it, without which request it came with: for a page, whose reader made none. */
  readonly problem: string;

  constructor(message: string, problem: string) {
    super(400, 'BadRequest', message);
    this.problem = problem;
  }
}

export function errorReply(error: unknown): WholeReply {
  if (error instanceof ActionableError) {
    return json({ code: 'BadRequest', message: `${error.message}. ${error.nextStep}` }, 400);
  }
  if (error instanceof JobWaitExpired) {
    return json({ code: 'WaitExpired', message: error.message, closest: error.closest }, 408);
  }
  if (error instanceof WaitExpired) return json({ code: 'WaitExpired', message: error.message }, 408);
  if (error instanceof ApiError) {
    const { code, message, status } = error;
    return json({ code, message, ...(error instanceof UnfitValue && { problem: error.problem }) }, status);
  }
  return json({ code: 'InternalError', message: messageOf(error) }, 500);
}
