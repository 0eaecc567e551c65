/**
 * Finds the knee: the highest rate at which every threshold of a scenario is kept, and the service does the work.
 *
 *   rate │            ✗
 *        │      ✓  ✗            doubled until a step fails, then halved into the gap,
 *        │   ✓        ✓         until the gap is a twentieth of the rate
 *        │ ✓
 *
 * A step is the scenario with all its rates (or callers) times a factor, for a shorter time. A step in which the
 * generator was too late does not count against the service: it is tried again, for a machine may be busy for a
 * moment, and when it stays late the search ends there and says so.
 *
 * Thresholds alone would not do. A service that refuses everything is fast, and one whose queue grows answers well to
 * the end of a short step: so the requests have to be answered well, and as many a second as arrive.
 */

import { sumOf } from '../../common/sums.ts';
import type { LoadRecord } from '../../record/load-record.ts';
import { createPacer, type PacerSettings } from '../pacers/pacers.ts';
import type { LoadScenario, LoadStream } from '../plan/load-scenario.ts';

export interface KneeStep {
  readonly factor: number;
  /** Requests per second where the step was densest. */
  readonly peakRate: number;
  readonly record: LoadRecord;
  /** Share of the requests due that were answered with 2xx. */
  readonly goodShare: number;
  /** Why the service does not sustain this rate; empty when it does. */
  readonly reasons: readonly string[];
}

export interface Knee {
  readonly steps: readonly KneeStep[];
  /** The fastest step that the service sustained; null when there was none. */
  readonly best: KneeStep | null;
  /** The slowest step that it did not; null when it sustained all of them. */
  readonly broken: KneeStep | null;
  /** What ended the search: the service, the generator, or the search itself. */
  readonly endedBy: 'found' | 'generator' | 'interrupted' | 'most-steps';
}

export interface KneeSearch {
  readonly scenario: LoadScenario;
  /** How long each step lasts. */
  readonly stepMs: number;
  readonly run: (scenario: LoadScenario) => Promise<KneeStep['record']>;
  readonly peakRateOf: (scenario: LoadScenario) => number;
  readonly onStep?: (step: KneeStep) => void;
  readonly signal: AbortSignal;
}

const MOST_STEPS = 16;
/** How often a step is tried in which the generator is late. */
const MOST_TRIES = 3;
/** The gap between kept and broken, as a share of the rate, at which the knee counts as found. */
const NEAR_ENOUGH = 0.05;

export async function findKnee(search: KneeSearch): Promise<Knee> {
  const steps: KneeStep[] = [];
  let best: KneeStep | null = null;
  let broken: KneeStep | null = null;
  let factor = 1;
  let tries = 1;
  const end = (endedBy: Knee['endedBy']): Knee => ({ steps, best, broken, endedBy });
  while (steps.length < MOST_STEPS) {
    const scenario = scaled(search.scenario, factor, search.stepMs);
    const record = await search.run(scenario);
    const reasons = [...record.reasons, ...lackOfGoodput(scenario, search.stepMs, record)];
    const peakRate = search.peakRateOf(scenario);
    const step: KneeStep = { factor, peakRate, record, goodShare: goodShareOf(record), reasons };
    steps.push(step);
    search.onStep?.(step);
    if (search.signal.aborted || record.ending === 'interrupted') return end('interrupted');
    if (record.verdict === 'invalid') {
      if (tries++ === MOST_TRIES) return end('generator');
      continue;
    }
    tries = 1;
    if (record.verdict === 'pass' && reasons.length === 0) best = step;
    else broken = step;
    const [kept, above] = [factorOf(best) ?? 0, factorOf(broken)];
    if (above !== undefined && above - kept <= above * NEAR_ENOUGH) return end('found');
    factor = above === undefined ? factor * 2 : (kept + above) / 2;
  }
  return end('most-steps');
}

function factorOf(step: KneeStep | null): number | undefined {
  return step?.factor;
}

const LEAST_GOOD_SHARE = 0.99;
/** The least share of the requests arriving in the second half of a step that is answered there if no queue grows. */
const LEAST_KEPT_UP = 0.96;
/** In a shorter half, the second in which an answer comes decides. */
const SHORTEST_HALF_S = 2;

function lackOfGoodput(scenario: LoadScenario, stepMs: number, record: LoadRecord): readonly string[] {
  const share = goodShareOf(record);
  const keptUp = keptUpShareOf(scenario, stepMs, record);
  const shed = record.streams.reduce((sum, { counts }) => sum + counts.shed, 0);
  return [
    ...(share < LEAST_GOOD_SHARE
      ? [`only ${percent(share)} of the requests were answered well${statusesOf(record)}`]
      : []),
    ...(shed > 0 ? [`${shed} of them were not sent: too many were under way`] : []),
    ...(keptUp < LEAST_KEPT_UP ? [`a queue grew: ${percent(keptUp)} as many answers as requests`] : []),
  ];
}

/** Answers to arrivals in the second half of a step: by then a service that only takes its time is in its stride. */
function keptUpShareOf({ streams }: LoadScenario, stepMs: number, { series }: LoadRecord): number {
  const endS = Math.floor(stepMs / 1_000);
  const middleS = Math.ceil(endS / 2);
  const rates = streams.flatMap(({ arrivals }) =>
    arrivals.kind === 'open' ? densestRate(arrivals.pacer, stepMs) : [],
  );
  // Callers that wait for their answers leave no queue.
  if (endS - middleS < SHORTEST_HALF_S || rates.length < streams.length) return 1;
  const later = series.filter(({ second }) => second >= middleS && second < endS);
  return sumOf(later, ({ ended }) => ended) / (sumOf(rates, (rate) => rate) * (endS - middleS));
}

/** ` (409: 31, 503: 2)`: what the others got. */
function statusesOf({ streams }: LoadRecord): string {
  const counted = streams
    .flatMap(({ statuses }) => Object.entries(statuses))
    .filter(([status]) => !status.startsWith('2'));
  const sums = [...Map.groupBy(counted, ([status]) => status)].map(
    ([status, all]) => `${status}: ${sumOf(all, ([, count]) => count)}`,
  );
  return sums.length === 0 ? '' : ` (${sums.join(', ')})`;
}

function goodShareOf({ streams }: LoadRecord): number {
  const ok = streams.reduce((sum, { counts }) => sum + counts.ok, 0);
  const all = streams.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0);
  return all === 0 ? 0 : ok / all;
}

/** Rounded down: what is not whole must not look so. */
export function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10}%`;
}

/** The scenario with all its traffic times a factor, every stream from the start and for `stepMs`. */
export function scaled(scenario: LoadScenario, factor: number, stepMs: number): LoadScenario {
  const streams = scenario.streams.map((stream): LoadStream => ({
    ...stream,
    startMs: 0,
    forMs: stepMs,
    arrivals:
      stream.arrivals.kind === 'closed'
        ? { ...stream.arrivals, loops: Math.max(1, Math.round(stream.arrivals.loops * factor)) }
        : {
            kind: 'open',
            // A step shows one rate, not a whole day.
            pacer: { kind: 'constant', rate: densestRate(stream.arrivals.pacer, stream.forMs) * factor },
          },
  }));
  return { ...scenario, title: `${scenario.title} × ${Number(factor.toFixed(3))}`, streams, chaos: [] };
}

function densestRate(pacer: PacerSettings, durationMs: number): number {
  // A trace may be very dense for a moment: its mean rate counts.
  if (pacer.kind === 'trace') return (pacer.timesMs.length * 1_000) / Math.max(1, pacer.timesMs.at(-1) ?? 1);
  return createPacer(pacer, durationMs).peakRate;
}
