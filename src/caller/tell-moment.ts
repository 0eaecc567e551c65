/**
 * Telling a moment: what came out, the requests that it came from, and what to change.
 */

import { formatDuration } from '../common/duration.ts';
import type { Difference } from '../oracle/caller/paper-verdict.ts';
import { submissionsOf, type Submission } from '../oracle/caller/marks.ts';
import { isForged, requestText } from '../oracle/caller/traffic-rules.ts';
import { SUBMISSION, type SeenRequest } from '../record/caller-history.ts';
import type { Moment } from '../record/moments.ts';
import type { CallerVerdict } from '../record/words.ts';
import type { JudgedMoment } from './provoke.ts';

const MOST_DIFFERENCES = 3;
const MOST_REQUESTS = 6;
/** A program that waits before it tries again waits longer. */
const LIBRARY_GAP_MS = 20;

/** What came out and what was asked for, a line each. */
export function storyOf({ differences, verdict, run }: JudgedMoment): readonly string[] {
  const more = differences.length - MOST_DIFFERENCES;
  return [
    ...differences.slice(0, MOST_DIFFERENCES).flatMap(differenceLines),
    ...(more > 0 ? [`The same of ${more} more.`] : []),
    ...(verdict === 'hung' ? [`It had not ended after ${formatDuration(run.end.durationMs)}, and was killed.`] : []),
    ...(verdict === 'printed-said-failed' ? printedLines(run) : []),
    ...refusalLines(run.deliveries),
  ];
}

/** What came out although the app says that it failed: what the moment was about, or else all. */
function printedLines(run: JudgedMoment['run']): readonly string[] {
  const submissions = submissionsOf(run);
  const hit = submissions.find(({ request }) => request.isHit);
  if (hit === undefined) return ['All that was asked for came out, and the app says that it failed.'];
  const same = submissions.filter(({ mark }) => JSON.stringify(mark) === JSON.stringify(hit.mark));
  return [`${nameOf(hit.mark.title)} came out, and the app says that it failed.`, ...requestLines(same)];
}

function nameOf(title: string): string {
  return title === '' ? 'A job without a title' : title;
}

function differenceLines({ what, title, papers, toCome, expected, submissions }: Difference): readonly string[] {
  const name = nameOf(title);
  const usual = timesText(expected);
  const later = `will come out ${timesText(toCome)} when its printer or computer can print`;
  const out = papers > 0 ? `came out ${timesText(papers)}${toCome > 0 ? `, and ${later}` : ''}` : later;
  const happened = {
    more: `${name} ${out}; without it, ${usual}.`,
    less: `${name} came out ${timesText(papers)}; without it, ${usual}. The app asked for it ${timesText(submissions.length)}.`,
    held: `${name} has not come out: the service has the job, and its printer or computer cannot print now.`,
    unasked: `${name} did not come out: the app never asked for it.`,
    unclear: `${name} came out ${timesText(papers)}, and without it another number each time.`,
  }[what];
  return [happened, ...requestLines(submissions)];
}

function timesText(count: number): string {
  return count === 0 ? 'not at all' : count === 1 ? 'once' : `${count} times`;
}

function requestLines(submissions: readonly Submission[]): readonly string[] {
  const lines = submissions.map((submission, index) => {
    const before = submissions[index - 1];
    const way = before ? [gapText(before, submission)] : keptText(submission.request);
    return `${index + 1}. ${[requestText(submission.request), ...way, keyText(submission), fateOf(submission.request)].join(', ')}`;
  });
  const more = lines.length - MOST_REQUESTS;
  return more > 0 ? [...lines.slice(0, MOST_REQUESTS), `… and ${more} more`] : lines;
}

function gapText({ request: before, mark }: Submission, { request, mark: again }: Submission): string {
  const other = request.isKept ? 'another connection that was kept open' : 'a new connection';
  const where = request.connection === before.connection ? 'the same connection' : other;
  const isSame = JSON.stringify(mark) === JSON.stringify(again);
  const gapMs = Math.round(request.sentMs - (before.answer?.atMs ?? before.sentMs));
  const library = isLibrary(before, request) ? ' (perhaps by your HTTP library: see below)' : '';
  return `${gapMs} ms later on ${where}, ${isSame ? 'the same bytes' : 'otherwise'}${library}`;
}

/** Whether it came faster than a program asks again, and is the same to the last header. */
function isLibrary(before: SeenRequest, again: SeenRequest): boolean {
  if (before.got !== null || !before.isHit) return false;
  if (JSON.stringify(before.headers) !== JSON.stringify(again.headers)) return false;
  return (
    again.sentMs - (before.answer?.atMs ?? before.sentMs) < LIBRARY_GAP_MS && again.connection !== before.connection
  );
}

function keyText({ key }: Submission): string {
  return key === undefined ? 'without X-Idempotency-Key' : `with X-Idempotency-Key ${key}`;
}

function keptText({ isHit, isKept }: SeenRequest): readonly string[] {
  return isHit && isKept ? ['on a connection that was kept open'] : [];
}

function fateOf({ answer, got, jobId }: SeenRequest): string {
  const job = jobId === null ? '' : `job ${jobId}`;
  if (got === null) return jobId === null ? 'it got lost' : `the job was taken (${job}), and the answer got lost`;
  if (got !== answer?.status) return `the job was taken (${job}), and the answer was ${got}`;
  return `${got}${job === '' ? '' : `: ${job}`}`;
}

function refusalLines(deliveries: JudgedMoment['run']['deliveries']): readonly string[] {
  return deliveries
    .filter(({ kind }) => isForged(kind))
    .map(({ kind, status }) => {
      const secret = kind === 'forged' ? 'another secret' : 'none';
      return `The app answered ${status ?? 'nothing'} to the forged event with ${secret}.`;
    });
}

/** What to change in the app; empty where all is well. */
export function mendingOf({ verdict, moment, differences, run }: JudgedMoment): string {
  const isByLibrary = differences.some(({ submissions }) =>
    submissions.some(({ request }, index) => {
      const before = submissions[index - 1]?.request;
      return before !== undefined && isLibrary(before, request);
    }),
  );
  if (verdict === 'printed-twice' && isByLibrary) return LIBRARY;
  const isUnasked = differences.every(({ what }) => what === 'unasked');
  if (verdict === 'lost' && moment.fault === 'new-type') return NEW_TYPE;
  if (verdict === 'lost' && isUnasked && (moment.at === 'event' || isSubmission(moment))) return UNASKED;
  if (verdict === 'printed-said-failed' && run.requests.some(({ got }) => got === CONFLICT)) return OWN_CONFLICT;
  return MENDING[verdict]?.(moment) ?? '';
}

function isSubmission(moment: Moment): boolean {
  return moment.at === 'request' && moment.place === SUBMISSION;
}

const CONFLICT = 409;

const LIBRARY =
  'If your code did not ask twice, your HTTP library did: some repeat a POST whose answer is lost on a connection that was kept open, and your logs show nothing of it. An X-Idempotency-Key on every POST /printjobs is what helps: made when the order is made, not when the request is.';
const OWN_CONFLICT =
  'Take 409 on a key of your own for “an earlier try was taken”: that is a success, and not a failure. Who reads of a failure presses Print again.';
const EVENTS =
  'Remember by printJobId and state what you have acted on: an event may come twice, late, and in any order.';
const WAITS =
  'A job that is late has not failed: it comes out once its printer or computer can print. Cancel it (DELETE /printjobs/ID) and see that it was cancelled, before you send it again.';
const NEW_TYPE =
  'Skip an event of a type that you do not know, and go on with the others that came with it: there will be more types.';
const UNASKED =
  'The job was printed, and what follows from it never came. An event may come before the answer that has the id of its job, and with others in one request: keep what you do not know yet until you do, and look into each.';
const KEY =
  'Make a key when the order is made, not when the request is (X-Idempotency-Key: label-A-1001), send it with each try, and take 409 for “it was taken”.';

type Mending = (moment: Moment) => string;

const MENDING: Readonly<Partial<Record<CallerVerdict, Mending>>> = {
  'printed-twice': ({ at, fault }) => {
    if (fault === 'crowd') {
      return 'A list has at most 100 records, the newest first: go on with after=<last id> until a page has fewer, or until Records-Total are read, before you take a job for missing.';
    }
    if (fault === 'forged')
      return 'Compare the secret of each event with the one that you registered, and answer 401 where it is another.';
    if (at === 'room') return WAITS;
    return at === 'event' ? EVENTS : KEY;
  },
  lost: ({ fault }) => {
    if (fault === 'key-revoked')
      return 'Look at the status: after 401 no other try will be taken. Say at once that nothing was printed.';
    return fault.startsWith('busy')
      ? 'Look at the status: 429 is a refusal. Wait as long as Retry-After says, send it again, and say so if it is never taken.'
      : 'Look at the status of each answer, try again with the same X-Idempotency-Key, and end with an error if it is never taken.';
  },
  'printed-said-failed': (moment) => {
    if (moment.at === 'event') return moment.fault === 'new-type' ? NEW_TYPE : EVENTS;
    return moment.at === 'request' && moment.place.startsWith('GET ')
      ? 'Only a question about the job got no good answer: ask again, and if none comes say that its state is not known. Who reads of a failure presses Print again.'
      : `Who reads of a failure presses Print again, and then it is there twice. Where no answer came, ask again with the same X-Idempotency-Key before you say that it failed. ${KEY}`;
  },
  hung: () => 'Give each request a limit of time, and each job a last try.',
  'ended-too-early': () => 'Let the test wait until what follows from the event has happened.',
};
