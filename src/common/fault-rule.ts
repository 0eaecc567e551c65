/**
 * Fault rule: what goes wrong where and when, as data that a person writes.
 *
 *   { at: 'link/FRONT-DESK', fault: 'drop', after: 2, times: 1 }     the third message there, once
 *   { at: 'http/POST /printjobs', fault: 'status-503', for: '20s' }  from the first request on, 20 seconds
 *   { at: 'printer/*', fault: 'media-jam', probability: 0.01 }       each printer by chance of its own
 *
 * A place is a path of names. A rule holds at its place and everywhere within it; `*` is any name. Each kind of place
 * has its own faults.
 */

import { z } from 'zod';

import { DURATION_PATTERN, parseDuration } from './duration.ts';

const duration = z
  .union([z.number(), z.string().meta({ pattern: DURATION_PATTERN })])
  .refine((value) => parseDuration(value) !== undefined, 'is not a duration; write for example 250ms, 45s or 1h30m');

export const faultRule = z.strictObject({
  at: z.string().min(1).describe('Where: a place such as `printer/Laser`, and everywhere within it; `*` is any name.'),
  fault: z.string().min(1).describe('What: the name of a fault.'),
  after: z.number().int().nonnegative().exactOptional().describe('Number of occasions to skip first; 0 by default.'),
  times: z
    .number()
    .int()
    .positive()
    .exactOptional()
    .describe('How often it happens; unlimited by default, or once with `for`.'),
  probability: z.number().min(0).max(1).exactOptional().describe('Probability at each occasion, 0 to 1; 1 by default.'),
  for: duration.exactOptional().describe('How long it lasts: all occasions in that time count as one.'),
  with: z.record(z.string(), z.unknown()).exactOptional().describe('Settings of the fault.'),
});

export type FaultRule = Readonly<z.infer<typeof faultRule>>;

/** A fault, for people: what it does, and what stands under `with`, by name. */
export interface FaultMeaning {
  readonly does: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The faults of a kind of place, by name. */
export type FaultMeanings = Readonly<Record<string, FaultMeaning>>;

/** The path of a place from its names; a slash inside a name is written `%2F`. */
export function placeOf(...names: readonly string[]): string {
  return names.map((name) => name.replaceAll('/', '%2F')).join('/');
}

/** The names that a place is a path of. */
export function namesOf(place: string): string[] {
  return place.split('/').map((name) => name.replaceAll('%2F', '/'));
}

/** The part of a place that a rule's `at` means: `link/A` of `link/A/to-service`; undefined if it is elsewhere. */
export function placeMeant(at: string, place: string): string | undefined {
  const wanted = at.split('/');
  const names = place.split('/').slice(0, wanted.length);
  const isMeant = wanted.every((name, index) => names[index] !== undefined && (name === '*' || name === names[index]));
  return isMeant ? names.join('/') : undefined;
}
