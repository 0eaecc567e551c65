/**
 * Levels and spans of clauses, by id.
 */

import { LINK_ADVICE, LINK_CLAUSES } from '../../link/link-clauses.ts';
import type { Level, Span } from '../../specification/clause.ts';
import { CLAUSES } from '../../specification/clauses.ts';

const LEVELS: ReadonlyMap<string, Level> = new Map([
  ...CLAUSES.map(({ id, level }) => [id, level] as const),
  ...Object.keys(LINK_CLAUSES).map((id) => [id, LINK_ADVICE.has(id) ? 'should' : 'must'] as const),
]);

/** The level of a clause. A gap that a check observes has none of its own and counts as one. */
export function levelOf(clause: string): Level {
  return LEVELS.get(clause) ?? 'gap';
}

/** As levelOf in a strict run, which a broken `should` fails. */
export function strictLevelOf(clause: string): Level {
  const level = levelOf(clause);
  return level === 'should' ? 'must' : level;
}

const SPANS: ReadonlyMap<string, Span> = new Map(CLAUSES.map((clause) => [clause.id, clause.span]));

/** How long it takes to see a clause. */
export function spanOf(clause: string): Span {
  return SPANS.get(clause) ?? 'instant';
}
