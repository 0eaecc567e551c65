/**
 * Baseline: known failures, each with a reason, an owner and the day of its next review.
 *
 *   known failure, same signature or a part of it ─► does not count        known flaky ─► never counts
 *   passes, though listed         ┐
 *   no check of this id           ├► a problem of the baseline: the run fails
 *   expired                       ┘
 *   anything else is broken       ─► the failure counts: it is not the one that is known
 *
 * A run of some checks sends less than a whole one, and a check that judges what was sent may see only a part of
 * what is known there, or nothing of it.
 */

import { z } from 'zod';

import { nearestName } from '../../common/nearest-name.ts';
import { success, type Outcome } from '../../common/outcome.ts';
import type { Problem } from '../../common/problem.ts';
import { readFileAs } from '../../common/schema-problems.ts';
import { readYaml } from '../../common/yaml-source.ts';
import type { CheckOutcome } from './outcome.ts';
import type { Check } from '../check.ts';

const day = z.iso.date('must be a day, such as 2026-12-31');
const said = z
  .string()
  .refine((text) => text.trim() !== '', 'must say something')
  .refine((text) => !/change me/i.test(text), 'is still to be filled in');
const common = { check: z.string().min(1), reason: said, owner: said, expires: day };

const baselineSchema = z.strictObject({
  known: z.array(
    z.union([
      z.strictObject({ ...common, signature: z.string().min(1) }),
      z.strictObject({ ...common, flaky: z.literal(true) }),
    ]),
  ),
});

type KnownFailure = z.infer<typeof baselineSchema>['known'][number];

/** An entry with the line it stands on. */
export type Baseline = readonly { readonly entry: KnownFailure; readonly line: number }[];

/** Reads a file of known failures. */
export function readBaseline(file: string): Outcome<Baseline, readonly Problem[]> {
  const source = readYaml(file);
  if (!source.ok) return source;
  const parsed = readFileAs(baselineSchema, source.value);
  if (!parsed.ok) return parsed;
  return success(
    parsed.value.known.map((entry, index) => ({
      entry,
      line: source.value.problemAt(['known', index], '').line,
    })),
  );
}

export interface Compared {
  /** Those that are known carry the entry. */
  readonly outcomes: readonly CheckOutcome[];
  /** What is wrong with the baseline itself, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Compares a run with what is known.
 *
 * @param checks - all there are, run or not: an id that is not one of theirs is a mistake
 * @param today - `2026-12-31`
 */
export function compareWithBaseline(
  outcomes: readonly CheckOutcome[],
  baseline: Baseline,
  { checks, today }: { readonly checks: readonly Check[]; readonly today: string },
): Compared {
  const problems = baseline.flatMap(({ entry, line }) => {
    const problem = problemOf(entry, outcomes, { checks, today });
    return problem === undefined ? [] : [`line ${line}: ${entry.check} ${problem}`];
  });
  return {
    problems,
    outcomes: outcomes.map((outcome) => {
      const entry = excuseOf(outcome, baseline, today);
      const signed = outcome.verdict === 'fail' ? { ...outcome, signature: signatureOf(outcome) } : outcome;
      return entry ? { ...signed, known: entry } : signed;
    }),
  };
}

function excuseOf(outcome: CheckOutcome, baseline: Baseline, today: string): KnownFailure | undefined {
  return baseline.find(({ entry }) => entry.expires >= today && isKnown(entry, outcome))?.entry;
}

/** Whether a failure is known, and does not count. */
export function isExcused(outcome: CheckOutcome, baseline: Baseline, today: string): boolean {
  return excuseOf(outcome, baseline, today) !== undefined;
}

function isKnown(entry: KnownFailure, outcome: CheckOutcome): boolean {
  if (entry.check !== outcome.check.id) return false;
  if ('flaky' in entry) return outcome.verdict === 'fail' || outcome.verdict === 'flaky';
  if (outcome.verdict !== 'fail') return false;
  const known = BETWEEN + entry.signature + BETWEEN;
  return signaturesOf(outcome).every((one) => known.includes(BETWEEN + one + BETWEEN));
}

function problemOf(
  entry: KnownFailure,
  outcomes: readonly CheckOutcome[],
  { checks, today }: { readonly checks: readonly Check[]; readonly today: string },
): string | undefined {
  const ids = checks.map(({ id }) => id);
  if (!ids.includes(entry.check)) {
    const meant = nearestName(entry.check, ids);
    return `is not a check${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }
  if (entry.expires < today) return `expired on ${entry.expires}: ${entry.owner} is to look at it again`;
  const outcome = outcomes.find(({ check }) => check.id === entry.check);
  if (outcome === undefined || 'flaky' in entry || !GOOD.has(outcome.verdict)) return undefined;
  const hasSeenAll = outcomes.length === checks.length || outcome.check.runsLast === undefined;
  return hasSeenAll ? 'is listed as failing and passes: take it out' : undefined;
}

/** A warning may be the same defect, in a run that is not strict. */
const GOOD: ReadonlySet<string> = new Set(['pass', 'observed', 'not-applicable']);

const SHOWN_MAX_CHARACTERS = 120;

/**
 * What a failure is recognised by in another run: one line, the same for the same fault, whatever the seed.
 * Clauses and expectations make it up, not what came instead: ids, times and generated inputs differ each time.
 */
export function signatureOf(outcome: CheckOutcome): string {
  return signaturesOf(outcome).join(BETWEEN);
}

const BETWEEN = '; ';

/** One for each clause that is broken. */
function signaturesOf({ judgements, message }: CheckOutcome): readonly string[] {
  const broken = judgements.flatMap(({ clause, mismatch }) =>
    mismatch ? [`${clause} (${normalized(mismatch.expected)})`] : [],
  );
  return broken.length > 0 ? [...new Set(broken)] : [normalized(message)];
}

/** Numbers and identifiers replaced, and of bounded length. */
function normalized(text: string): string {
  return text
    .replaceAll(/[\w-]*\d[\w-]*/g, '#')
    .replaceAll(/[a-f]{8,}/gi, '#')
    .replaceAll(/\[[#,\s]*\]/g, '[#]')
    .replaceAll(/\s+/g, ' ')
    .slice(0, SHOWN_MAX_CHARACTERS);
}
