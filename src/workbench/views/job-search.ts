/**
 * Job search: the language of the search field.
 *
 *   invoice printer:Laser state:done title:"delivery note" text:42 -state:error
 *
 * Words look into titles; all conditions hold together, in any case of letters. `text:` looks on the
 * sheets. A word with any other name before the colon is an ordinary word.
 */

import type { JobSummary } from '../../record/control-types.ts';
import { badRequest } from '../../service/gate/api-error.ts';

const FIELDS = ['title', 'printer', 'computer', 'state', 'source', 'text', 'id'] as const;
type Field = (typeof FIELDS)[number];

export interface SearchTerm {
  readonly field: Field;
  /** In lower case. */
  readonly wanted: string;
  /** A minus stands before it. */
  readonly isNot: boolean;
}

/** Each looks into every job. */
const MOST_TERMS = 50;

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi;

/** @throws ApiError 400 when there are too many */
export function parseSearch(text: string): SearchTerm[] {
  const found = [...text.matchAll(TERM)];
  if (found.length > MOST_TERMS)
    throw badRequest(`q: has ${found.length} words; at most ${MOST_TERMS} are searched for`);
  return found.map(([whole, minus, name = '', inQuotes, word = '']) => {
    const field = FIELDS.find((one) => one === name.toLowerCase());
    const isKnown = field !== undefined || name === '';
    const wanted = isKnown ? (inQuotes ?? word) : whole.slice(minus?.length ?? 0).replaceAll('"', '');
    return { field: field ?? 'title', wanted: wanted.toLowerCase(), isNot: minus === '-' };
  });
}

/** Whether a job is what all terms ask for, those about the text on its sheets left aside. */
export function fitsSearch(job: JobSummary, terms: readonly SearchTerm[]): boolean {
  return terms.every(({ field, wanted, isNot }) => {
    if (field === 'text') return true;
    return matches(VALUES[field](job).toLowerCase(), field, wanted) !== isNot;
  });
}

/** Whether the text on the sheets is what all terms ask for. */
export function fitsText(text: string, terms: readonly SearchTerm[]): boolean {
  const lower = text.toLowerCase();
  return terms.filter(({ field }) => field === 'text').every(({ wanted, isNot }) => lower.includes(wanted) !== isNot);
}

export function asksForText(terms: readonly SearchTerm[]): boolean {
  return terms.some(({ field }) => field === 'text');
}

const VALUES: Readonly<Record<Exclude<Field, 'text'>, (job: JobSummary) => string>> = {
  title: ({ title }) => title ?? '',
  printer: ({ printer }) => printer.name,
  computer: ({ computer }) => computer.name,
  state: ({ state }) => state,
  source: ({ source }) => source ?? '',
  id: ({ id }) => String(id),
};

/** States and ids are names, of which a part is another one. */
function matches(value: string, field: Field, wanted: string): boolean {
  return field === 'state' || field === 'id' ? value === wanted : value.includes(wanted);
}
