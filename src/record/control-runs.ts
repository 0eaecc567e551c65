/**
 * The control API of runs: their records, starting one, the scenarios that ship.
 */

import { z } from 'zod';

import { answer, answers, anything, count, text } from './control-answers.ts';
import { beside, progress } from './fields.ts';
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
  /** False of a run whose record came over HTTP: what it found is shown, and not played. */
  playable: z.boolean(),
  /** While it runs, once its first part has ended. */
  progress: progress.exactOptional(),
});

export const runPosted = answer('PostedRun', {
  /** How often it was asked to stop: once for an end in good order, twice for one at once. */
  stops: count,
  /** What else is under way there. */
  beside,
});

export const runSummaries = z.array(runSummary).register(answers, { id: 'Runs' });

export const storedRun = anything
  .describe('the run record, as docs/run-record.md describes it')
  .register(answers, { id: 'RunRecord' });

/** What a person writes in a line. */
const given = z
  .string()
  .max(500)
  .regex(/^\P{Cc}*$/u, 'must have no control characters');

const serviceAddress = given.refine(
  isServiceAddress,
  'must be an address such as https://service.example, without a name and a password',
);

export const runRequest = z.strictObject({
  kind: z.enum(['check', 'run', 'explore']),
  /** The address of the service; the run starts its own unless given. */
  url: serviceAddress.exactOptional(),
  /** API key of that service; `test-key` unless given. */
  key: given.exactOptional(),
  /** How virtual computers reach that service: `websocket` if it has docs/device-link.md. */
  link: z.literal('websocket').exactOptional(),
  /** Name or path of one that ships. */
  scenario: given.exactOptional(),
  /** In place of a scenario: what a run of this workbench, or of its reports folder, found by exploring. */
  finding: z.strictObject({ run: given, signature: given }).exactOptional(),
  /** How many days are explored; 100 unless given. */
  days: z.int().min(1).max(100_000).exactOptional(),
  /** Only checks whose id, clauses or chapters match. */
  grep: given.exactOptional(),
  profile: z.enum(PROFILES).exactOptional(),
  seed: z.int().min(0).exactOptional(),
  /** Also while another run is under way: each says in its record what went on beside it. */
  beside: z.boolean().exactOptional(),
});

/** The URL parser leaves out what it does not like, such as a line break: that is looked for first. */
function isServiceAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

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
