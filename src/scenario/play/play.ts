/**
 * Plays one scenario: builds its setup, runs its steps in order, judges what is expected, and cleans up.
 *
 *   target ─► room connected ─► step, step, … ─► expect ─► pass
 *                                  │ broken          │ broken ─► fail, with sheets and timelines
 *                                  └ cannot be judged here ─► inconclusive
 *
 * The first broken step ends it: later ones would only break for the same reason.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import { WaitExpired, within } from '../../common/waiter.ts';
import type { ScenarioVerdict } from '../../record/words.ts';
import { connectRoom } from './connect-room.ts';
import { buildSetup, type BuildOptions } from './build-setup.ts';
import { judgeInTime } from '../expect/expectation.ts';
import { tellStory, type JobStory, type Keep } from './job-story.ts';
import { putInForce } from '../setup/place-faults.ts';
import type { ReadScenario } from '../format/read-scenario.ts';
import type { FaultDecision, LogLine, Setup } from '../setup/setup.ts';
import { outcomeOf, outcomeOn, type Break, type StepOutcome } from '../vocabulary/outcome.ts';

export interface PlayOptions extends BuildOptions {
  /** Keeps what a printer printed, to be looked at. */
  readonly keep: Keep;
}

export interface Play {
  readonly verdict: ScenarioVerdict;
  /** Why it did not pass; empty if it did. */
  readonly message: string;
  readonly breaks: readonly Break[];
  /** The step that ended it: `step 3 (line 17): wait for letter`; undefined if all steps were done. */
  readonly at: string | undefined;
  /** The line of that step. */
  readonly line?: number;
  readonly brokenStep: string | undefined;
  readonly stories: readonly JobStory[];
  readonly log: readonly LogLine[];
  /** What the fault rules decided, oldest first. */
  readonly decisions: readonly FaultDecision[];
  /** Decisions beyond those listed. */
  readonly decisionsLeftOut: number;
  /** What was seen of the service: answers, deliveries, reports. */
  readonly events: number;
  /** Time that passed for the service. */
  readonly elapsedMs: number;
  /** Real time. */
  readonly durationMs: number;
}

/** In real time; more than the longest wait of a scenario on the real clock. */
const LONGEST_PLAY = '10m';

/** Plays a scenario on a target; never throws. */
export async function play(read: ReadScenario, options: PlayOptions): Promise<Play> {
  const stopwatch = startStopwatch();
  let setup: Setup | undefined;
  try {
    setup = await buildSetup(read, options);
    const performance = new Performance(read, options, setup);
    const end = await endOf(performance, options.signal);
    return { ...performance.seen(), ...end, durationMs: stopwatch() };
  } catch (error) {
    return { ...NOTHING_PLAYED, ...endBy(error), durationMs: stopwatch() };
  } finally {
    await setup?.close().catch(() => undefined);
  }
}

/** The fields of a scenario that never began. */
export const NOTHING_PLAYED = {
  breaks: [],
  at: undefined,
  brokenStep: undefined,
  stories: [],
  log: [],
  decisions: [],
  decisionsLeftOut: 0,
  events: 0,
  elapsedMs: 0,
};

/** Enough to see what happened, and few enough to read. */
const MOST_DECISIONS = 1_000;

/** Its end, the limit or an interruption, whichever comes first. */
async function endOf(performance: Performance, signal: AbortSignal | undefined): Promise<End> {
  const interrupted = new Promise<End>((resolve) => {
    const tell = (): void => resolve({ verdict: 'inconclusive', message: 'it was interrupted' });
    signal?.addEventListener('abort', tell, { once: true });
  });
  try {
    const work = Promise.race([performance.run(), interrupted]);
    return await within(work, { description: 'the end of the scenario', limit: LONGEST_PLAY });
  } catch (error) {
    return endBy(error);
  }
}

interface End {
  readonly verdict: ScenarioVerdict;
  readonly message: string;
}

class Performance {
  readonly #read: ReadScenario;
  readonly #options: PlayOptions;
  readonly #setup: Setup;
  #breaks: readonly Break[] = [];
  #ongoing: { readonly at: string; readonly line: number; readonly kind: string } | undefined;
  #stories: readonly JobStory[] = [];

  constructor(read: ReadScenario, options: PlayOptions, setup: Setup) {
    this.#read = read;
    this.#options = options;
    this.#setup = setup;
  }

  async run(): Promise<End> {
    if (!this.#setup.isUnseen) await connectRoom(this.#setup.room, this.#setup.time);
    this.#setup.cast.meet();
    const outcome = await this.#runAll();
    if (outcome.kind === 'kept') return { verdict: 'pass', message: '' };
    if (outcome.kind === 'inconclusive') return { verdict: 'inconclusive', message: outcome.reason };
    this.#breaks = outcome.breaks.map(({ gap: _gap, isSeen: _isSeen, pictures: _pictures, ...seen }) => seen);
    this.#stories = await this.#tellStories(outcome.breaks);
    const [first] = outcome.breaks;
    return {
      verdict: 'fail',
      message: first ? `${first.at}: expected ${first.expected}, got ${first.actual}` : '',
    };
  }

  seen(): Omit<Play, 'verdict' | 'message' | 'durationMs'> {
    const { log } = this.#setup;
    const decisions = this.#setup.decisions();
    return {
      breaks: this.#breaks,
      at: this.#ongoing?.at,
      ...(this.#ongoing && { line: this.#ongoing.line }),
      brokenStep: this.#ongoing?.kind,
      stories: this.#stories,
      log,
      decisions: decisions.slice(0, MOST_DECISIONS),
      decisionsLeftOut: Math.max(0, decisions.length - MOST_DECISIONS),
      events: this.#setup.recorder.history.length,
      elapsedMs: this.#setup.elapsedMs(),
    };
  }

  async #runAll(): Promise<StepOutcome> {
    const { faults, steps, expect } = this.#read.scenario;
    const { target } = this.#setup;
    for (const rule of faults) {
      const outcome = await putInForce(rule, this.#setup);
      if (outcome.kind !== 'kept') return outcome;
    }
    for (const [index, step] of steps.entries()) {
      const line = this.#read.stepLines[index] ?? 1;
      const at = `step ${index + 1} (line ${line}): ${step.summary}`;
      this.#ongoing = { at, line, kind: step.kind };
      this.#setup.note(step.summary);
      const outcome = outcomeOn(target, await step.run(this.#setup));
      if (outcome.kind !== 'kept') return outcome;
    }
    this.#ongoing = undefined;
    return outcomeOn(target, outcomeOf(await judgeInTime(expect, this.#setup)));
  }

  async #tellStories(breaks: readonly Break[]): Promise<readonly JobStory[]> {
    const names = new Set(breaks.flatMap(({ jobs }) => jobs));
    const jobs = [...names].flatMap((name) => this.#setup.jobsNamed(name).slice(0, MOST_JOBS_TOLD));
    const proof = breaks.flatMap(({ pictures = [] }) => pictures);
    return Array.fromAsync(jobs, (job) => {
      const own = proof.filter(({ jobId }) => jobId === job.id);
      return tellStory(job, own, this.#setup, this.#options.keep);
    });
  }
}

/** How many jobs of each name are told. */
const MOST_JOBS_TOLD = 3;

/** What a caller can do something about, such as a service that answers nothing readable, is no defect of platen. */
function endBy(error: unknown): End {
  if (error instanceof ActionableError) {
    return { verdict: 'inconclusive', message: `${error.message}: ${error.nextStep}` };
  }
  const message = error instanceof WaitExpired ? `it did not end: ${error.message}` : messageOf(error);
  return { verdict: 'harness-error', message };
}
