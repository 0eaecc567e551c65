/**
 * A conformance run: from a target to everything that is known about it afterwards.
 */

import { systemClock } from '../../common/clock.ts';
import { createRandom } from '../../common/random.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import { CLAUSES } from '../../specification/clauses.ts';
import type { Endpoint } from '../../specification/clause.ts';
import { GAPS } from '../../specification/gaps.ts';
import { endpointsOf, namesOf } from '../../targets/offers.ts';
import { capabilitiesOf, speaksDeviceLink, type Capability, type Target } from '../../targets/target.ts';
import type { Exchange } from '../../wire/http-exchange.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import type { Check } from '../check.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { handedOutKeys } from '../context/handed-out-keys.ts';
import { levelOf, spanOf, strictLevelOf } from '../verdict/levels.ts';
import { CHECKS } from '../registry.ts';
import { compareWithBaseline, isExcused, type Baseline } from '../verdict/baseline.ts';
import {
  coverClauses,
  coverLink,
  observeGaps,
  type ClauseCoverage,
  type GapObservations,
} from '../verdict/coverage.ts';
import { deviationsOf, unsaidVerdicts, type RunDeviation } from '../verdict/deviations.ts';
import { exitCodeOf } from '../verdict/verdict.ts';
import type { CheckProcess } from './check-processes.ts';
import type { Forecast } from './forecast.ts';
import { runChecks, type RunOptions, type RunOutcome } from './runner.ts';
import { selectChecks, type Selection, type Shard } from './selection.ts';
import { runShared } from './shared-run.ts';
import { refuseStoppedClock } from './stopped-clock.ts';

export interface ConformanceOptions extends Selection {
  readonly target: Target;
  /** Same seed, same inputs. A fresh one is drawn when left out. */
  readonly seed?: number | undefined;
  /** Failures that are known. */
  readonly baseline?: Baseline | undefined;
  /** A broken `should` fails the run. Default: it warns. */
  readonly strict?: boolean | undefined;
  /** Processes that take a part of the checks; for the embedded target, which they start themselves. */
  readonly others?: readonly Pick<CheckProcess, 'run'>[] | undefined;
  readonly onProgress?: (progress: CheckProgress) => void;
  /** Called before the first check of a run on a real clock. */
  readonly onBegin?: ((forecast: Forecast) => void) | undefined;
  /** Ends the run at this number of failures, without those that are known. Default: never. */
  readonly maxFailures?: number | undefined;
  /** Ends the run early; what has not begun is reported as blocked. */
  readonly signal?: AbortSignal;
}

/** One check has ended. */
export interface CheckProgress {
  readonly outcome: CheckOutcome;
  /** From 1. */
  readonly position: number;
  readonly total: number;
  /** What the run has come to by then. */
  readonly soFar: () => ConformanceResult;
}

export interface ConformanceResult extends Omit<RunOutcome, 'history' | 'able' | 'missing'> {
  readonly target: Target;
  readonly selection: Selection;
  /** Number of checks that are selected, those of other shards included. */
  readonly planned: number;
  readonly capabilities: readonly Capability[];
  /** Parts of the API that are not there, by their names. */
  readonly notOffered: readonly NotOffered[];
  readonly seed: number;
  readonly strict: boolean;
  /** ISO 8601, real time. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly coverage: readonly ClauseCoverage[];
  /** Coverage of the device link; empty for a service that is not said to speak it. */
  readonly linkCoverage: readonly ClauseCoverage[];
  readonly gaps: readonly GapObservations[];
  /** What the service does otherwise than printed wherever it does it. */
  readonly deviations: readonly RunDeviation[];
  /** Requests that were answered. */
  readonly requests: number;
  /** Keys that the service handed out while checks ran. */
  readonly handedOut: readonly string[];
  /** Every exchange, in the order in which they ended; positions in judgements are those. */
  readonly exchanges: readonly Exchange[];
  /** What is wrong with the list of known failures. */
  readonly baselineProblems: readonly string[];
  /** The exit code of the command: see verdict.ts. */
  readonly exitCode: number;
}

/**
 * Runs the checks: one after the other on a virtual clock, or in each of several processes, with their waits
 * overlapping on a real one.
 *
 * @throws ActionableError of kind usage when nothing is selected, or the target's clock stands still; of nothing else
 *   the target does
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceResult> {
  const { target, onProgress, signal, strict = false, others = [] } = options;
  const checks = selectChecks(CHECKS, options);
  const startedMs = systemClock.now();
  const began: Begun = {
    startedMs,
    elapsedMs: startStopwatch(),
    seed: options.seed ?? createRandom(startedMs).integer(1, 0x7fffffff),
  };
  const { seed } = began;
  const { enough, count } = countFailures(options, startedMs);
  const run: RunOptions = {
    target,
    checks,
    random: createRandom(seed),
    runTag: runTagOf(seed, target),
    levelOf: strict ? strictLevelOf : levelOf,
    spanOf,
    onBegin: options.onBegin,
    onCheckEnded: (outcome, position, soFar) => {
      count(outcome);
      onProgress?.({ outcome, position, total: checks.length, soFar: () => resultOf(options, began, soFar()) });
    },
    enough,
    ...(signal ? { signal } : {}),
  };
  await refuseStoppedClock(target, run.runTag);
  const ran = others.length === 0 ? await runChecks(run) : await runShared({ ...run, others, seed, strict });
  return resultOf(options, began, ran);
}

/** Aborts once as many checks have failed as the run may have. */
function countFailures(
  { baseline = [], maxFailures }: ConformanceOptions,
  startedMs: number,
): { readonly enough: AbortSignal; readonly count: (outcome: CheckOutcome) => void } {
  const enough = new AbortController();
  let failures = 0;
  return {
    enough: enough.signal,
    count: (outcome) => {
      if (outcome.verdict !== 'fail' || isExcused(outcome, baseline, dayOf(startedMs))) return;
      if (++failures === maxFailures) enough.abort(new CheckEnded('blocked', { kind: 'failed-enough' }));
    },
  };
}

/** `2026-12-31` */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

interface NotOffered {
  readonly name: string;
  readonly isDeclared: boolean;
}

function notOfferedBy({ absent = [] }: Target, missing: readonly Endpoint[]): readonly NotOffered[] {
  return [
    ...namesOf(new Set(missing)).map((name) => ({ name, isDeclared: false })),
    ...namesOf(new Set(absent.flatMap(endpointsOf))).map((name) => ({ name, isDeclared: true })),
  ];
}

interface Begun {
  readonly startedMs: number;
  readonly elapsedMs: () => number;
  readonly seed: number;
}

function resultOf(
  options: ConformanceOptions,
  { startedMs, elapsedMs, seed }: Begun,
  { outcomes: ran, history, keys, leftBehind, able, missing, dialect, lack, slowedTo, lostIn }: RunOutcome,
): ConformanceResult {
  const { target, strict = false } = options;
  const { outcomes, problems } = compareWithBaseline(ran, options.baseline ?? [], {
    checks: CHECKS,
    today: dayOf(startedMs),
  });
  const deviations = deviationsOf(outcomes);
  const counting = outcomes.filter(({ known }) => known === undefined);
  const verdicts = [
    ...counting.map((outcome) => outcome.verdict),
    ...problems.map(() => 'fail' as const),
    ...missing.map(() => 'not-offered' as const),
    ...unsaidVerdicts(
      deviations.map(({ deviation }) => deviation),
      outcomes,
      strict ? strictLevelOf : levelOf,
    ),
  ];
  const contradictions = target.contradictions?.length ?? 0;
  return {
    target,
    selection: selectionOf(options),
    planned: selectChecks(CHECKS, { ...selectionOf(options), shard: WHOLE }).length,
    capabilities: [...capabilitiesOf(target), ...able],
    notOffered: notOfferedBy(target, missing),
    seed,
    strict,
    startedAt: new Date(startedMs).toISOString(),
    durationMs: elapsedMs(),
    outcomes,
    coverage: coverClauses(CLAUSES, CHECKS, outcomes),
    linkCoverage: speaksDeviceLink(target) ? coverLink(CHECKS, outcomes) : [],
    dialect,
    deviations,
    gaps: observeGaps(GAPS, CHECKS, outcomes, dialect),
    requests: history.exchanges.length,
    exchanges: history.exchanges,
    handedOut: handedOutKeys(history.exchanges),
    keys,
    lack,
    leftBehind,
    slowedTo,
    lostIn,
    baselineProblems: problems,
    exitCode: endingCode(
      exitCodeOf([...verdicts, ...(contradictions > 0 ? ['untestable' as const] : [])]),
      options.signal,
      lostIn,
    ),
  };
}

/** A run that did not come to its end has a code of its own, unless platen broke: that may be why. */
function endingCode(judged: number, signal: AbortSignal | undefined, lostIn: string | undefined): number {
  if (signal?.aborted) return 130;
  return lostIn === undefined || judged === exitCodeOf(['harness-error']) ? judged : 75;
}

/** All of the plan as one part. */
const WHOLE: Shard = { index: 1, count: 1 };

function selectionOf({ profile, grep, ids, shard }: Selection): Selection {
  return {
    ...(profile && { profile }),
    ...(grep !== undefined && { grep }),
    ...(ids && { ids }),
    ...(shard && { shard }),
  };
}

/**
 * Names things of this run, idempotency keys among them. The time is in it, since a live service
 * remembers keys of the run before; on a virtual clock it is the same each time, and so are the inputs.
 */
function runTagOf(seed: number, target: Target): string {
  return createRandom(`${seed}/${target.timekeeper.now()}`).hex(8);
}

/** What `platen check --list` shows: the checks that are selected. @throws as runConformance */
export function listChecks(selection: Selection = {}): readonly Check[] {
  return selectChecks(CHECKS, selection);
}
