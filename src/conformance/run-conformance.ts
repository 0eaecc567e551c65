/**
 * A conformance run: from a target to everything that is known about it afterwards.
 */

import { systemClock } from '../common/clock.ts';
import { createRandom } from '../common/random.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import type { Level } from '../spec/clause.ts';
import { CLAUSES } from '../spec/clauses.ts';
import { GAPS } from '../spec/gaps.ts';
import { capabilitiesOf, type Capability, type Target } from '../target/target.ts';
import type { Check, CheckOutcome } from './check.ts';
import { coverClauses, observeGaps, type ClauseCoverage, type GapObservations } from './coverage.ts';
import { CHECKS } from './registry.ts';
import { runChecks } from './runner.ts';
import { selectChecks } from './selection.ts';
import { exitCodeOf } from './verdict.ts';

export interface ConformanceOptions {
  readonly target: Target;
  /** Which checks to run; see selection.ts. */
  readonly grep?: string;
  /** Same seed, same inputs. A fresh one is drawn when left out. */
  readonly seed?: number;
  readonly onProgress?: (progress: CheckProgress) => void;
  /** Ends the run early; what has not begun is reported as blocked. */
  readonly signal?: AbortSignal;
}

/** One check has ended. */
export interface CheckProgress {
  readonly outcome: CheckOutcome;
  /** From 1. */
  readonly position: number;
  readonly total: number;
}

export interface ConformanceResult {
  readonly target: Target;
  readonly capabilities: readonly Capability[];
  readonly seed: number;
  /** ISO 8601, real time. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcomes: readonly CheckOutcome[];
  readonly coverage: readonly ClauseCoverage[];
  readonly gaps: readonly GapObservations[];
  /** Requests that were answered. */
  readonly requests: number;
  /** Of the command: see verdict.ts. */
  readonly exitCode: number;
}

/**
 * Runs the checks one after the other.
 *
 * @throws ActionableError of kind usage when `grep` matches nothing; of nothing the target does
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceResult> {
  const { target, onProgress, signal } = options;
  const checks = selectChecks(CHECKS, options.grep);
  const startedMs = systemClock.now();
  const elapsedMs = startStopwatch();
  const seed = options.seed ?? createRandom(startedMs).integer(1, 0x7fffffff);
  const { outcomes, history, able } = await runChecks({
    target,
    checks,
    random: createRandom(seed),
    runTag: runTagOf(seed, target),
    levelOf,
    onCheckEnded: (outcome, index) => onProgress?.({ outcome, position: index + 1, total: checks.length }),
    ...(signal ? { signal } : {}),
  });
  return {
    target,
    capabilities: [...capabilitiesOf(target), ...able],
    seed,
    startedAt: new Date(startedMs).toISOString(),
    durationMs: elapsedMs(),
    outcomes,
    coverage: coverClauses(CLAUSES, CHECKS, outcomes),
    gaps: observeGaps(GAPS, CHECKS, outcomes),
    requests: history.exchanges.length,
    exitCode: exitCodeOf(outcomes.map((outcome) => outcome.verdict)),
  };
}

/**
 * Names things of this run, idempotency keys among them. The time is in it, since a live service
 * remembers keys of the run before; on a virtual clock it is the same each time, and so are the inputs.
 */
function runTagOf(seed: number, target: Target): string {
  return createRandom(`${seed}/${target.timekeeper.now()}`).hex(8);
}

/** What `platen check --list` shows: the checks that a pattern selects. @throws as runConformance */
export function listChecks(grep?: string): readonly Check[] {
  return selectChecks(CHECKS, grep);
}

const LEVELS: ReadonlyMap<string, Level> = new Map(CLAUSES.map((clause) => [clause.id, clause.level]));

/** The level of a clause. A gap that a check observes has none of its own and counts as one. */
export function levelOf(clause: string): Level {
  return LEVELS.get(clause) ?? 'gap';
}
