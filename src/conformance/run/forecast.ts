/**
 * Forecast: about how long a run on a real clock takes, said before its first check. `platen check --plan` finds it out
 * more exactly, by a rehearsal.
 *
 *   the longest wait                                           ┐
 *   requests, at the rate of a lane, divided among lanes       ├─► the longest of them
 *   one lane: and the waits of checks that want it for themselves, one after the other
 */

import { formatDuration } from '../../common/duration.ts';
import type { Target } from '../../target/target.ts';
import type { Check } from '../check.ts';
import { spanOf } from '../verdict/levels.ts';
import type { Lanes } from './lanes.ts';
import { locksOf } from './locks.ts';

export interface Forecast {
  readonly checks: number;
  readonly lanes: number;
  readonly ms: number;
  /** Why there is one lane only, and what that costs. */
  readonly lack: string | undefined;
}

/** On a real clock, as rehearsals of the whole suite have it. */
const REQUESTS_OF_CHECK = 11;
const LONGEST_WAIT_MS = 50_000;
const WAIT_MS = 8_000;
const USUAL_LANES = 6;

export function forecastOf(checks: readonly Check[], lanes: Lanes, { requestsPerSecond }: Target): Forecast {
  const waiting = checks.filter(({ clauses }) => clauses.some((clause) => spanOf(clause) !== 'instant'));
  const alone = lanes.accounts.length > 0 ? [] : waiting.filter((check) => locksOf(check).has('account'));
  const sendingMs = requestsPerSecond ? (checks.length * REQUESTS_OF_CHECK * 1_000) / requestsPerSecond : 0;
  const longestMs = waiting.length > 0 ? LONGEST_WAIT_MS : 0;
  const count = lanes.shared.length;
  const ms = Math.max(longestMs, sendingMs / count + alone.length * WAIT_MS);
  const inSeveralMs = Math.max(longestMs, sendingMs / USUAL_LANES);
  const lack = lanes.lack && `${lanes.lack}; ${USUAL_LANES} lanes would take about ${rounded(inSeveralMs)}`;
  return { checks: checks.length, lanes: count, ms, lack };
}

function rounded(ms: number): string {
  return formatDuration(Math.ceil(ms / 5_000) * 5_000);
}

/** `about 8m 40s for 268 checks in one lane: POST /account answered 403; 6 lanes would take about 1m 25s`. */
export function describeForecast({ checks, lanes, ms, lack }: Forecast): string {
  const where = lanes === 1 ? 'one lane' : `${lanes} lanes`;
  return `about ${rounded(ms)} for ${checks} checks in ${where}${lack === undefined ? '' : `: ${lack}`}`;
}
