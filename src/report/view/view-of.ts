/**
 * The view of a record of any kind.
 */

import type { RunRecord } from '../../record/run-record.ts';
import { viewOfCheck } from './check-view.ts';
import { viewOfLoad } from './load-view.ts';
import type { RunView } from './run-view.ts';
import { viewOfScenarios } from './scenario-view.ts';

export function viewOf(record: RunRecord): RunView {
  if (record.kind === 'check') return viewOfCheck(record);
  return record.kind === 'load' ? viewOfLoad(record) : viewOfScenarios(record);
}
