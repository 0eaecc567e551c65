/**
 * The view of a record of any kind.
 */

import type { AnyRecord } from './any-record.ts';
import { viewOfCheck } from './check-view.ts';
import { viewOfLoad } from './load-view.ts';
import { viewOfScenarios } from './scenario-view.ts';
import type { RunView } from './view.ts';

export function viewOf(record: AnyRecord): RunView {
  if (record.kind === 'check') return viewOfCheck(record);
  return record.kind === 'load' ? viewOfLoad(record) : viewOfScenarios(record);
}
