/**
 * Selection: which checks a person means.
 *
 * A pattern is a regular expression without case that is looked for in the id of a check, the ids of its
 * clauses, and the chapters of those.
 */

import { ActionableError } from '../common/actionable-error.ts';
import type { Check } from './check.ts';

/**
 * The checks that match; all without a pattern.
 *
 * @throws ActionableError of kind usage when the pattern is none or matches nothing
 */
export function selectChecks(checks: readonly Check[], pattern: string | undefined): readonly Check[] {
  if (pattern === undefined) return checks;
  const wanted = compile(pattern);
  const selected = checks.filter((check) => [check.id, ...check.clauses].some((name) => wanted.test(name)));
  if (selected.length > 0) return selected;
  throw new ActionableError(
    'usage',
    `no check matches '${pattern}'`,
    'See `platen check --list` for the ids of checks and their clauses.',
  );
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'i');
  } catch {
    throw new ActionableError(
      'usage',
      `'${pattern}' is no regular expression`,
      'Give part of the id of a check or clause, or a chapter, such as print-jobs.',
    );
  }
}
