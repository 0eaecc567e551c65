/**
 * The record of exploring: run.json of the kind `explore`.
 */

import { z } from 'zod';

import { count, durationMs, heading, mismatch, playedTarget, texts, type Stored } from './fields.ts';

const finding = z.object({
  signature: z.string().min(1).describe('What is broken: a clause, or the kind of step that broke.'),
  statement: z.string().describe('What the clause demands; empty where it is not one.'),
  source: z.string().exactOptional().describe('Where the clause stands in the specification.'),
  count: count.describe('Number of days on which it was found.'),
  seed: z.int().describe('The seed of the first of them.'),
  steps: count.describe('Steps of the shortest day that shows it.'),
  message: z.string(),
  breaks: z.array(mismatch).describe('What is not as it should be on that day.'),
  scenario: z.string().describe('That day, as the text of a scenario file.'),
  happened: texts.exactOptional().describe('What happened on it, where a pipeline was explored.'),
  file: z.string().describe('Where that file is.'),
});

export const exploreRecord = z.object({
  ...heading,
  kind: z.literal('explore'),
  seed: z.int().describe('The seed of the first day; each day has the next one.'),
  without: texts.describe('Kinds of moves that no day had.'),
  target: playedTarget,
  days: count,
  unplayed: count.describe('Days that could not be played to their end.'),
  unplayedBecause: z.string().nullable().describe('Why, of the first one.'),
  events: count.describe('What was seen of the service: answers, deliveries, reports.'),
  elapsedMs: durationMs.describe('Time that passed for the service.'),
  findings: z.array(finding),
  known: z.array(z.object({ signature: z.string(), count })).describe('Known findings, and how often each was found.'),
  coverage: z
    .array(z.object({ pair: z.string(), count }))
    .describe('Operations and the conditions that they met, and how often.'),
  summary: z.object({
    findings: z.object({ total: count }),
    lostIn: z.string().exactOptional().describe('The first day on which the service did not answer any more.'),
    exitCode: z
      .int()
      .min(0)
      .max(255)
      .describe('0 nothing was found, 1 something was, 2 nothing could be played, 75 the service stopped answering.'),
  }),
});

export interface ExploreRecord extends Stored<typeof exploreRecord> {}
export interface FindingRecord extends Stored<typeof finding> {}
