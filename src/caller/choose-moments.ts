/**
 * Choosing moments: what can go wrong for an app, by what it did while nothing went wrong.
 */

import { LIST, SUBMISSION, type SeenRequest, type SeenRun } from '../record/caller-history.ts';
import { EVENT_FAULTS, ROOM_FAULTS, type Moment, type RequestFault } from '../record/moments.ts';
import { countOf } from '../common/count-of.ts';
import { keysOf } from '../common/keys-of.ts';
import { submissionsOf, titleShape } from '../oracle/caller/marks.ts';

export interface ChosenMoments {
  readonly moments: readonly Moment[];
  /** What could not be tried, and why, a sentence each. */
  readonly unreached: readonly string[];
}

const FIRST_SUBMISSION: readonly RequestFault[] = [
  'lost-before',
  'lost-after',
  'cut',
  'error-after',
  'slow',
  'busy',
  'busy-until-quiet',
  'down',
  'key-revoked',
];
/** For each other thing that the app prints, since other code may print it; the rest is of the connection. */
const OTHER_SUBMISSIONS: readonly RequestFault[] = FIRST_SUBMISSION.filter(
  (fault) => fault !== 'lost-before' && fault !== 'key-revoked',
);
const MOST_SHAPES = 8;
const WEBHOOK_CREATION = 'POST /webhook';

export function chooseMoments(baseline: SeenRun): ChosenMoments {
  const submissions = baseline.requests.filter(({ place }) => place === SUBMISSION);
  const hasEvents = baseline.deliveries.length > 0;
  const isListed = baseline.requests.some(({ place }) => place === LIST);
  const isKept = submissions.some((request) => request.isKept);
  const untried = shapesOf(baseline).length - MOST_SHAPES;
  return {
    moments: [
      ...submissionMoments(baseline),
      ...otherMoments(baseline.requests),
      ...(isListed && submissions.length > 0 ? [requestMoment(SUBMISSION, lastBeforeList(baseline), 'crowd')] : []),
      ...(hasEvents ? keysOf(EVENT_FAULTS).map((fault) => ({ at: 'event', fault }) as const) : []),
      ...(submissions.length > 0 ? keysOf(ROOM_FAULTS).map((fault) => ({ at: 'room', fault }) as const) : []),
    ],
    unreached: [
      ...(untried > 0
        ? [`The app prints ${countOf(MOST_SHAPES + untried, 'kind')} of job: only the first ${MOST_SHAPES} were tried.`]
        : []),
      ...(isKept
        ? []
        : [
            `No ${SUBMISSION} came on a connection that had been used before: what an HTTP library does on one was not tried.`,
          ]),
      ...(isListed ? [] : ['The app does not list print jobs: more than a page of them was not tried.']),
      ...(hasEvents ? [] : ['The app gets no events: nothing that can go wrong with a webhook was tried.']),
    ],
  };
}

function requestMoment(place: string, nth: number | 'kept', fault: RequestFault): Moment {
  return { at: 'request', place, nth, fault };
}

function submissionMoments(baseline: SeenRun): readonly Moment[] {
  const submissions = submissionsOf(baseline);
  const [first, ...others] = shapesOf(baseline).slice(0, MOST_SHAPES);
  if (first === undefined) return [];
  const kept = submissions.find(({ request }) => request.isKept)?.request.nth;
  const last = submissions.length;
  const tried = new Set([first, ...others]);
  return [
    ...FIRST_SUBMISSION.map((fault) => requestMoment(SUBMISSION, first, fault)),
    ...others.flatMap((nth) => OTHER_SUBMISSIONS.map((fault) => requestMoment(SUBMISSION, nth, fault))),
    ...(kept === undefined || tried.has(kept) ? [] : [requestMoment(SUBMISSION, 'kept', 'lost-after')]),
    ...(tried.has(last) || last === kept ? [] : [requestMoment(SUBMISSION, last, 'lost-after')]),
  ];
}

/** The first submission of each kind of thing that the app prints. */
function shapesOf(baseline: SeenRun): readonly number[] {
  const shapes = Map.groupBy(submissionsOf(baseline), ({ mark }) => `${mark.printer} ${titleShape(mark)}`);
  return [...shapes.values()].map(([first]) => first?.request.nth ?? 1);
}

/**
 * Each other place fails once, and once more where it is asked after a submission too. What is asked before is also
 * down for a while: later on, an app that says that it failed is right.
 */
function otherMoments(requests: readonly SeenRequest[]): readonly Moment[] {
  const submittedMs = requests.find(({ place }) => place === SUBMISSION)?.sentMs ?? Infinity;
  const places = Map.groupBy(requests, ({ place }) => place);
  places.delete(SUBMISSION);
  return [...places].flatMap(([place, asked]) => {
    const after = asked.find(({ sentMs }) => sentMs > submittedMs)?.nth;
    const nths = new Set([1, ...(after === undefined ? [] : [after])]);
    const isBefore = (asked[0]?.sentMs ?? 0) < submittedMs;
    const failing = [
      ...[...nths].map((nth) => requestMoment(place, nth, 'error')),
      ...(isBefore ? [requestMoment(place, 1, 'down')] : []),
    ];
    return place === WEBHOOK_CREATION ? [...failing, requestMoment(place, 1, 'lost-after')] : failing;
  });
}

function lastBeforeList({ requests }: SeenRun): number {
  const listedMs = requests.findLast(({ place }) => place === LIST)?.sentMs ?? 0;
  return requests.findLast(({ place, sentMs }) => place === SUBMISSION && sentMs < listedMs)?.nth ?? 1;
}
