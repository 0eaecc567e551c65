/**
 * Excess: requests beyond the rate that a service grants, and what must come of them. `about 30` is read as 27 at
 * least.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import { findExcess, type CountedRequest, type RateRule } from '../../oracle/rate-limit.ts';
import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import { expectHeader, expectStatus, type Answer } from '../expect/answer.ts';
import { expectThat } from '../expect/that.ts';
import type { ApiClient } from './api-client.ts';
import { CameTooLate } from './check-ended.ts';
import type { CheckContext } from './context.ts';

/** A service that counts in windows lets two bursts through where two windows meet. */
export const RULE: RateRule = { perSecond: LIMITS.requestsPerSecond.value, burstLeast: 27, burstMost: 60 };
export const TOO_MANY = ERRORS.TooManyRequests.status;

/** Longer than a bucket of 40 takes to fill. */
export const PAUSE = '5s';
/** As many at once go over any burst that is `about 30`. */
export const DRAINING = 65;

export interface Sent extends CountedRequest {
  readonly answer: Answer;
}

/** A request and when it may have been counted, on the clock of the target. */
export async function sendOne({ target }: CheckContext, send: () => Promise<Answer>): Promise<Sent> {
  const sentMs = target.timekeeper.now();
  const answer = await send();
  return { sentMs, receivedMs: target.timekeeper.now(), isRefused: answer.status === TOO_MANY, answer };
}

/** At once: on a virtual clock no time goes by between them, and one after the other keeps their order. */
export async function sendAtOnce(
  context: CheckContext,
  requests: readonly (() => Promise<Answer>)[],
): Promise<readonly Sent[]> {
  if (!context.target.timekeeper.isVirtual) return Promise.all(requests.map((send) => sendOne(context, send)));
  const sent: Sent[] = [];
  for (const send of requests) sent.push(await sendOne(context, send));
  return sent;
}

export const noops = (api: ApiClient, count: number): readonly (() => Promise<Answer>)[] =>
  Array.from({ length: count }, () => () => api.get('/noop'));

/** Ends the check unless there is a service at the other end that limits by request. */
export async function requireService({ api, require }: CheckContext): Promise<void> {
  const answer = await api.get('/noop');
  require(expectStatus(answer, 200), expectHeader(answer, AUTHENTICATION_HEADERS.account.name));
}

/** Ends the check where the machine was too slow for an excess. */
export function expectSomeRefused(excess: readonly Sent[], at: string): Mismatch | undefined {
  const window = findExcess(excess, RULE);
  if (window === undefined && excess.every(({ isRefused }) => !isRefused)) {
    throw new CameTooLate('requests could not be sent fast enough to go beyond the rate');
  }
  const wanted = `at most ${RULE.burstMost} and ${RULE.perSecond} a second without ${TOO_MANY}`;
  return expectThat(window === undefined, at, wanted, `${window?.accepted} in ${window?.seconds} s`);
}
