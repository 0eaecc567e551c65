/**
 * Events of a check: making one happen, and reading what the requests of a webhook carry.
 *
 * What `data` of an event looks like is a gap. An event is about a job where a name says that its id stands there, as
 * `printJobId` or `job.id` does, and without such a name when it stands anywhere; about a computer when its id or its
 * host name stands anywhere. It tells a state in the same way.
 */

import { spellingsOf } from '../../common/spellings.ts';
import { countOf } from '../../common/count-of.ts';
import type { TimeInterval } from '../../common/timekeeper.ts';
import { isObject, type JsonObject, sortedJson } from '../../common/json-value.ts';
import { leavesOf } from '../../common/places.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { WebhookDelivery } from '../../sink/webhook-receiver.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { expectThat, sameJson } from '../expect/that.ts';
import type { CheckContext } from './context.ts';
import { jobBody, submit } from './jobs.ts';
import type { ScriptedComputer } from './scripted-computer.ts';

/** An event as it arrived. */
export interface SeenEvent {
  /** Without keys when it was no object. */
  readonly object: JsonObject;
  /** As JSON with its keys in order: the same text, the same event. */
  readonly text: string;
  readonly request: WebhookDelivery;
}

/** Something that was made to happen between two looks at the clock of the target. */
export interface Happening extends TimeInterval {
  readonly jobId: number;
}

/**
 * Makes an event happen: a job for a computer that is away is registered, and waits.
 * Ends the check as blocked when the job is refused.
 */
export async function makeEvent(context: CheckContext, printerId: number): Promise<Happening> {
  const { timekeeper } = context.target;
  const fromMs = timekeeper.now();
  const jobId = await submit(context, jobBody(printerId));
  return { jobId, fromMs, toMs: timekeeper.now() };
}

/** Time for a request to be on its way and to be noticed. */
const ON_ITS_WAY_MS = 250;

/** Lets all arrive that is due by now, as late as is tolerated. */
export function untilDueArrived({ target, elapse }: CheckContext): Promise<void> {
  return elapse(lateMs(TOLERANCES.eventLate, target) + ON_ITS_WAY_MS);
}

/** When a request arrived, on the clock of the target; a moved clock leaves it open within one move. */
export function arrivalOf({ target }: CheckContext, request: WebhookDelivery): TimeInterval {
  const { arrivedAtMs: atMs, arrivedMonotonicMs } = request;
  return target.timekeeper.moved?.placeOf(arrivedMonotonicMs) ?? { fromMs: atMs, toMs: atMs };
}

/** As arrivalOf, of the end of the reply to it; that of a request without one is its arrival. */
export function replyEndOf(context: CheckContext, request: WebhookDelivery): TimeInterval {
  const { endedAtMs: atMs, endedMonotonicMs } = request.reply;
  if (atMs === null || endedMonotonicMs === null) return arrivalOf(context, request);
  return context.target.timekeeper.moved?.placeOf(endedMonotonicMs) ?? { fromMs: atMs, toMs: atMs };
}

/** From one time to a later one, in milliseconds: at least and at most. */
export function passedBetween(before: TimeInterval, after: TimeInterval): TimeInterval {
  return { fromMs: after.fromMs - before.toMs, toMs: after.toMs - before.fromMs };
}

/** `5003 ms`, or `4900 to 5000 ms`. */
export function showPassed({ fromMs, toMs }: TimeInterval): string {
  return fromMs === toMs ? `${fromMs} ms` : `${fromMs} to ${toMs} ms`;
}

/** All events of these requests, in the order in which they arrived. */
export function eventsOf(requests: readonly WebhookDelivery[]): readonly SeenEvent[] {
  return requests.flatMap((request) =>
    (request.events.ok ? request.events.value : []).map((value) => ({
      object: isObject(value) ? value : {},
      text: sortedJson(value),
      request,
    })),
  );
}

/** Those about a computer: by its id, or by the host name that is its own. */
export function computerEvents(
  requests: readonly WebhookDelivery[],
  { computerId, client }: Pick<ScriptedComputer, 'computerId' | 'client'>,
): readonly SeenEvent[] {
  const values = [computerId, String(computerId), client.hostname];
  return eventsOf(requests).filter(
    ({ object }) => object['type'] === 'computer state' && mentions(object['data'], values),
  );
}

/** Those about a print job. */
export function jobEvents(requests: readonly WebhookDelivery[], jobId: number): readonly SeenEvent[] {
  return eventsOf(requests).filter(({ object }) => object['type'] === 'print job state' && isAboutJob(object, jobId));
}

const JOB_NAME = /(^|\.)(print_?)?job(_?id|\.id)?$/i;
/** A printer and a computer that are told of have states of their own. */
const STATE_NAME = /^(?!.*(printer|computer|connection))(.*\.)?(new_?)?state$/i;

/** Whether the data of an event are about this job. */
export function isAboutJob({ data }: JsonObject, jobId: number): boolean {
  return tellingLeaves(data, JOB_NAME).some((leaf) => String(leaf) === String(jobId));
}

/** Whether the data of an event tell this state, and not as one that was before. */
export function tellsState({ data }: JsonObject, state: unknown): boolean {
  return tellingLeaves(data, STATE_NAME).some((leaf) => leaf === state);
}

const depthOf = (place: string): number => place.split('.').length;

/** What stands where a name says what it is, at the place with the fewest others around it; all without such a name. */
function tellingLeaves(data: unknown, name: RegExp): readonly (string | number)[] {
  const leaves = leavesOf(data);
  const named = leaves.filter(([place]) => name.test(place));
  const [nearest] = named.map(([place]) => depthOf(place)).toSorted((one, other) => one - other);
  const telling = nearest === undefined ? leaves : named.filter(([place]) => depthOf(place) === nearest);
  return telling.map(([, leaf]) => leaf);
}

/**
 * How often the first event of a job was sent. Only the same data is the same event: a job has a second one when its
 * service still holds the computer that went away for connected, and sends it there.
 *
 * @param known - the requests that tell which event is the first one, where those counted come later
 */
export function timesSent(
  requests: readonly WebhookDelivery[],
  jobId: number,
  known: readonly WebhookDelivery[] = requests,
): number {
  const [first] = jobEvents(known, jobId);
  if (!first) return 0;
  return jobEvents(requests, jobId).filter(({ object }) => sameJson(object['data'], first.object['data'])).length;
}

/** Whether one of the values stands anywhere inside. */
function mentions(inside: unknown, values: readonly unknown[]): boolean {
  if (typeof inside !== 'object' || inside === null) return values.includes(inside);
  return Object.values(inside).some((value) => mentions(value, values));
}

/** Expects a request to carry the secret of its webhook; where is a gap. */
export function expectSecret(request: WebhookDelivery, secret: string): Mismatch | undefined {
  const isThere = placesOfSecret(request, secret).length > 0;
  return expectThat(isThere, 'a webhook request', `the secret ${secret} anywhere`, 'none');
}

/** Every place of a request in which the secret stands, in whatever spelling, also within Basic credentials. */
export function placesOfSecret(
  { rawHeaders, query, body }: Pick<WebhookDelivery, 'rawHeaders' | 'query' | 'body'>,
  secret: string,
): readonly string[] {
  const spellings = spellingsOf(secret);
  const isIn = (text: string): boolean => spellings.some((spelling) => text.includes(spelling));
  const isEncoded = (value: string): boolean =>
    value.split(/[\s,=:]+/).some((word) => Buffer.from(word, 'base64').includes(secret));
  const howIn = (value: string): string | undefined => {
    if (value.includes(secret)) return value === secret ? 'as it is' : 'with more around it';
    if (isEncoded(value)) return 'in base64';
    return isIn(value) ? 'in another spelling' : undefined;
  };
  return [
    ...rawHeaders.flatMap(([name, value]) => {
      const how = howIn(value);
      return how === undefined ? [] : [`header ${name}, ${how}`];
    }),
    ...(isIn(query) ? ['the query'] : []),
    ...(isIn(Buffer.from(body.bytes).toString()) ? ['the body'] : []),
  ];
}

/** As expectThat, of what a webhook was sent. */
export function expectRequests(
  requests: readonly WebhookDelivery[],
  holds: boolean,
  at: string,
  expected: string,
): Mismatch | undefined {
  return expectThat(holds, at, expected, describeRequests(requests));
}

/** Expects no request at all. */
export function expectNoRequest(at: string, requests: readonly WebhookDelivery[]): Mismatch | undefined {
  return expectRequests(requests, requests.length === 0, at, 'no request');
}

/** Requests for people: `2 requests: 1 event (500) at 08:00:00.000, 3 events (ok) at 08:00:05.000`. */
export function describeRequests(requests: readonly WebhookDelivery[]): string {
  if (requests.length === 0) return 'no request';
  const shown = requests.map(({ events, reply, arrivedAtMs }) => {
    const what = events.ok ? countOf(events.value.length, 'event') : events.error;
    return `${what} (answered: ${reply.chosen?.name ?? 'not yet'}) at ${new Date(arrivedAtMs).toISOString().slice(11, 23)}`;
  });
  return `${countOf(requests.length, 'request')}: ${shown.join(', ')}`;
}
