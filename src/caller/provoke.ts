/**
 * Provoking: an app runs twice while nothing goes wrong, and then once for each thing that can, several at a time.
 *
 *   two unharmed runs ─► what can go wrong ─► a run for each ─► judged by its paper, and by its traffic
 */

import { formatDuration } from '../common/duration.ts';
import { baselineOf, paperVerdict, type Baseline, type PaperVerdict } from '../oracle/caller/paper-verdict.ts';
import { trafficBreaks, type CallerBreak } from '../oracle/caller/traffic-rules.ts';
import type { SeenRun } from '../record/caller-history.ts';
import { PICTURE_MOST_CHARACTERS } from '../record/fields.ts';
import type { PaperPicture } from '../record/caller-record.ts';
import type { Moment } from '../record/moments.ts';
import type { Platen } from '../workbench/library/platen.ts';
import { chooseMoments } from './choose-moments.ts';
import { IDS_EACH, playApp, type PlayOptions } from './play-app.ts';

export interface ProvokeOptions extends Omit<PlayOptions, 'limitMs'> {
  /** This one alone; all that the app can meet unless given. */
  readonly moment?: Moment | undefined;
  /** After each moment. @param total - how many there are */
  readonly onMoment: (soFar: Provoked, judged: JudgedMoment, total: number) => void;
}

export interface JudgedMoment extends PaperVerdict {
  readonly moment: Moment;
  readonly run: SeenRun;
  readonly breaks: readonly CallerBreak[];
  readonly pictures: readonly PaperPicture[];
}

export interface Provoked {
  readonly unharmed: SeenRun;
  readonly unharmedBreaks: readonly CallerBreak[];
  readonly baseline: Baseline;
  readonly moments: readonly JudgedMoment[];
  readonly unreached: readonly string[];
}

/** Why nothing could be tried: the app is not well when nothing goes wrong. */
export interface Unfit {
  readonly unfit: string;
  readonly output: string;
}

const BASELINE_LIMIT_MS = 120_000;
/** Beyond what it takes unharmed: waits that it makes on purpose, and a service that is slow. */
const LEAST_LIMIT_MS = { usual: 40_000, fast: 10_000 };
const LIMIT_FACTOR = 4;
/** Apps wait most of the time. */
const AT_ONCE = 4;

export async function provoke(options: ProvokeOptions): Promise<Provoked | Unfit> {
  const unharmed = await playApp(undefined, { ...options, limitMs: BASELINE_LIMIT_MS }, (run) => run);
  const unfit = unfitness(unharmed);
  if (unfit !== undefined) return { unfit, output: unharmed.end.output };
  const again = await playApp(undefined, { ...options, limitMs: BASELINE_LIMIT_MS }, (run) => run);
  if (again.end.said !== 'printed') {
    return {
      unfit: 'The app is well in one run and not in the next, while nothing goes wrong.',
      output: again.end.output,
    };
  }
  const baseline = baselineOf([unharmed, again]);
  const chosen = chooseMoments(unharmed);
  const moments = options.moment ? [options.moment] : chosen.moments;
  const leastMs = LEAST_LIMIT_MS[options.fast ? 'fast' : 'usual'];
  const limitMs = leastMs + LIMIT_FACTOR * unharmed.end.durationMs;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const judged: JudgedMoment[] = [];
  const provoked = (): Provoked => ({
    unharmed,
    baseline,
    // Those that were not played yet are holes.
    moments: judged.flat(0),
    unharmedBreaks: trafficBreaks(unharmed, { said: unharmed.end.said, usual: baseline.usual, hasMissedPage: false }),
    unreached: options.moment ? [] : chosen.unreached,
  });
  await severalAtOnce(moments, async (moment, index) => {
    const judgement = await playApp(moment, { ...options, limitMs, signal }, (run, platen) =>
      judge(moment, run, baseline, platen),
    );
    judged[index] = judgement;
    options.onMoment(provoked(), judgement, moments.length);
  }).finally(() => failed.abort(new Error('another run failed')));
  return provoked();
}

/** Why an app cannot be judged; undefined for one that can. */
function unfitness({ end, requests }: SeenRun): string | undefined {
  if (end.code === null) {
    return `The app did not end within ${formatDuration(BASELINE_LIMIT_MS)}, though nothing went wrong.`;
  }
  if (requests.length === 0) {
    return 'The app did not talk to PLATEN_URL: not one request came. Let it take the address of the service from there, and its key from PLATEN_API_KEY.';
  }
  if (requests.every(({ got }) => got === UNAUTHORIZED)) {
    return 'The app talked to PLATEN_URL with another key: every request got 401. Let it take the key from PLATEN_API_KEY.';
  }
  if (end.said === 'printed') return undefined;
  return `The app fails though nothing goes wrong (exit code ${end.code}): what it does when something does would mean nothing.`;
}

const UNAUTHORIZED = 401;

async function judge(moment: Moment, run: SeenRun, baseline: Baseline, platen: Platen): Promise<JudgedMoment> {
  const paper = paperVerdict(run, baseline, moment.at);
  const breaks = trafficBreaks(run, {
    said: run.end.said,
    usual: baseline.usual,
    hasMissedPage: moment.fault === 'crowd' && paper.verdict === 'printed-twice',
  });
  return { moment, run, ...paper, breaks, pictures: await picturesOf(paper, platen) };
}

const PICTURES_OF_ONE = 2;
const PICTURE_WIDTH = 320;

/** Two papers, where one was to come out. */
async function picturesOf({ differences }: PaperVerdict, platen: Platen): Promise<readonly PaperPicture[]> {
  const doubled = differences.find(({ what }) => what === 'more');
  const ids = doubled?.submissions.map(({ request }) => request.jobId).filter((id) => id !== null && id < IDS_EACH);
  const jobs = await Promise.all((ids ?? []).slice(0, PICTURES_OF_ONE).map((id) => platen.jobs.get(Number(id))));
  const pictures = await Promise.all(
    jobs
      .filter(({ printouts }) => printouts.some(({ sides }) => sides > 0))
      .map(async (job) => {
        const png = await job.png(1, { width: PICTURE_WIDTH });
        return { caption: `job ${job.id}: ${job.title}`, png: Buffer.from(png).toString('base64') };
      }),
  );
  return pictures.filter(({ png }) => png.length <= PICTURE_MOST_CHARACTERS);
}

async function severalAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
