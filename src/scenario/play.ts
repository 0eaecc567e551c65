/**
 * Plays one scenario: builds its stage, runs its steps in order, judges what is expected, and clears up.
 *
 *   target ─► room connected ─► step, step, … ─► expect ─► pass
 *                                  │ broken          │ broken ─► fail, with sheets and timelines
 *                                  └ cannot be told here ─► inconclusive
 *
 * The first step that is broken ends it: what follows would only show the same again.
 */

import { startStopwatch } from '../common/stopwatch.ts';
import { WaitExpired, within } from '../common/waiter.ts';
import { buildStage, type StageChoices } from './build-stage.ts';
import { clearUp } from './clear-up.ts';
import { judgeInTime } from './judge-in-time.ts';
import { keepSheets } from './keep-sheets.ts';
import { putInForce } from './place-faults.ts';
import type { ReadScenario } from './read-scenario.ts';
import type { FaultDecision, LogLine, Stage } from './stage.ts';
import { outcomeOf, type Break, type StepOutcome } from './step-outcome.ts';
import { timelineOf } from './timeline.ts';

/** `harness-error`: platen, or the way to the service, broke; nothing is said about the scenario. */
export type ScenarioVerdict = 'pass' | 'fail' | 'inconclusive' | 'harness-error';

export interface PlayOptions extends StageChoices {
  /** Keeps what came out of a printer, for somebody to look at; returns where. */
  readonly keep: (name: string, bytes: Uint8Array) => string;
  readonly signal?: AbortSignal;
}

/** What a job went through, for people. */
export interface JobStory {
  readonly name: string;
  readonly id: number;
  readonly timeline: readonly string[];
  /** Files that show its sheets. */
  readonly files: readonly string[];
}

export interface Play {
  readonly verdict: ScenarioVerdict;
  /** Why it is no pass; empty for one. */
  readonly message: string;
  readonly breaks: readonly Break[];
  /** The step that was the last one: `step 3 (line 17): wait for letter`; undefined when all were done. */
  readonly at: string | undefined;
  readonly stories: readonly JobStory[];
  readonly log: readonly LogLine[];
  /** What the fault rules came to, oldest first: the first of them, and how many more there were. */
  readonly decisions: readonly FaultDecision[];
  readonly decisionsLeftOut: number;
  /** Time that passed for the service. */
  readonly elapsedMs: number;
  /** Time that passed for whoever waited. */
  readonly durationMs: number;
}

/** In real time, with room for the longest wait of a scenario on the real clock. */
const LONGEST_PLAY = '10m';

/** Plays a scenario on a target; never throws. */
export async function play(read: ReadScenario, options: PlayOptions): Promise<Play> {
  const stopwatch = startStopwatch();
  let stage: Stage | undefined;
  try {
    stage = await buildStage(read.scenario, options);
    const performance = new Performance(read, options, stage);
    const end = await endOf(performance, options.signal);
    return { ...performance.told(), ...end, durationMs: stopwatch() };
  } catch (error) {
    return { ...NOTHING_TOLD, verdict: 'harness-error', message: messageOf(error), durationMs: stopwatch() };
  } finally {
    if (stage) await clearUp(stage).catch(() => undefined);
  }
}

/** What is told of a scenario that never began. */
export const NOTHING_TOLD = {
  breaks: [],
  at: undefined,
  stories: [],
  log: [],
  decisions: [],
  decisionsLeftOut: 0,
  elapsedMs: 0,
};

/** Decisions in a record: enough to see what came to pass, and few enough to read. */
const MOST_DECISIONS_TOLD = 1_000;

/** Whatever comes first: its end, the limit, or an interruption. */
async function endOf(performance: Performance, signal: AbortSignal | undefined): Promise<End> {
  const interrupted = new Promise<End>((resolve) => {
    const tell = (): void => resolve({ verdict: 'inconclusive', message: 'it was interrupted' });
    signal?.addEventListener('abort', tell, { once: true });
  });
  try {
    const work = Promise.race([performance.run(), interrupted]);
    return await within(work, { description: 'the end of the scenario', limit: LONGEST_PLAY });
  } catch (error) {
    return { verdict: 'harness-error', message: messageOf(error) };
  }
}

/** How it ended. */
interface End {
  readonly verdict: ScenarioVerdict;
  readonly message: string;
}

class Performance {
  readonly #read: ReadScenario;
  readonly #options: PlayOptions;
  readonly #stage: Stage;
  #breaks: readonly Break[] = [];
  #at: string | undefined;
  #stories: readonly JobStory[] = [];

  constructor(read: ReadScenario, options: PlayOptions, stage: Stage) {
    this.#read = read;
    this.#options = options;
    this.#stage = stage;
  }

  async run(): Promise<End> {
    const { room, cast } = this.#stage;
    await room.connect();
    cast.meet();
    const outcome = await this.#runAll();
    if (outcome.kind === 'kept') return { verdict: 'pass', message: '' };
    if (outcome.kind === 'inconclusive') return { verdict: 'inconclusive', message: outcome.reason };
    this.#breaks = outcome.breaks;
    this.#stories = await this.#tellStories(outcome.breaks);
    const [first] = outcome.breaks;
    return {
      verdict: 'fail',
      message: first ? `${first.at}: expected ${first.expected}, got ${first.actual}` : '',
    };
  }

  told(): Omit<Play, 'verdict' | 'message' | 'durationMs'> {
    const { log } = this.#stage;
    const decisions = this.#stage.decisions();
    return {
      breaks: this.#breaks,
      at: this.#at,
      stories: this.#stories,
      log,
      decisions: decisions.slice(0, MOST_DECISIONS_TOLD),
      decisionsLeftOut: Math.max(0, decisions.length - MOST_DECISIONS_TOLD),
      elapsedMs: this.#stage.elapsedMs(),
    };
  }

  async #runAll(): Promise<StepOutcome> {
    const { faults, steps, expect } = this.#read.scenario;
    for (const rule of faults) {
      const outcome = await putInForce(rule, this.#stage);
      if (outcome.kind !== 'kept') return outcome;
    }
    for (const [index, step] of steps.entries()) {
      this.#at = `step ${index + 1} (line ${this.#read.stepLines[index]}): ${step.summary}`;
      this.#stage.note(step.summary);
      const outcome = await step.run(this.#stage);
      if (outcome.kind !== 'kept') return outcome;
    }
    this.#at = undefined;
    return outcomeOf(await judgeInTime(expect, this.#stage));
  }

  async #tellStories(breaks: readonly Break[]): Promise<readonly JobStory[]> {
    const names = new Set(breaks.flatMap(({ jobs }) => jobs));
    const jobs = [...names].flatMap((name) => this.#stage.jobsNamed(name).slice(0, MOST_JOBS_TOLD));
    const stories: JobStory[] = [];
    for (const job of jobs) {
      const timeline = await timelineOf(job, this.#stage);
      const files = await keepSheets(job, this.#stage, this.#options.keep);
      stories.push({ name: job.name, id: job.id, timeline, files });
    }
    return stories;
  }
}

/** Of many jobs of one name, the first ones tell enough. */
const MOST_JOBS_TOLD = 3;

function messageOf(error: unknown): string {
  if (error instanceof WaitExpired) return `it did not come to an end: ${error.message}`;
  if (error instanceof Error) return error.message;
  return String(error);
}
