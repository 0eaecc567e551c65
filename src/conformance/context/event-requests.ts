/**
 * What the requests of a webhook carry, and when they come: from an event, or from the request that failed before.
 */

import type { Duration } from '../../common/duration.ts';
import { showValue } from '../../common/json-value.ts';
import type { TimeInterval } from '../../common/timekeeper.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { WebhookDelivery } from '../../sink/webhook-receiver.ts';
import { LIMITS } from '../../specification/limits.ts';
import { expectThat, sameJson } from '../expect/that.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { CheckEnded } from './check-ended.ts';
import type { CheckContext } from './context.ts';
import {
  arrivalOf,
  describeRequests,
  eventsOf,
  expectRequests,
  jobEvents,
  passedBetween,
  placesOfSecret,
  replyEndOf,
  showPassed,
  timesSent,
  type Happening,
} from './events.ts';
import type { Listener, ListeningAddress } from './listening.ts';

export const RETRY_DELAY_MS = LIMITS.webhookRetryDelaySeconds.value * 1_000;
const EARLY_MS = TOLERANCES.retryEarly.ms;

const graceMs = ({ target }: CheckContext): number => lateMs(TOLERANCES.eventLate, target);
/** A retry is there by then. */
export const retryLimitMs = (context: CheckContext): number => RETRY_DELAY_MS + graceMs(context) + 500;

/** Ids of jobs that a request carries events of. */
export function carried(request: WebhookDelivery | undefined, jobs: readonly Happening[]): readonly number[] {
  const all = request ? [request] : [];
  return jobs.map(({ jobId }) => jobId).filter((jobId) => jobEvents(all, jobId).length > 0);
}

/** Expects that the first event of a job was sent this many times; `seenAt` is the address that knows which it is. */
export function expectSent(
  { requests }: ListeningAddress,
  { jobId }: Happening,
  wanted: number,
  seenAt?: ListeningAddress,
): Mismatch | undefined {
  const sent = timesSent(requests, jobId, seenAt?.requests);
  const actual = `${sent}, in ${describeRequests(requests)}`;
  return expectThat(sent === wanted, `times the first event of job ${jobId} was sent`, `${wanted}`, actual);
}

/** Expects all events of the first request, which failed, in those after it. */
export function expectAllAgain({ requests }: ListeningAddress): Mismatch | undefined {
  const later = eventsOf(requests.slice(1));
  const areAgain = eventsOf(requests.slice(0, 1)).every(({ object: { data } }) =>
    later.some(({ object }) => sameJson(object['data'], data)),
  );
  return expectRequests(requests, areAgain, 'requests of a webhook', 'all events of the first one again');
}

/** Expects a queued event to be sent again with the secret that its webhook had. */
export function expectOldSecret(
  listener: ListeningAddress & Pick<Listener, 'secret'>,
  job: Happening,
): Mismatch | undefined {
  const request = jobEvents(listener.requests, job.jobId).at(-1)?.request;
  const isOld = request !== undefined && placesOfSecret(request, listener.secret).length > 0;
  const at = 'a request with an event from before the secret changed';
  return expectSent(listener, job, 2) ?? expectThat(isOld, at, 'the old secret', 'another one, or none');
}

export function expectCarries(request: WebhookDelivery | undefined, jobs: readonly Happening[]): Mismatch | undefined {
  const ids = carried(request, jobs);
  const wanted = jobs.map(({ jobId }) => jobId);
  return expectThat(ids.length === jobs.length, 'jobs in one request', `all of ${wanted.join(', ')}`, ids);
}

/** Expects the event of a job that a request failed with to be sent again with the same `createdAt`. */
export function expectSameTime(
  failed: WebhookDelivery,
  again: WebhookDelivery | undefined,
  job: Happening | undefined,
): Mismatch | undefined {
  const timesIn = (request: WebhookDelivery | undefined): readonly unknown[] =>
    jobEvents(request ? [request] : [], job?.jobId ?? 0).map(({ object }) => object['createdAt']);
  const [before] = timesIn(failed);
  const after = timesIn(again);
  return expectThat(after.includes(before), 'createdAt of an event that is sent again', showValue(before), after);
}

/** From the end of the reply to one request to the arrival of the next. */
export function pauseBetween(context: CheckContext, before: WebhookDelivery, after: WebhookDelivery): TimeInterval {
  return passedBetween(replyEndOf(context, before), arrivalOf(context, after));
}

/** Expects the next request five seconds after a failed one. */
export function expectRetryDelay(
  context: CheckContext,
  before: WebhookDelivery,
  after: WebhookDelivery | undefined,
): Mismatch | undefined {
  const most = graceMs(context);
  const pause = after && pauseBetween(context, before, after);
  const holds = pause !== undefined && pause.toMs >= RETRY_DELAY_MS - EARLY_MS && pause.fromMs <= RETRY_DELAY_MS + most;
  const wanted = `${RETRY_DELAY_MS} ms, at most ${most} ms more`;
  return expectThat(holds, 'time from a failed request to the next', wanted, pause ? showPassed(pause) : 'no next one');
}

/** Requests as soon as there are `count`, of which the last comes five seconds after one that failed. */
export function waitForRetry(
  context: CheckContext,
  listener: Pick<Listener, 'requests' | 'waitForRequests'>,
  count: number,
): Promise<readonly WebhookDelivery[]> {
  const failed = listener.requests.at(-1);
  const dueMs = failed && replyEndOf(context, failed).fromMs + RETRY_DELAY_MS - 2 * EARLY_MS;
  return listener.waitForRequests(count, retryLimitMs(context), dueMs);
}

/** Expects a request right after something happened. */
export function expectAtOnce(
  context: CheckContext,
  request: WebhookDelivery | undefined,
  happening: Happening,
): Mismatch | undefined {
  const most = graceMs(context);
  const delay = request && passedBetween(happening, arrivalOf(context, request));
  const holds = delay !== undefined && delay.fromMs <= most;
  const shown = delay ? showPassed(delay) : 'no request';
  return expectThat(holds, 'time from an event to its request', `at most ${most} ms`, shown);
}

/** The first request, or one that follows a failed one. Ends the check when it does not come. */
export async function requestOf(context: CheckContext, listener: Listener, count: number): Promise<WebhookDelivery> {
  const requests = await (count === 1 ? listener.waitForRequests(1) : waitForRetry(context, listener, count));
  const request = requests[count - 1];
  const isThere = request !== undefined;
  context.require(expectRequests(listener.requests, isThere, 'requests of the webhook', `${count}`));
  if (request) return request;
  throw new CheckEnded('blocked', 'no request');
}

/**
 * The request that has the event of a job again. One at a time is not printed: others may come before it, with what
 * occurred while the first was under way.
 */
export async function requestAgain(
  listener: Listener,
  job: Happening,
  limit: Duration,
): Promise<WebhookDelivery | undefined> {
  for (let count = 2; ; count++) {
    const again = (await listener.waitForRequests(count, limit))[count - 1];
    if (!again || carried(again, [job]).length > 0) return again;
  }
}

/** Expects a request to carry the event that failed before, and all of the others that were not sent meanwhile. */
export function expectCarriesDue(
  { requests }: Listener,
  again: WebhookDelivery | undefined,
  failed: Happening,
  others: readonly Happening[],
): Mismatch | undefined {
  const before = requests.slice(0, again ? requests.indexOf(again) : 0);
  const due = others.filter((job) => before.every((request) => carried(request, [job]).length === 0));
  return expectCarries(again, [failed, ...due]);
}
