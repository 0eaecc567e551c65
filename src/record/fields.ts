/**
 * Fields that records of every kind have: how a run names itself, and the pieces that several schemas share.
 */

import { z } from 'zod';

export const RECORD_VERSION = 1;

export const count = z.int().min(0);
export const texts = z.array(z.string());
export const durationMs = z.number().min(0).describe('Real time, in milliseconds.');

export const progress = z
  .object({
    done: count,
    total: count.describe('What `done` counts up to: checks, scenarios, or seconds of a load.'),
    remainingMs: z.number().min(0).nullable().describe('About how long it still takes; null while that is unknown.'),
    doing: z.string().describe('What it is at: a phase, or what ended last.'),
  })
  .describe('How far a run has come that still goes on. The record of one that has ended has none.');

export const beside = z
  .array(
    z.object({ runId: z.string(), kind: z.string(), about: z.string().describe('What it was of, in a few words.') }),
  )
  .describe('Other runs that the workbench which showed this one had under way meanwhile.');

export const heading = {
  tool: z.literal('platen'),
  recordVersion: z.literal(RECORD_VERSION).describe('Version of this format.'),
  platenVersion: z.string().max(100).describe('Version of the platen that made the run.'),
  runId: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must be letters, digits, dots and dashes, 100 of them at most')
    .describe('Names the run, and its folder.'),
  startedAt: z.iso.datetime().describe('Real time, ISO 8601 in UTC.'),
  durationMs,
  progress: progress.exactOptional(),
  beside: beside.exactOptional(),
};

const exitCode = z.int().min(0).max(255);

export const checkExitCode = exitCode.describe(
  'What the command came to: 0 good, 1 failed, 2 incomplete or inconclusive, 70 the harness broke, 75 the service stopped answering, 130 it was interrupted.',
);
export const loadExitCode = exitCode.describe('What the command came to; 130 when it was interrupted.');

export const mismatch = z.object({
  expected: z.string(),
  actual: z.string(),
  at: z.string().describe('Where it was seen.'),
  part: z.string().exactOptional().describe('The same, where `at` says of which caller or input as well.'),
  exchange: count.exactOptional().describe('Position of the exchange it was seen in.'),
  wanted: z
    .object({
      status: z.string().exactOptional().describe('`201`, or `2..` for any that begins so.'),
      code: z.string().exactOptional().describe('In the error object.'),
      header: z.string().exactOptional(),
      value: z.string().exactOptional().describe('What the header says; left out where any text will do.'),
    })
    .exactOptional()
    .describe('What the answer has to have, where a script can look for it.'),
  differs: z
    .enum(['records', 'order'])
    .exactOptional()
    .describe('Of a list: other records than expected came, or these in another order.'),
  absent: z
    .union([z.literal('all'), texts])
    .exactOptional()
    .describe('What is not there of what is compared: these keys, or all of it.'),
});

/** A total, and the number of each name that occurred. */
export function countsOf<const Name extends string>(names: readonly Name[]): CountsSchema<Name> {
  const occurred = Object.fromEntries(names.map((name) => [name, count.exactOptional()]));
  return z.object({ total: count, ...(occurred as Record<Name, z.ZodExactOptional<z.ZodInt>>) });
}

type CountsSchema<Name extends string> = z.ZodObject<
  { readonly total: z.ZodInt } & Readonly<Record<Name, z.ZodExactOptional<z.ZodInt>>>
>;

/** A run that goes on while another does. */
export interface BesideRun extends Stored<(typeof beside)['element']> {}

/** How far a run has come. */
export interface Progress extends Stored<typeof progress> {}

/** What a schema reads, which nothing changes once it is there. */
export type Stored<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;

type DeepReadonly<Value> = unknown extends Value ? Value : { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> };

/** The service that scenarios or days were played on. */
export const playedTarget = z.object({
  name: z.string(),
  kind: z.enum(['embedded', 'remote', 'container', 'pipeline']),
  baseUrl: z.string().nullable(),
  descriptor: z.string().exactOptional().describe('Path of the descriptor that named it.'),
  url: z.string().exactOptional().describe('The address that was given beside the descriptor.'),
  start: z.string().exactOptional().describe('The command that started it, where --start gave one.'),
  link: z.string().exactOptional().describe('How virtual computers reached it, where --link said so.'),
  callbackHost: z.string().exactOptional().describe('By which name it reached this machine, where that was given.'),
  unseen: z.string().exactOptional().describe('What of it the run could not see, as a sentence.'),
});
export interface PlayedTarget extends Stored<typeof playedTarget> {}
/** What the command line said of it, for a repetition. */
export type PlayedGiven = Pick<PlayedTarget, 'descriptor' | 'url' | 'start' | 'link' | 'callbackHost'>;

/** Most of a picture in a record, in base64; larger ones stand beside it alone. */
export const PICTURE_MOST_CHARACTERS = 200_000;

export const picture = z.object({
  caption: z.string().describe('Whose it is, such as `side 1 of letter`.'),
  png: z.base64().max(PICTURE_MOST_CHARACTERS),
});
