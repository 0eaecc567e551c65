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

export function keepBody(body: Uint8Array | string | undefined): KeptBody | null {
  if (body === undefined) return null;
  if (typeof body === 'string') return { text: beginningOf(body), bytes: Buffer.byteLength(body) };
  // Copied by the decoding: nothing of a large body stays.
  return { text: Buffer.from(body.subarray(0, MOST_BYTES)).toString('utf8'), bytes: body.length };
}

export function showBody(body: KeptBody | null, redaction: Redaction): BodyText | null {
  if (!body) return null;
  return { text: redaction.body(body.text), bytes: body.bytes, cut: body.bytes > MOST_BYTES };
}

/** Over a buffer: a slice of a long text would keep the whole of it. */
function beginningOf(text: string): string {
  if (text.length <= MOST_BYTES) return text;
  return Buffer.from(text.slice(0, MOST_BYTES)).toString('utf8');
}
