/**
 * Run schema: what may stand in a run.json, as it is published (docs/run.schema.json) and as it is read.
 *
 * Keys that are not named here are let pass: a later platen may say more within a version. What is
 * taken away or gets another meaning makes a new `recordVersion`.
 */

import { z } from 'zod';

import { loadSchema } from '../load/load-schema.ts';
import type { ScenarioRecord, ScenarioRunRecord } from '../scenario/scenario-record.ts';
import type { AnyRecord } from './any-record.ts';
import type { CheckRecord, ClauseRecord, RunRecord, RunSummary, SelectionRecord } from './run-record.ts';

export const RECORD_VERSION = 1;

const count = z.int().min(0);
const some = count.exactOptional();
const durationMs = z.number().min(0).describe('Real time, in milliseconds.');
const texts = z.array(z.string());
const level = z.enum(['must', 'should', 'observed', 'gap']);
const verdict = z.enum([
  'harness-error',
  'fail',
  'blocked',
  'untestable',
  'inconclusive',
  'flaky',
  'warn',
  'observed',
  'not-applicable',
  'pass',
]);
const scenarioVerdict = z.enum(['pass', 'fail', 'inconclusive', 'harness-error']);
const exitCode = z
  .int()
  .min(0)
  .max(255)
  .describe(
    'What the command came to: 0 good, 1 failed, 2 incomplete or inconclusive, 70 the harness broke, 75 the service stopped answering.',
  );

const about = {
  tool: z.literal('platen'),
  recordVersion: z.literal(RECORD_VERSION).describe('Version of this format.'),
  platenVersion: z.string().max(100).describe('Version of the platen that made the run.'),
  runId: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      'must be letters, digits, dots and dashes, 100 of them at most',
    )
    .describe('Names the run, and its folder.'),
  startedAt: z.iso.datetime().describe('Real time, ISO 8601 in UTC.'),
  durationMs,
};

const headers = z.array(z.tuple([z.string(), z.string()])).describe('Name and value, as they came.');
const request = z.object({ method: z.string(), path: z.string(), headers, body: z.string() });
const curl = z.string().describe('A shell command that sends the request again.');

const exchange = z.object({
  position: count.describe('Position in the history of the run; a mismatch names it.'),
  request,
  waitedMs: z.number().describe('Time the check had let go by until then, on the clock of the target.'),
  response: z.object({ status: z.int(), headers, body: z.string() }),
  durationMs,
  curl,
});

const unanswered = z.object({
  kind: z.string().describe('refused, reset, timeout and so on.'),
  message: z.string(),
  request,
  durationMs,
  curl,
});

const mismatch = z.object({
  expected: z.string(),
  actual: z.string(),
  at: z.string().describe('Where it was seen.'),
  exchange: count.exactOptional().describe('Position of the exchange it was seen in.'),
});

const judgement = z.object({
  clause: z.string().describe('Id of a clause or of a gap.'),
  mismatch: mismatch.exactOptional().describe('Left out when the clause was kept.'),
  observation: z
    .string()
    .exactOptional()
    .describe('What the service did where the specification leaves it open.'),
});

const check: z.ZodType<CheckRecord> = z.object({
  id: z.string().min(1).describe('Stable: family/what-it-looks-at.'),
  title: z.string().describe('What a service that passes does.'),
  clauses: texts.describe('Ids of the clauses it judges, and of the gaps it observes.'),
  needs: texts.describe('What a target must bring for it.'),
  level: level.describe('The strictest level among its clauses.'),
  verdict,
  durationMs,
  requests: count.describe('Requests that were answered.'),
  waitedMs: z.number().min(0).describe('Time it let go by, on the clock of the target.'),
  message: z.string().describe('Why it is no pass; empty for one.'),
  signature: z.string().exactOptional().describe('Of a failure: what a list of known failures names it by.'),
  known: z
    .object({ reason: z.string(), owner: z.string(), expires: z.string() })
    .exactOptional()
    .describe('Why the failure does not count.'),
  evidence: z.object({
    judgements: z.array(judgement),
    exchanges: z
      .array(exchange)
      .describe('Those that show what was wrong, and the last ones; none on a pass.'),
    unanswered: z.array(unanswered).describe('Requests without a whole answer.'),
    notes: texts,
    sequence: z
      .array(
        z.object({
          move: z.string(),
          with: z.record(z.string(), z.union([z.number(), z.array(z.number())])),
        }),
      )
      .exactOptional(),
    stack: z.string().exactOptional(),
  }),
});

const clause: z.ZodType<ClauseRecord> = z.object({
  level,
  statement: z.string(),
  status: z.enum(['covered', 'excluded', 'not-yet']),
  outcome: z.enum(['kept', 'broken', 'observed', 'not-judged']),
  checks: texts.describe('Ids of all checks of it, run or not.'),
  reason: z.string().exactOptional().describe('Why it is excluded.'),
});

const gap = z.object({
  question: z.string(),
  checks: texts.describe('Ids of all checks that look at it, run or not.'),
  observations: texts.describe('What the target did, each different thing once.'),
});

const selection: z.ZodType<SelectionRecord> = z.object({
  profile: z.enum(['full', 'smoke']),
  grep: z.string().nullable().describe('The pattern the checks were chosen by.'),
  planned: count.describe('Checks that are meant, those of other shards included.'),
  shards: z
    .object({ held: z.array(z.int().min(1)).min(1), of: z.int().min(1).max(999_999) })
    .nullable()
    .describe('Parts of the plan that this record holds, from 1; null when it was not divided.'),
});

const summary: z.ZodType<RunSummary> = z.object({
  checks: z
    .object({
      total: count,
      pass: some,
      fail: some,
      warn: some,
      observed: some,
      flaky: some,
      blocked: some,
      untestable: some,
      inconclusive: some,
      'not-applicable': some,
      'harness-error': some,
    })
    .describe('Number of checks by verdict; verdicts that did not occur are left out.'),
  clauses: z.object({
    total: count,
    covered: count,
    excluded: count,
    notYet: count,
    broken: count.describe('Of those covered.'),
    notJudged: count.describe('Of those covered.'),
  }),
  baselineProblems: texts.describe('What is wrong with the list of known failures.'),
  known: count.describe('Failures that are known and do not count.'),
  leftBehind: texts.describe('What could not be removed behind the run.'),
  requests: count,
  exitCode,
});

export const checkRunSchema: z.ZodType<RunRecord> = z.object({
  ...about,
  kind: z.literal('check'),
  seed: z.number(),
  target: z.object({
    name: z.string(),
    kind: z.string(),
    baseUrl: z.string(),
    capabilities: texts,
    contradictions: texts.describe('Where the target turned out otherwise than it is declared.'),
  }),
  selection: selection.describe('Which checks were meant.'),
  summary,
  clauses: z.record(z.string(), clause).describe('Every clause of the specification, by id.'),
  gaps: z.record(z.string(), gap).describe('Every gap of the specification, by id.'),
  checks: z.array(check),
});

const scenario: z.ZodType<ScenarioRecord> = z.object({
  id: z.string().min(1).describe('Its file.'),
  title: z.string(),
  why: z.string(),
  seed: z.union([z.number(), z.string()]),
  verdict: scenarioVerdict,
  message: z.string().describe('Why it is no pass; empty for one.'),
  breaks: z
    .array(mismatch.extend({ jobs: texts.describe('Names of the jobs it is about.') }))
    .describe('What is not as the scenario says it should be.'),
  at: z.string().nullable().describe('The step it ended at, when it did not come to its end.'),
  stories: z
    .array(
      z.object({
        name: z.string(),
        id: z.number(),
        timeline: texts.describe('A line for each state and printout.'),
        files: texts.describe('Files that show its sheets.'),
      }),
    )
    .describe('What became of the jobs that it is about.'),
  log: z.array(z.object({ atMs: z.number(), what: z.string() })).describe('The steps as they began.'),
  decisions: z
    .array(
      z.object({
        atMs: z.number(),
        place: z.string(),
        occasion: count.describe('Of its rule at this place, from 1.'),
        fault: z.string(),
        fired: z.boolean(),
      }),
    )
    .default([])
    .describe('What the fault rules came to, oldest first: the first thousand.'),
  decisionsLeftOut: count.default(0).describe('How many more there were.'),
  elapsedMs: z.number().min(0).describe('Time that passed for the service.'),
  durationMs,
});

export const scenarioRunSchema: z.ZodType<ScenarioRunRecord> = z.object({
  ...about,
  kind: z.literal('run'),
  seed: z.union([z.number(), z.string()]).nullable().describe('Null when each scenario had its own.'),
  target: z.object({
    name: z.string(),
    kind: z.enum(['embedded', 'remote', 'container']),
    baseUrl: z.string().nullable(),
  }),
  summary: z.object({
    scenarios: z
      .object({ total: count, pass: some, fail: some, inconclusive: some, 'harness-error': some })
      .describe('Number of scenarios by verdict; verdicts that did not occur are left out.'),
    lostIn: z
      .string()
      .nullable()
      .default(null)
      .describe('The scenario in which the service stopped answering; those after it were not played.'),
    exitCode,
  }),
  scenarios: z.array(scenario),
});

const loadRunSchema = loadSchema(about);

/** The schema of each kind of run. */
export const SCHEMAS: Readonly<Record<AnyRecord['kind'], z.ZodType<AnyRecord>>> = {
  check: checkRunSchema,
  run: scenarioRunSchema,
  load: loadRunSchema,
};

/** What a run.json may contain, as a JSON Schema of draft 7. */
export function runJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(z.union([checkRunSchema, scenarioRunSchema, loadRunSchema]), {
    io: 'input',
    target: 'draft-7',
    reused: 'inline',
  });
  return { title: `platen run record, version ${RECORD_VERSION}`, ...schema };
}
