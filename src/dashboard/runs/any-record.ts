/**
 * The records the page can show.
 */

import type { RunRecord } from '../../report/run-record.ts';
import type { ScenarioRunRecord } from '../../report/scenario-record.ts';
import type { LoadRun } from './load-record.ts';

export type AnyRecord = RunRecord | ScenarioRunRecord | LoadRun;
