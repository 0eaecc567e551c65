/**
 * Durations as people write them in files, such as `45s`.
 */

import { z } from 'zod';

import { DURATION_PATTERN, LONGEST_PASSING, LONGEST_PASSING_MS, parseDuration, type Duration } from './duration.ts';

const WANTED = 'must be a duration such as 250ms, 45s, 1h30m or 14d';

/** As it was written. */
export const duration = z
  .string({ error: ({ input }) => (typeof input === 'number' ? WANTED : undefined) })
  .refine((text) => parseDuration(text) !== undefined, WANTED)
  .meta({ pattern: DURATION_PATTERN, description: 'A duration: 250ms, 45s, 1h30m, 14d.' });

export const milliseconds = duration.transform((text) => parseDuration(text) ?? 0);

const isShort = (passing: Duration): boolean => (parseDuration(passing) ?? 0) <= LONGEST_PASSING_MS;

/** How far to move a clock, as it was written. */
export const passing = duration.refine(isShort, LONGEST_PASSING);

/** The same from programs, which may also give milliseconds. */
export const passingOrMs = z.union([passing, z.number().nonnegative().refine(isShort, LONGEST_PASSING)]);
