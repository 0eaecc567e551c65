/**
 * Title pattern: a regular expression that came over HTTP.
 *
 * RE2 matches it in a time that grows with the title, whatever the expression: JavaScript's engine would take years
 * over some. It has no lookaround and no backreferences.
 */

import { RE2JS } from 're2js';

import { messageOf } from '../../common/error-message.ts';
import { RecentMap } from '../../common/recent-map.ts';
import { badRequest } from '../../service/gate/api-error.ts';

/** What matching costs: a repetition counts as often as it repeats. */
const MOST_STEPS = 1_000;
/** Titles whose result is kept: the same ones are looked at again and again. */
const MOST_KEPT = 1_000;

/** By the flag in JavaScript; those that say where to begin, or change nothing here, count as nothing. */
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  d: 0,
  g: 0,
  u: 0,
  v: 0,
  y: 0,
};

export class TitlePattern {
  readonly #pattern: RE2JS;
  readonly #text: string;
  readonly #kept = new RecentMap<string, boolean>(MOST_KEPT);

  /** @throws ApiError 400 saying what helps */
  constructor(source: string, flags: string) {
    this.#pattern = compile(source, flagsOf(flags));
    this.#text = `/${source}/${flags}`;
  }

  test(title: string): boolean {
    const known = this.#kept.get(title);
    if (known !== undefined) return known;
    const fits = this.#pattern.test(title);
    this.#kept.set(title, fits);
    return fits;
  }

  toString(): string {
    return this.#text;
  }
}

function flagsOf(flags: string): number {
  let all = 0;
  for (const flag of new Set(flags)) {
    const value = FLAGS[flag];
    if (value === undefined) throw badRequest(`flags: '${flag}' is not one of ${Object.keys(FLAGS).join(', ')}`);
    all |= value;
  }
  return all;
}

function compile(source: string, flags: number): RE2JS {
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), flags);
    if (pattern.programSize() <= MOST_STEPS) return pattern;
  } catch (error) {
    throw badRequest(
      `pattern: ${messageOf(error)}. It is matched by RE2, which has no lookaround and no backreferences, and repeats at ` +
        `most 1000 times; title=WORDS finds plain words`,
    );
  }
  throw badRequest(`pattern: takes more than ${MOST_STEPS} steps, repetitions counted; title=WORDS finds plain words`);
}
