/**
 * Traffic rules: clauses that a caller keeps or breaks, seen in its requests alone. Each is worded so narrowly that no
 * sound app breaks it: it looks at one request and at the same request again, never at any two.
 */

import {
  LIST,
  SUBMISSION,
  type CallerHistory,
  type Said,
  type SeenDelivery,
  type SeenRequest,
} from '../../record/caller-history.ts';
import { LIST_HEADERS, WEBHOOK_STATUS_HEADER } from '../../specification/headers.ts';
import { fieldsOf, submissionsOf, type Submission } from './marks.ts';

/** A clause that was broken, and where. */
export interface CallerBreak {
  readonly clause: CallerClause;
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

/** What is known beside the traffic. */
export interface Surroundings {
  /** Undefined where that is not known. */
  readonly said: Said | undefined;
  /** How often the caller asks for the same when nothing goes wrong: two labels that look alike are no repetition. */
  readonly usual: (submission: Submission) => number;
  /** Whether the caller printed again what stood on a page of a list that it did not read. */
  readonly hasMissedPage: boolean;
}

type Broken = Omit<CallerBreak, 'clause'>;
type Rule = (history: CallerHistory, surroundings: Surroundings) => readonly Broken[];

const RULES = {
  'events/receiver-sends-header': ({ deliveries }) =>
    deliveries.filter(isTakenWithoutHeader).map((delivery) => ({
      at: deliveryText(delivery),
      expected: `2xx with ${WEBHOOK_STATUS_HEADER.name}: ${WEBHOOK_STATUS_HEADER.value}`,
      actual: `${delivery.status} ${delivery.confirmation === null ? 'without it' : `with ${delivery.confirmation}`}: the service sends every event again`,
    })),
  'events/receiver-verifies-secret': ({ deliveries }) =>
    deliveries
      .filter(({ kind, hook, status, confirmation }) => {
        const genuine = deliveries.find((sent) => sent.kind === 'event' && sent.hook === hook);
        const isAlike = status === genuine?.status && confirmation === genuine?.confirmation;
        return isForged(kind) && isSuccess(status) && isAlike;
      })
      .map((delivery) => ({
        at: deliveryText(delivery),
        expected: 'a refusal, such as 401, of an event that comes with another secret or with none',
        actual: `${delivery.status}, as for a genuine one: anybody who knows the address can say that a job is done`,
      })),
  'print-jobs/option-copies-positive': (history) =>
    submissionsOf(history).flatMap(({ request }) => {
      const { copies } = optionsOf(request);
      if (copies === undefined || Number(copies) > 0) return [];
      return [
        { at: requestText(request), expected: 'copies that are positive', actual: `copies ${JSON.stringify(copies)}` },
      ];
    }),
  'service/set-empty-not-sent': ({ requests }) =>
    requests
      .filter(({ place, target }) => place.startsWith('DELETE ') && /^\/[a-z]+\/+(\?|$)/.test(target))
      .map((request) => ({
        at: requestText(request),
        expected: 'no request where there is nothing to delete',
        actual: 'a DELETE with an empty set, which some services take for all there is',
      })),
  'print-jobs/caller-sends-key': (history, { usual }) =>
    repeatsOf(history, usual)
      .filter(({ first, again }) => first.key === undefined && again.key === undefined)
      .map(({ first, again }) => ({
        at: pairText(first, again),
        expected: 'the same X-Idempotency-Key with each try',
        actual: 'neither had one: the service cannot tell the second try from a second job',
      })),
  'print-jobs/caller-keeps-key': (history, { usual }) =>
    repeatsOf(history, usual)
      .filter(({ first, again }) => first.key !== undefined && first.key !== again.key)
      .map(({ first, again }) => ({
        at: pairText(first, again),
        expected: `the key of the first try, ${first.key}`,
        actual: `${again.key ?? 'none'}: a key that is made for each try protects nothing`,
      })),
  'print-jobs/caller-own-conflict': (history, { said }) =>
    said !== 'failed'
      ? []
      : submissionsOf(history)
          .filter((submission, _, all) => submission.request.got === CONFLICT && isTakenBefore(submission, all))
          .map(({ request, key }) => ({
            at: requestText(request),
            expected: `409 on its own key ${key} taken for “this job was taken before”`,
            actual: 'the app says that it failed, and the paper is in the printer',
          })),
  'limits/caller-waits': (history, { usual }) => {
    const repeated = new Set(sameOnes(history, usual).flatMap((same) => same.map(({ request }) => request)));
    const isCounted = (request: SeenRequest): boolean => request.place !== SUBMISSION || repeated.has(request);
    const alike = Map.groupBy(history.requests.filter(isCounted), requestName);
    return history.requests.flatMap((request) => {
      const waitMs = retryAfterMs(request);
      if (waitMs === undefined) return [];
      const answeredMs = request.answer?.atMs ?? request.sentMs;
      const again = alike.get(requestName(request))?.find(({ sentMs }) => sentMs >= answeredMs);
      const gapMs = again ? again.sentMs - request.sentMs : Infinity;
      if (gapMs >= waitMs * WAIT_TOLERANCE) return [];
      const actual = `the same request after ${Math.round(gapMs)} ms`;
      return [{ at: requestText(request), expected: `nothing for ${waitMs / 1_000} s (Retry-After)`, actual }];
    });
  },
  'limits/caller-asks-rarely': ({ requests }) =>
    [...Map.groupBy(requests.filter(isAnsweredLook), ({ target }) => target)].flatMap(([target, looks]) => {
      const spanMs = (looks.at(-1)?.sentMs ?? 0) - (looks[0]?.sentMs ?? 0);
      const gapMs = spanMs / (looks.length - 1);
      if (looks.length < MANY_LOOKS || gapMs >= LEAST_GAP_MS) return [];
      const actual = `${looks.length} requests, one every ${Math.round(gapMs)} ms`;
      return [{ at: `GET ${target}`, expected: 'a webhook, or a look every second at most', actual }];
    }),
  'service/caller-pages': ({ requests }, { hasMissedPage }) =>
    requests
      .filter((request) => hasMissedPage && isCutList(request))
      .flatMap((request, index, cut) => {
        const isContinued = requests.some(
          ({ target, sentMs }) => sentMs > request.sentMs && target.includes('after=') && target !== request.target,
        );
        if (isContinued || index < cut.length - 1) return [];
        const total = request.answer?.headers[RECORDS_TOTAL];
        const actual = `${recordsIn(request)} of ${total} were read`;
        return [
          { at: requestText(request), expected: `a request with after= until ${total} records are read`, actual },
        ];
      }),
} as const satisfies Readonly<Record<string, Rule>>;

/** Clauses that are judged by the traffic of a caller. */
export type CallerClause = keyof typeof RULES;
export const CALLER_CLAUSES = Object.keys(RULES) as readonly CallerClause[];

export function trafficBreaks(history: CallerHistory, surroundings: Surroundings): readonly CallerBreak[] {
  return CALLER_CLAUSES.flatMap((clause) =>
    RULES[clause](history, surroundings).map((broken) => ({ clause, ...broken })),
  );
}

const CONFLICT = 409;
const TOO_MANY = 429;
/** How much of a wait is enough, since the answer had to come back first. */
const WAIT_TOLERANCE = 0.95;
const MANY_LOOKS = 10;
const LEAST_GAP_MS = 1_000;
const RECORDS_TOTAL = LIST_HEADERS.total.name.toLowerCase();

interface Repeat {
  readonly first: Submission;
  readonly again: Submission;
}

/**
 * The same thing submitted again, more often than is usual, when the caller could not know whether the first was taken
 * and did not look at the list between the two.
 */
function repeatsOf(history: CallerHistory, usual: Surroundings['usual']): readonly Repeat[] {
  const looks = history.requests.filter(({ place }) => place.startsWith('GET /printjobs'));
  const isLookedUp = (first: SeenRequest, again: SeenRequest): boolean =>
    looks.some(({ sentMs }) => sentMs > first.sentMs && sentMs < again.sentMs);
  return sameOnes(history, usual).flatMap((submissions) =>
    submissions.flatMap((again, index) => {
      const first = submissions[index - 1];
      if (!first || !isLost(first.request) || isLookedUp(first.request, again.request)) return [];
      return [{ first, again }];
    }),
  );
}

/** Submissions of the same thing, where there are more of it than usual. */
function sameOnes(history: CallerHistory, usual: Surroundings['usual']): readonly (readonly Submission[])[] {
  const same = [...Map.groupBy(submissionsOf(history), ({ mark }) => JSON.stringify(mark)).values()];
  return same.filter(([first, ...others]) => first !== undefined && others.length >= usual(first));
}

/** Whether the caller cannot know if the job was taken. */
function isLost({ got }: SeenRequest): boolean {
  return got === null || got >= 500;
}

function isTakenBefore({ request: { sentMs }, key }: Submission, all: readonly Submission[]): boolean {
  if (key === undefined) return false;
  return all.some((one) => one.key === key && one.request.sentMs < sentMs && isTakenUnknown(one.request));
}

function isTakenUnknown(request: SeenRequest): boolean {
  return request.jobId !== null && isLost(request);
}

function retryAfterMs({ got, answer }: SeenRequest): number | undefined {
  const seconds = Number(answer?.headers['retry-after']);
  return got === TOO_MANY && Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

/** The same for requests that ask for the same. */
function requestName({ place, target, body }: SeenRequest): string {
  return `${place} ${target} ${body.toString('latin1')}`;
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

export function isForged(kind: SeenDelivery['kind']): boolean {
  return kind === 'forged' || kind === 'unsigned';
}

function isTakenWithoutHeader({ kind, status, confirmation }: SeenDelivery): boolean {
  const isGenuine = kind === 'event' || kind === 'again';
  return isGenuine && isSuccess(status) && confirmation !== WEBHOOK_STATUS_HEADER.value;
}

function isAnsweredLook({ place, got }: SeenRequest): boolean {
  return got === 200 && place.startsWith('GET /printjobs/N');
}

function isCutList(request: SeenRequest): boolean {
  const total = Number(request.answer?.headers[RECORDS_TOTAL]);
  const isFirst = !/[?&]after=\d/.test(request.target);
  return isFirst && request.place === LIST && request.got === 200 && total > recordsIn(request);
}

function recordsIn({ answer }: SeenRequest): number {
  const records: unknown = JSON.parse(answer?.body || '[]');
  return Array.isArray(records) ? records.length : 0;
}

function optionsOf(request: SeenRequest): Readonly<Record<string, unknown>> {
  const { options } = fieldsOf(request);
  return typeof options === 'object' && options !== null ? (options as Readonly<Record<string, unknown>>) : {};
}

function deliveryText({ hook, kind, sentMs }: SeenDelivery): string {
  const names = {
    event: 'events',
    again: 'the same events again',
    forged: 'an event with another secret',
    unsigned: 'an event without a secret',
  };
  return `${names[kind]} sent to ${hook} after ${Math.round(sentMs)} ms`;
}

export function requestText({ place, nth }: SeenRequest): string {
  return `${place}#${nth}`;
}

function pairText(first: Submission, again: Submission): string {
  return `${requestText(first.request)} and ${requestText(again.request)}`;
}
