/**
 * Selection: which checks a person means.
 *
 *   all ──► of the profile ──► that match the pattern ──► every n-th of them, for shards
 *
 * A pattern is a regular expression without case that is looked for in the id of a check, the ids of its
 * clauses, and the chapters of those.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import type { Profile } from '../../record/words.ts';
import type { Check } from '../check.ts';
import { SMOKE_CHECKS } from './profiles.ts';

export interface Selection {
  /** `full` unless given. */
  readonly profile?: Profile;
  readonly grep?: string | undefined;
  /** Exactly these. */
  readonly ids?: readonly string[];
  readonly shard?: Shard | undefined;
}

/** One of `count` parts that together are the whole, `index` from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * The checks that are meant.
 *
 * @throws ActionableError of kind usage when the pattern is invalid, or when nothing is left
 */
export function selectChecks(checks: readonly Check[], selection: Selection = {}): readonly Check[] {
  const { profile, grep, ids, shard } = selection;
  const named = ids ? checks.filter(({ id }) => ids.includes(id)) : checks;
  const ofProfile = profile === 'smoke' ? named.filter(({ id }) => SMOKE_CHECKS.has(id)) : named;
  const matching = grep === undefined ? ofProfile : ofProfile.filter(matcher(grep));
  if (matching.length === 0) {
    throw new ActionableError(
      'usage',
      grep === undefined ? 'none of these checks exists' : `no check matches '${grep}'`,
      grep?.includes(',') === true
        ? `To name several, write '${grep.replaceAll(/,\s*/g, '|')}'.`
        : 'See `platen check --list` for the ids of checks and their clauses.',
    );
  }
  const selected = shard ? matching.filter((_, position) => position % shard.count === shard.index - 1) : matching;
  if (selected.length > 0 || !shard) return selected;
  throw new ActionableError(
    'usage',
    `shard ${shard.index}/${shard.count} is empty: there are ${matching.length} checks`,
    'Use fewer shards.',
  );
}

function matcher(pattern: string): (check: Check) => boolean {
  const wanted = compile(pattern);
  return ({ id, clauses }) => [id, ...clauses].some((name) => wanted.test(name));
}

function compile(pattern: string): RegExp {
  try {
    const compiled = new RegExp(pattern, 'i');
    // One that is too long is found out when it is first used.
    compiled.test('');
    return compiled;
  } catch (error) {
    throw new ActionableError(
      'usage',
      `'${pattern}' is not a regular expression: ${messageOf(error).split(': ').at(-1)}`,
      'Give part of the id of a check or clause, or a chapter, such as print-jobs; several as a|b.',
    );
  }
}
