/**
 * The record of a run of any kind. A new kind is a member here, a schema in run-schema.ts, a view in views.ts
 * and a page of the terminal in terminal-run.ts.
 */

import type { LoadRecord } from '../../load/load-record.ts';
import type { ScenarioRunRecord } from '../scenario/scenario-record.ts';
import type { RunRecord } from './run-record.ts';

export type AnyRecord = RunRecord | ScenarioRunRecord | LoadRecord;
