/**
 * Forecast: about how long a run on a real clock takes, said before its first check. `platen check --plan` finds it out
 * more exactly, by a rehearsal.
 *
 *   one lane        requests at the rate granted, and the waits of checks that want the lane for themselves
 *   several lanes   the longest of: the longest wait, the checks of the Integrator Account, those of the request rate
 */

import { formatDuration } from '../../common/duration.ts';
import type { Target } from '../../targets/target.ts';
import type { Check } from '../check.ts';
import { spanOf } from '../verdict/levels.ts';
import { LANES_MOST, QUIET_LANES, type Lanes } from './lanes.ts';
import { isOfIntegrator, locksOf } from './locks.ts';

export interface Forecast {
  readonly checks: number;
  readonly lanes: number;
  readonly ms: number;
  /** Why there is one lane only, and what that costs. */
  readonly lack: string | undefined;
}

/** Measured on a real clock, in runs of the whole suite. */
const REQUESTS_OF_CHECK = 15;
const LONGEST_WAIT_MS = 50_000;
const WAIT_MS = 4_000;
/** The time that a check of the request rate takes, and one that works in the Integrator Account, alone or not. */
const RATE_CHECK_MS = 22_000;
const INTEGRATOR_ALONE_MS = 5_000;
const INTEGRATOR_SHARED_MS = 400;
/** Accounts are made before the first check, and removed after the last one. */
const ACCOUNTS_MS = 6_000;

export function forecastOf(checks: readonly Check[], lanes: Lanes, { requestsPerSecond }: Target): Forecast {
  const count = lanes.shared.length;
  const severalMs = msInLanes(checks);
  const ms = count > 1 ? severalMs : msInOneLane(checks, lanes, requestsPerSecond);
  const lack = lanes.lack && `${lanes.lack}; ${LANES_MOST} lanes would take about ${rounded(severalMs)}`;
  return { checks: checks.length, lanes: count, ms, lack };
}

function waitingOf(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ clauses }) => clauses.some((clause) => spanOf(clause) !== 'instant'));
}

function msInOneLane(checks: readonly Check[], lanes: Lanes, requestsPerSecond: number | undefined): number {
  const waiting = waitingOf(checks);
  const alone = lanes.accounts.length > 0 ? [] : waiting.filter((check) => locksOf(check).has('account'));
  const sendingMs = requestsPerSecond ? (checks.length * REQUESTS_OF_CHECK * 1_000) / requestsPerSecond : 0;
  return Math.max(waiting.length > 0 ? LONGEST_WAIT_MS : 0, sendingMs + alone.length * WAIT_MS);
}

function msInLanes(checks: readonly Check[]): number {
  const rate = checks.filter((check) => locksOf(check).has('request-rate'));
  const ofIntegrator = checks.filter(isOfIntegrator);
  const alone = ofIntegrator.filter((check) => locksOf(check).has('account'));
  const integratorMs = ofIntegrator.length * INTEGRATOR_SHARED_MS + alone.length * INTEGRATOR_ALONE_MS;
  const longestMs = waitingOf(checks).length > 0 ? LONGEST_WAIT_MS : 0;
  return ACCOUNTS_MS + Math.max(longestMs, integratorMs, (rate.length * RATE_CHECK_MS) / QUIET_LANES);
}

function rounded(ms: number): string {
  return formatDuration(Math.ceil(ms / 5_000) * 5_000);
}

/** `about 8m 40s for 268 checks in one lane: POST /account answered 403; 6 lanes would take about 1m 25s`. */
export function describeForecast({ checks, lanes, ms, lack }: Forecast): string {
  const where = lanes === 1 ? 'one lane' : `${lanes} lanes`;
  return `about ${rounded(ms)} for ${checks} ${checks === 1 ? 'check' : 'checks'} in ${where}${lack === undefined ? '' : `: ${lack}`}`;
}
