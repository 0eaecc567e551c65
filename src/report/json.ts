/**
 * JSON: the record as one document.
 */

import type { RunRecord } from '../record/run-record.ts';

export function renderJson(record: RunRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
