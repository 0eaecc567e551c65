/**
 * Types that parts of the format share.
 */

import { z } from 'zod';

import { meantHint, nearestName } from '../../common/nearest-name.ts';
import { COMPUTER_STATES, JOB_STATES, PRINTER_STATES } from '../../devices/known-states.ts';
import { PRINTER_PROFILES } from '../../devices/printer/printer-profile.ts';
import { isProfileFile } from '../../devices/profile-files.ts';
import { EVENT_TYPES } from '../../specification/fields.ts';
import { EVERY_MESSAGE } from '../../specification/inputs.ts';
import { documentNames } from '../../devices/document/shipped-documents.ts';

/** A name of the scenario's own, or of a device of its room. */
export const name = z.string().min(1).max(200);

const SHIPPED = PRINTER_PROFILES.names();

/** A profile that ships, or the path of a file like theirs. */
export const printerProfileName = z
  .string()
  .superRefine((profile, context) => {
    if (isProfileFile(profile) || SHIPPED.includes(profile)) return;
    context.addIssue({ code: 'invalid_value', values: SHIPPED, input: profile });
  })
  .meta({ anyOf: [{ enum: SHIPPED }, { type: 'string', pattern: String.raw`\.json$` }] });

/** A number that tells what it counts when it is written with a unit, as `5kg`. */
export function numberOf(unit: string, example: number): z.ZodNumber {
  return z.number({
    error: ({ input }) =>
      typeof input === 'string' ? `must be a number of ${unit}, for example ${example}, not '${input}'` : undefined,
  });
}

export const gramsOnScale = numberOf('grams', 5000).min(0).max(1_000_000);

export function microgramsOf(grams: number): number {
  return Math.round(grams * MICROGRAMS_PER_GRAM);
}

const MICROGRAMS_PER_GRAM = 1_000_000;

/** One that the specification names, or another that a service has. */
export const eventType = z
  .string()
  .meta({ anyOf: [{ enum: [...EVENT_TYPES, EVERY_MESSAGE.value] }, { type: 'string' }] });

/** One of these states or another that a service has, but none of these misspelt. */
function stateAmong(known: readonly string[]): z.ZodType<string> {
  return z
    .string()
    .min(1)
    .superRefine((state, context) => {
      const meant = misspeltState(state, known);
      if (meant === undefined) return;
      context.addIssue({ code: 'custom', message: `there is no state '${state}'${meantHint(meant)}` });
    })
    .meta({ anyOf: [{ enum: [...known] }, { type: 'string' }] });
}

/**
 * The state that was meant: in another case, with its words joined otherwise, or with one mistake, which is not in
 * its first letter. `gone` and `connecting` may be states of a service.
 */
function misspeltState(written: string, known: readonly string[]): string | undefined {
  if (known.includes(written)) return undefined;
  const plain = written.toLowerCase().replaceAll(/[ -]/g, '_');
  const alike = known.filter((state) => state[0] === plain[0]);
  return nearestName(plain, alike, 1);
}

export const jobState = stateAmong(JOB_STATES);
export const printerState = stateAmong(PRINTER_STATES);
export const computerState = stateAmong(COMPUTER_STATES);

export const count = z.number().int().min(0);

/** An object with any keys. */
export const object = z.record(z.string(), z.unknown());

function noSuchDocument(written: string): string {
  const names = documentNames();
  const meant = names.find((name) => name.startsWith(`${written}.`)) ?? nearestName(written, names);
  const hint = meant === undefined ? `there are ${names.join(', ')}.` : `did you mean '${meant}'?`;
  return `there is no document '${written}'; ${hint} A file of your own is a path: './${written}'.`;
}

/** A document by name. */
export const documentName = z
  .union([
    z.enum(['invoice.pdf', ...documentNames()]),
    z.string().regex(/\//, { error: ({ input }) => noSuchDocument(String(input)) }),
  ])
  .describe('A file of fixtures/documents, or the path of one, from the folder of the scenario: ./my.pdf.');

/** The keys of a table of kinds, each of them optional. */
export function anyOf<Kind extends z.ZodType>(
  kinds: Readonly<Record<string, Kind>>,
): Record<string, z.ZodExactOptional<Kind>> {
  return Object.fromEntries(Object.entries(kinds).map(([kind, schema]) => [kind, schema.exactOptional()]));
}

/** How often something may be: written as a number, or as `25-35`; `5-` has no upper end. */
export interface CountRange {
  readonly least: number;
  readonly most: number;
}

const RANGE = /^(\d{1,9})-(\d{0,9})$/;

export const countRange = z
  .union([
    count.transform((number) => exactly(number)),
    z
      .string()
      .regex(RANGE, 'must be a number, or a range such as 25-35 or 5-')
      .transform((text) => rangeOf(text)),
  ])
  .describe('A number, or a range: 25-35; 5- for 5 or more.');

export function exactly(number: number): CountRange {
  return { least: number, most: number };
}

export function isWithin(number: number, { least, most }: CountRange): boolean {
  return number >= least && number <= most;
}

export function formatRange({ least, most }: CountRange): string {
  if (least === most) return String(least);
  return most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
}

function rangeOf(text: string): CountRange {
  const [, least = '', most = ''] = RANGE.exec(text) ?? [];
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) };
}
