/**
 * Explores a pipeline: draws days, plays several at a time, judges them by paper, and shrinks what is broken.
 */

import { startStopwatch } from '../common/stopwatch.ts';
import { drawDay } from './draw-day.ts';
import type { Promised } from './judge-paper.ts';
import type { Pipeline } from './pipeline-file.ts';
import type { Surroundings } from './pipeline-world.ts';
import { playDay, whyUnplayed, type PlayedDay } from './play-day.ts';
import { shrinkSteps } from './shrink-steps.ts';
import type { Step } from './steps.ts';

export interface PipelineExploration {
  readonly pipeline: Pipeline;
  readonly surroundings: Surroundings;
  readonly seed: number;
  readonly seeds?: number | undefined;
  readonly limitMs?: number | undefined;
  /** Days at the same time. */
  readonly sideBySide: number;
  /** Promises whose breaches are counted, and nothing else. */
  readonly known: readonly string[];
  readonly mostFindings?: number | undefined;
  readonly onDay?: ((so: PipelineExplored) => void) | undefined;
  readonly onMet?: ((finding: PipelineFinding) => void) | undefined;
  readonly onFinding?: ((finding: PipelineFinding) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface MetDay {
  readonly seed: number;
  /** In a finding, the fewest that were seen to break it. */
  readonly steps: readonly Step[];
  /** What was seen with them. */
  readonly played: PlayedDay;
}

export interface PipelineFinding extends MetDay {
  readonly promise: Promised;
  /** Days on which it was met. */
  readonly count: number;
  /** How often the steps broke it when they were played again. */
  readonly repeats: { readonly broken: number; readonly of: number };
}

export interface PipelineExplored {
  readonly seed: number;
  readonly days: number;
  readonly unplayed: number;
  readonly unplayedBecause: string | undefined;
  readonly jobs: number;
  readonly papers: number;
  readonly durationMs: number;
  readonly findings: readonly PipelineFinding[];
  readonly known: ReadonlyMap<string, number>;
  /** How often each kind of step was played, such as `break api: lost-answer`. */
  readonly coverage: ReadonlyMap<string, number>;
}

const SHRINK_MS = 60_000;
const CONFIRMATIONS = 3;
/** Days that are shrunk where the shortest one does not repeat. */
const DAYS_KEPT = 3;
const SLOW_WAIT_MS = 1_200;

export async function explorePipeline(options: PipelineExploration): Promise<PipelineExplored> {
  const run = new Run(options);
  await run.play();
  return run.explored();
}

class Run {
  readonly #options: PipelineExploration;
  readonly #elapsedMs = startStopwatch();
  readonly #findings = new Map<Promised, PipelineFinding>();
  /** The days with the fewest steps that broke each promise. */
  readonly #met = new Map<Promised, readonly MetDay[]>();
  readonly #known = new Map<string, number>();
  readonly #coverage = new Map<string, number>();
  #next: number;
  #days = 0;
  #unplayed = 0;
  #unplayedBecause: string | undefined;
  #jobs = 0;
  #papers = 0;

  constructor(options: PipelineExploration) {
    this.#options = options;
    this.#next = options.seed;
  }

  async play(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.sideBySide }, () => this.#playDays()));
    for (const finding of this.#findings.values()) {
      const shrunk = await this.#shrunk(finding);
      this.#findings.set(finding.promise, shrunk);
      this.#options.onFinding?.(shrunk);
    }
  }

  explored(): PipelineExplored {
    return {
      seed: this.#options.seed,
      days: this.#days,
      unplayed: this.#unplayed,
      unplayedBecause: this.#unplayedBecause,
      jobs: this.#jobs,
      papers: this.#papers,
      durationMs: this.#elapsedMs(),
      findings: [...this.#findings.values()],
      known: this.#known,
      coverage: this.#coverage,
    };
  }

  get #isOver(): boolean {
    const { seed, seeds = Infinity, limitMs = Infinity, mostFindings = Infinity, signal } = this.#options;
    const isSpent = this.#next >= seed + seeds || this.#elapsedMs() >= limitMs;
    return isSpent || this.#findings.size >= mostFindings || signal?.aborted === true;
  }

  async #playDays(): Promise<void> {
    while (!this.#isOver) {
      const day = drawDay(this.#next++, this.#options.pipeline);
      const played = await this.#played(day.steps);
      if (this.#options.signal?.aborted) return;
      this.#days++;
      for (const step of day.steps) count(this.#coverage, kindOf(step));
      if (played) this.#take(day.seed, day.steps, played);
      this.#options.onDay?.(this.explored());
    }
  }

  /** Undefined where it could not be played. */
  async #played(steps: readonly Step[]): Promise<PlayedDay | undefined> {
    const { pipeline, surroundings, signal } = this.#options;
    try {
      return await playDay(steps, pipeline, surroundings, signal);
    } catch (error) {
      if (signal?.aborted) return undefined;
      this.#unplayed++;
      this.#unplayedBecause ??= whyUnplayed(error);
      return undefined;
    }
  }

  #take(seed: number, steps: readonly Step[], played: PlayedDay): void {
    this.#jobs += played.seen.jobs.length;
    this.#papers += played.papers.length;
    for (const promise of new Set(played.broken.map((one) => one.promise))) {
      if (this.#options.known.includes(promise)) {
        count(this.#known, promise);
        continue;
      }
      const met = [...(this.#met.get(promise) ?? []), { seed, steps, played }];
      const [shortest, ...others] = met.toSorted((one, other) => one.steps.length - other.steps.length);
      if (!shortest) continue;
      this.#met.set(promise, [shortest, ...others].slice(0, DAYS_KEPT));
      const before = this.#findings.get(promise);
      const finding = { promise, ...shortest, count: (before?.count ?? 0) + 1, repeats: { broken: 0, of: 0 } };
      this.#findings.set(promise, finding);
      if (!before) this.#options.onMet?.(finding);
    }
  }

  /** The steps that repeat best, of the days on which it was met. */
  async #shrunk(finding: PipelineFinding): Promise<PipelineFinding> {
    const sinceMs = startStopwatch();
    const isOver = (): boolean => sinceMs() >= SHRINK_MS || this.#options.signal?.aborted === true;
    let best = finding;
    for (const day of this.#met.get(finding.promise) ?? []) {
      const shrunk = await this.#shrunkDay({ ...finding, ...day }, isOver);
      if (best.repeats.of === 0 || shrunk.repeats.broken > best.repeats.broken) best = shrunk;
      if (isMostly(best) || this.#options.signal?.aborted) break;
    }
    return best;
  }

  async #shrunkDay(finding: PipelineFinding, isOver: () => boolean): Promise<PipelineFinding> {
    const { sideBySide, signal } = this.#options;
    const shown = new Map<readonly Step[], PlayedDay>();
    /** Undefined where they could not be played. */
    const stillBreaks = async (steps: readonly Step[]): Promise<boolean | undefined> => {
      const again = await this.#played(steps);
      const breaks = again?.broken.some(({ promise }) => promise === finding.promise);
      if (again && breaks) shown.set(steps, again);
      return breaks;
    };
    const confirm = async (steps: readonly Step[]): Promise<PipelineFinding> => {
      const plays = signal?.aborted ? [] : Array.from({ length: CONFIRMATIONS }, () => stillBreaks(steps));
      const played = (await Promise.all(plays)).filter((breaks) => breaks !== undefined);
      const repeats = { broken: played.filter(Boolean).length, of: played.length };
      return { ...finding, steps, played: shown.get(steps) ?? finding.played, repeats };
    };
    const shrunk = await confirm(await shrinkSteps(finding.steps, { stillBreaks, sideBySide, isOver }));
    if (isMostly(shrunk)) return shrunk;
    const slower = await confirm(shrunk.steps.map(slowed));
    return slower.repeats.broken > shrunk.repeats.broken ? slower : shrunk;
  }
}

function isMostly({ repeats: { broken, of } }: PipelineFinding): boolean {
  return broken > of / 2;
}

/** On a busy machine a program may need longer to meet what was made for it. */
function slowed(step: Step): Step {
  return 'wait' in step ? { wait: Math.max(SLOW_WAIT_MS, step.wait) } : step;
}

function kindOf(step: Step): string {
  if ('break' in step) return `break × ${step.break.fault}`;
  if ('fail' in step) return `fail × ${step.fail.fault}`;
  const [verb = '', object = ''] = Object.entries(step)[0] ?? [];
  return 'wait' in step ? `wait × ${object}ms` : `${verb} × ${String(object)}`;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
