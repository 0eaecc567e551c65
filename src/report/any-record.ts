/**
 * The record of a run of any kind. A new kind is a member here, a schema in run-schema.ts and a view in views.ts.
 */

import type { RunRecord } from './run-record.ts';
import type { ScenarioRunRecord } from './scenario-record.ts';

export type AnyRecord = RunRecord | ScenarioRunRecord;
