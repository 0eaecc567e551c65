/**
 * The view of a record of any kind.
 */

import type { AnyRecord } from './any-record.ts';
import { viewOfCheck } from './check-view.ts';
import { viewOfScenarios } from './scenario-view.ts';
import type { RunView } from './view.ts';

export function viewOf(record: AnyRecord): RunView {
  return record.kind === 'check' ? viewOfCheck(record) : viewOfScenarios(record);
}
