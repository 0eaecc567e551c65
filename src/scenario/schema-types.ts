/**
 * Types that many parts of the format share.
 */

import { z } from 'zod';

import { parseDuration } from '../common/duration.ts';
import { documentNames } from './document-source.ts';

/** A duration such as `45s`, as it was written. */
export const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 250ms, 45s, 1h30m or 14d')
  .describe('A duration: 250ms, 45s, 1h30m, 14d.');

/** A name of the scenario's own, or of a device of its room. */
export const name = z.string().min(1).max(200);

/** A load of a scale. */
export const gramsOnScale = z.number().min(0).max(1_000_000);

export function microgramsOf(grams: number): number {
  return Math.round(grams * MICROGRAMS_PER_GRAM);
}

const MICROGRAMS_PER_GRAM = 1_000_000;

export const count = z.number().int().min(0);

/** An object whose keys are somebody else's affair. */
export const object = z.record(z.string(), z.unknown());

/** A document by name. */
export const documentName = z
  .union([z.enum(['invoice.pdf', ...documentNames()]), z.string().startsWith('./')])
  .describe('A file of fixtures/documents, or one beside the scenario: ./my.pdf.');

/** The keys of a table of kinds, each of which may be there. */
export function anyOf<Kind extends z.ZodType>(
  kinds: Readonly<Record<string, Kind>>,
): Record<string, z.ZodExactOptional<Kind>> {
  return Object.fromEntries(Object.entries(kinds).map(([kind, schema]) => [kind, schema.exactOptional()]));
}
