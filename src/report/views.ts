/**
 * The view of a record of any kind.
 */

import { viewOfCheck } from './check/check-view.ts';
import { viewOfLoad } from './load/load-view.ts';
import type { AnyRecord } from './record/any-record.ts';
import { viewOfScenarios } from './scenario/scenario-view.ts';
import type { RunView } from './view.ts';

export function viewOf(record: AnyRecord): RunView {
  if (record.kind === 'check') return viewOfCheck(record);
  return record.kind === 'load' ? viewOfLoad(record) : viewOfScenarios(record);
}
