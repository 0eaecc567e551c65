/**
 * A service that does one thing otherwise than printed is told so once, by the clause that prints it, and all else is
 * judged. `npm test` tries some deviations, others for each commit, and leaves out the checks that send most; `npm run
 * prove first-day` tries all of them by all checks.
 */

import { expect, it } from 'vitest';

import { commitSample } from '../tiers/commit-sample.ts';
import { TIER } from '../tiers/tiers.ts';
import { PLANTED } from './deviations.ts';
import { isHeadedBy, tryFirstDay } from './try-first-day.ts';

const CHECKS = '^(?!matrix|stateful|races|rate-limit)';
/** Clauses that one deviation may be said to break: some are printed twice. */
const CLAUSES_MOST = 3;
const LOST_MOST = 0.02;

it.each(commitSample('first-day', PLANTED, TIER === 'rest' ? 12 : 4))('tells once: $name', async (planted) => {
  const { heads, clauses, checks, lost } = await tryFirstDay([planted], CHECKS);
  expect(isHeadedBy(planted, heads[0] ?? []), `headed by ${heads[0]?.join(', ')}`).toBe(true);
  expect(clauses.length).toBeLessThanOrEqual(CLAUSES_MOST);
  expect(lost.length / checks, `without a verdict: ${lost.join(', ')}`).toBeLessThanOrEqual(LOST_MOST);
});
