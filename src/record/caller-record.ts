/**
 * The record of judging an app: run.json of the kind `caller`.
 */

import { z } from 'zod';

import { count, countsOf, durationMs, heading, mismatch, picture, texts, type Stored } from './fields.ts';
import { CALLER_VERDICTS } from './words.ts';

const moment = z.object({
  id: z.string().min(1).describe('What went wrong, as the command line takes it.'),
  does: z.string().describe('The same in words.'),
  verdict: z.enum(CALLER_VERDICTS),
  story: texts.describe('What came out, and what the app asked for, a line each.'),
  advice: z.string().describe('Empty where all is well.'),
  exitCode: z.int().nullable().describe('Of the app; null when it was killed, since it did not end.'),
  pictures: z.array(picture).describe('Papers that came out more often than they should, two of each moment at most.'),
  output: texts.describe('The last lines that the app wrote.'),
  again: z.string().describe('The command that plays it again.'),
  durationMs,
});

const clause = z.object({
  id: z.string().min(1),
  level: z.enum(['must', 'should']),
  statement: z.string(),
  source: z.string(),
  breaks: z.array(mismatch.extend({ moment: z.string().describe('While what went wrong; empty for nothing.') })),
  count: count.describe('How often it was broken.'),
});

export const callerRecord = z.object({
  ...heading,
  kind: z.literal('caller'),
  seed: z.union([z.number(), z.string()]),
  target: z.object({ name: z.string().describe('The command of the app.') }),
  unharmed: z
    .object({ requests: count, jobs: count, durationMs, differences: texts })
    .describe('What the app did while nothing went wrong, and what was different when it ran again.'),
  unreached: texts.describe('What could not be tried, and why.'),
  moments: z.array(moment),
  clauses: z.array(clause).describe('Clauses that the requests of the app break.'),
  summary: z.object({
    moments: countsOf(CALLER_VERDICTS),
    exitCode: z
      .int()
      .min(0)
      .max(255)
      .describe('0 nothing was wrong, 1 something was, 2 something could not be judged.'),
  }),
});

export interface CallerRecord extends Stored<typeof callerRecord> {}
export interface PaperPicture extends Stored<typeof picture> {}
export interface MomentRecord extends Stored<typeof moment> {}
export interface CallerClauseRecord extends Stored<typeof clause> {}
