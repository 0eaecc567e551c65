/**
 * JSON: the record as one document.
 */

import type { RunRecord } from './run-record.ts';
import type { ScenarioRunRecord } from './scenario-record.ts';

export function renderJson(record: RunRecord | ScenarioRunRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
