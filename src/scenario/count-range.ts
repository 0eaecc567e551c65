/**
 * Count range: how often something may be. Written as a number, or as `25-35`; `5-` has no upper end.
 */

import { z } from 'zod';

import { count } from './schema-types.ts';

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
