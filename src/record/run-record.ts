/**
 * Run record: the one result format (`run.json`), whatever kind of run it is of. Its schemas are what is published
 * (docs/run.schema.json), what is read, and what the types are inferred from.
 *
 * Keys that are not named here are let through: a later platen may say more within a version. Whatever is
 * removed or changes its meaning makes a new `recordVersion`.
 */

import { z } from 'zod';

import { callerRecord, type CallerRecord } from './caller-record.ts';
import { checkRunRecord, type CheckRunRecord } from './check-record.ts';
import { exploreRecord, type ExploreRecord } from './explore-record.ts';
import { RECORD_VERSION } from './fields.ts';
import { loadRecord, type LoadRecord } from './load-record.ts';
import { scenarioRunRecord, type ScenarioRunRecord } from './scenario-record.ts';

export type RunRecord = CheckRunRecord | ScenarioRunRecord | LoadRecord | ExploreRecord | CallerRecord;

export const SCHEMAS: Readonly<Record<RunRecord['kind'], z.ZodType<RunRecord>>> = {
  check: checkRunRecord,
  run: scenarioRunRecord,
  load: loadRecord,
  explore: exploreRecord,
  caller: callerRecord,
};

/** What a run.json may contain, as a JSON Schema of draft 7. */
export function runJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(z.union([checkRunRecord, scenarioRunRecord, loadRecord, exploreRecord, callerRecord]), {
    io: 'input',
    target: 'draft-7',
    reused: 'inline',
  });
  return { title: `platen run record, version ${RECORD_VERSION}`, ...schema };
}
