/**
 * The body of a webhook request, read as the JSON array of events it should be. The events themselves
 * are left as they are: what they must look like is for checks to say.
 */

import { messageOf } from '../common/error-message.ts';
import { failure, success, type Outcome } from '../common/outcome.ts';
import type { ReceivedBody } from './request-body.ts';

/** The events, or why the body is not an array of events. */
export function readEvents(body: ReceivedBody): Outcome<readonly unknown[], string> {
  if (body.state === 'too-large') return failure('the body is larger than the receiver takes');
  if (body.state === 'cut') return failure(`the body ended early, after ${body.bytes.length} bytes`);
  if (body.bytes.length === 0) return failure('the body is empty');
  const text = decode(body.bytes);
  return text === undefined ? failure('the body is not UTF-8') : parse(text);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): Outcome<readonly unknown[], string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failure(`the body is not JSON: ${messageOf(error)}`);
  }
  if (Array.isArray(value)) return success(value as readonly unknown[]);
  return failure(`the body is not an array but ${value === null ? 'null' : `of type ${typeof value}`}`);
}
