/**
 * JSON: the record as one document.
 */

import type { AnyRecord } from './record/any-record.ts';

export function renderJson(record: AnyRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
