/**
 * The record of a run of scenarios: run.json of the kind `run`.
 */

import { z } from 'zod';

import {
  checkExitCode,
  count,
  countsOf,
  durationMs,
  heading,
  mismatch,
  picture,
  playedTarget,
  texts,
  type Stored,
} from './fields.ts';
import { SCENARIO_VERDICTS } from './words.ts';

const broken = mismatch.extend({
  clause: z
    .string()
    .exactOptional()
    .describe('Id of the clause that it breaks; left out where a scenario expects more.'),
  jobs: texts.describe('Names of the jobs it is about.'),
});

const story = z.object({
  name: z.string(),
  id: z.number(),
  timeline: texts.describe('A line for each state and printout.'),
  files: texts.describe('Files that show its sheets.'),
  pictures: z.array(picture).exactOptional().describe('The first of its sides, where they are not too large.'),
});

const decision = z.object({
  atMs: z.number(),
  place: z.string(),
  occasion: count.describe('Of its rule at this place, from 1.'),
  fault: z.string(),
  fired: z.boolean(),
});

const scenario = z.object({
  id: z.string().min(1).describe('Its file.'),
  title: z.string(),
  why: z.string(),
  seed: z.union([z.number(), z.string()]),
  verdict: z.enum(SCENARIO_VERDICTS),
  message: z.string().describe('Why it did not pass; empty when it did.'),
  breaks: z.array(broken).describe('What is not as the scenario says it should be.'),
  at: z.string().nullable().describe('The step it ended at, when it did not come to its end.'),
  line: count.exactOptional().describe('The line of that step in its file.'),
  stories: z.array(story).describe('What became of the jobs that it is about.'),
  log: z.array(z.object({ atMs: z.number(), what: z.string() })).describe('The steps as they began.'),
  decisions: z.array(decision).default([]).describe('What the fault rules came to, oldest first: the first thousand.'),
  decisionsLeftOut: count.default(0).describe('How many more there were.'),
  elapsedMs: z.number().min(0).describe('Time that passed for the service.'),
  durationMs,
});

export const scenarioRunRecord = z.object({
  ...heading,
  kind: z.literal('run'),
  seed: z.union([z.number(), z.string()]).nullable().describe('Null when each scenario had its own.'),
  target: playedTarget,
  summary: z.object({
    scenarios: countsOf(SCENARIO_VERDICTS).describe(
      'Number of scenarios by verdict; verdicts that did not occur are left out.',
    ),
    lostIn: z
      .string()
      .nullable()
      .default(null)
      .describe('The scenario in which the service stopped answering; those after it were not played.'),
    exitCode: checkExitCode,
  }),
  scenarios: z.array(scenario),
});

export interface ScenarioRunRecord extends Stored<typeof scenarioRunRecord> {}
export interface ScenarioRecord extends Stored<typeof scenario> {}
