/**
 * Body text: a body as the workbench keeps and shows it. Cut when it is kept, so that no long body is held;
 * redacted when it is shown.
 */

import type { BodyText } from '../../record/control-types.ts';
import type { Redaction } from './redaction.ts';

const MOST_BYTES = 16 * 1024;

/** A body, or its beginning. */
export interface KeptBody {
  readonly text: string;
  readonly bytes: number;
}

export function keepBody(body: Uint8Array | undefined): KeptBody | null {
  if (body === undefined) return null;
  // Copied by the decoding: nothing of a large body stays.
  return { text: Buffer.from(body.subarray(0, MOST_BYTES)).toString('utf8'), bytes: body.length };
}

/** @param bytes - of the whole body, of which the text may be the beginning */
export function keepText(text: string, bytes = Buffer.byteLength(text)): KeptBody {
  return { text: beginningOf(text), bytes };
}

export function showBody(body: KeptBody | null, redaction: Redaction): BodyText | null {
  if (!body) return null;
  return { text: redaction.body(body.text), bytes: body.bytes, cut: body.bytes > MOST_BYTES };
}

/** Over a buffer: a slice of a long text would keep the whole of it. */
export function beginningOf(text: string, most = MOST_BYTES): string {
  if (text.length <= most) return text;
  return Buffer.from(text.slice(0, most)).toString('utf8');
}
