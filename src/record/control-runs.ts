/**
 * The control API of runs: their records, starting one, the scenarios that ship.
 */

import { z } from 'zod';

import { answer, answers, anything, count, text } from './control-answers.ts';
import { progress } from './fields.ts';
import { PROFILES } from './words.ts';

export const runSummary = answer('RunSummaryView', {
  /** Its name in its record; the name of its folder as well finds it. */
  id: text,
  /** `check`, `run`, `load` or `explore`, as records have it. */
  kind: text,
  startedAt: text,
  /** Name of the service that is tried. */
  target: text,
  /** What was chosen of all there is: profile and pattern, a scenario, a load. */
  about: text,
  /** Null while it runs. */
  exitCode: count.nullable(),
  /** Its result, or how far it is, in a line. */
  headline: text,
  /** Number of results by verdict. */
  counts: z.record(z.string(), z.number()),
  running: z.boolean(),
  /** False of a run that has not judged anything yet, or could not begin. */
  recorded: z.boolean(),
  /** While it runs, once its first part has ended. */
  progress: progress.exactOptional(),
});

export const runPosted = answer('PostedRun', {
  /** How often it was asked to stop: once for an end in good order, twice for one at once. */
  stops: count,
});

export const runSummaries = z.array(runSummary).register(answers, { id: 'Runs' });

export const storedRun = anything
  .describe('the run record, as docs/run-record.md describes it')
  .register(answers, { id: 'RunRecord' });

const given = z.string().max(500);

export const runRequest = z.strictObject({
  kind: z.enum(['check', 'run', 'explore']),
  /** Of the service; a service of the run's own unless given. */
  url: given.exactOptional(),
  /** API key of that service. */
  key: given.exactOptional(),
  /** How virtual computers reach that service: `websocket` if it has docs/device-link.md. */
  link: z.literal('websocket').exactOptional(),
  /** Name or path of one that ships. */
  scenario: given.exactOptional(),
  /** In place of a scenario: what exploring found, as the shortest day that shows it. */
  finding: z.strictObject({ run: given, signature: given }).exactOptional(),
  /** How many days are explored; 100 unless given. */
  days: z.int().min(1).max(100_000).exactOptional(),
  /** Only checks whose id, clauses or chapters match. */
  grep: given.exactOptional(),
  profile: z.enum(PROFILES).exactOptional(),
  seed: z.int().min(0).exactOptional(),
});

/** `group` is the folder below `scenarios`. */
export const scenario = z.object({
  name: text,
  group: text,
  path: text,
  title: text,
  why: text,
  kind: z.enum(['run', 'load']),
});

export const scenarios = z.array(scenario).register(answers, { id: 'Scenarios' });
