/**
 * Plays a day of a pipeline in a world of its own: its steps, then the end of all faults, then the wait until every job
 * has got through or had its time. What was seen is judged by its paper.
 */

import { ActionableError, usageError } from '../common/actionable-error.ts';
import { sleep, systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import type { Submitted } from './caller.ts';
import { newJob, type NewJob } from './job.ts';
import { judgeDay, type BrokenPromise, type SeenDay, type SeenJob } from './judge-paper.ts';
import type { Pipeline } from './pipeline-file.ts';
import type { SeenPaper } from './pipeline-room.ts';
import { PipelineWorld, type Surroundings } from './pipeline-world.ts';
import { breakConnection } from './standing-between.ts';
import { inWords, isTrouble, type Step } from './steps.ts';
import { namesIn } from './values.ts';

/** What happened, in milliseconds since the day began. */
interface Happening {
  readonly atMs: number;
  readonly what: string;
  /** The name of the job that it is about. */
  readonly job?: string | undefined;
}

export interface PlayedDay {
  readonly broken: readonly BrokenPromise[];
  readonly seen: SeenDay;
  readonly papers: readonly SeenPaper[];
  readonly log: readonly Happening[];
  /** The last lines of its programs. */
  readonly lines: readonly string[];
  readonly durationMs: number;
}

/** A step must not wait for what is late: the next one may be what happens meanwhile. */
const ANSWER_MS = 100;
const LOOK_EVERY_MS = 100;
const AGAIN_EVERY_MS = 300;
const LONGEST_WITHINS = 3;

/** @throws ActionableError when its world does not come up */
export async function playDay(
  steps: readonly Step[],
  pipeline: Pipeline,
  surroundings: Surroundings,
  signal?: AbortSignal,
): Promise<PlayedDay> {
  const world = await PipelineWorld.open(pipeline, surroundings);
  try {
    return await new DayOfPipeline(pipeline, world).play(steps, signal);
  } finally {
    await world.close();
  }
}

/** A program that is killed while it starts does not come up; when all faults end, each is started that is not up. */
async function soon(work: Promise<void> | undefined): Promise<void> {
  await Promise.race([work?.catch(() => undefined), sleep(systemClock, ANSWER_MS)]);
}

/** A job, as its caller knows it. */
interface Job extends NewJob {
  readonly name: string;
  readonly sentMs: number;
  id: string;
  outcome: SeenJob['outcome'];
  said: string;
  takenMs: number | undefined;
  fate: SeenJob['fate'];
  /** It was submitted, and the last answer was not that it is taken: a caller asks again. */
  isOpen: boolean;
}

class DayOfPipeline {
  readonly #pipeline: Pipeline;
  readonly #world: PipelineWorld;
  readonly #elapsedMs = startStopwatch();
  readonly #jobs: Job[] = [];
  readonly #log: Happening[] = [];
  /** Those that have no answer yet; each has a limit of its own. */
  readonly #submissions = new Set<Promise<void>>();
  readonly #isRepeatable: boolean;
  readonly #startedMs = systemClock.now();

  constructor(pipeline: Pipeline, world: PipelineWorld) {
    this.#pipeline = pipeline;
    this.#world = world;
    this.#isRepeatable = namesIn(pipeline.submit).has('key');
  }

  async play(steps: readonly Step[], signal: AbortSignal | undefined): Promise<PlayedDay> {
    for (const step of steps) {
      signal?.throwIfAborted();
      this.#note(inWords(step));
      await this.#perform(step);
    }
    this.#note('all faults end');
    const firings = this.#firings();
    await this.#world.heal();
    await this.#throughAll(signal);
    const papers = await this.#world.room.seen();
    const seen = {
      jobs: this.#jobs,
      papers,
      hadTrouble: steps.some(isTrouble),
      isRepeatable: this.#isRepeatable,
    };
    const told = [...this.#log, ...firings, ...papers.map((paper) => this.#telling(paper))];
    return {
      broken: judgeDay(seen),
      seen,
      papers,
      log: told.toSorted((a, b) => a.atMs - b.atMs),
      lines: [...this.#world.pieces.values()].flatMap(({ lines }) => lines),
      durationMs: this.#elapsedMs(),
    };
  }

  async #perform(step: Step): Promise<void> {
    const { room, connections, pieces } = this.#world;
    if ('submit' in step) return this.#submit(this.#newJob(step.submit));
    if ('again' in step) return this.#again(step.again);
    if ('fail' in step) return room.fail(step.fail.printer, step.fail.fault);
    if ('fix' in step) return room.fix(step.fix);
    if ('kill' in step) return pieces.get(step.kill)?.kill();
    if ('start' in step) return soon(pieces.get(step.start)?.start());
    if ('restore' in step) return connections.get(step.restore)?.faults.clear();
    if ('wait' in step) return sleep(systemClock, step.wait);
    const connection = connections.get(step.break.between);
    if (connection) breakConnection(connection, step.break);
  }

  #newJob(printer: string): Job {
    const job = {
      ...newJob(printer, this.#pipeline, this.#world),
      name: `job ${this.#jobs.length + 1}`,
      sentMs: this.#elapsedMs(),
      id: '',
      outcome: 'unknown' as const,
      said: 'no answer yet',
      takenMs: undefined,
      fate: undefined,
      isOpen: true,
    };
    this.#jobs.push(job);
    return job;
  }

  async #again(printer: string): Promise<void> {
    const job = this.#jobs.findLast((one) => one.printer === printer);
    if (!job || !this.#isRepeatable) return;
    job.isOpen = true;
    await this.#submit(job);
  }

  async #submit(job: Job): Promise<void> {
    const answered = this.#world.caller.submit(job.values).then((submitted) => this.#take(job, submitted));
    this.#submissions.add(answered);
    void answered.finally(() => this.#submissions.delete(answered));
    await soon(answered);
  }

  #take(job: Job, submitted: Submitted): void {
    const said = submitted.said === '' ? '' : `, ${submitted.said}`;
    this.#note(`${job.name} (${job.mark}) for ${job.printer}: ${submitted.outcome}${said}`, job.name);
    // A service may refuse what it has taken before.
    job.isOpen = submitted.outcome === 'unknown' || (submitted.outcome === 'refused' && job.outcome !== 'taken');
    if (job.outcome === 'taken') return;
    job.outcome = submitted.outcome;
    job.said = submitted.said;
    if (submitted.outcome !== 'taken') return;
    job.id = submitted.id;
    job.takenMs = this.#elapsedMs();
  }

  /** Until every job has got through, and nothing has come for a while; or until its time is over. */
  async #throughAll(signal: AbortSignal | undefined): Promise<void> {
    const { within, quiet } = this.#pipeline;
    await Promise.all(this.#submissions);
    const sinceMs = startStopwatch();
    // Counted in looks: on a busy machine they take longer, and so does all that is waited for.
    const isOver = (looks: number): boolean => looks * LOOK_EVERY_MS >= within || sinceMs() >= LONGEST_WITHINS * within;
    let triedMs = 0;
    for (let looks = 0; !isOver(looks); looks++, await sleep(systemClock, LOOK_EVERY_MS, signal)) {
      if (sinceMs() - triedMs >= AGAIN_EVERY_MS) {
        triedMs = sinceMs();
        await this.#submitAgain();
      }
      if (await this.#isThrough()) break;
    }
    for (let before = -1; before !== this.#world.room.papers && sinceMs() < (LONGEST_WITHINS + 1) * within;) {
      before = this.#world.room.papers;
      await sleep(systemClock, quiet, signal);
    }
    await Promise.all(this.#submissions);
    await this.#askFates();
    for (const { name, fate } of this.#jobs) if (fate) this.#note(`${name} is reported as '${fate.word}'`, name);
  }

  async #submitAgain(): Promise<void> {
    if (!this.#isRepeatable) return;
    const open = this.#jobs.filter(({ isOpen }) => isOpen);
    await Promise.all(open.map((job) => this.#submit(job)));
  }

  async #isThrough(): Promise<boolean> {
    const [papers] = await Promise.all([this.#world.room.seen(), this.#askFates()]);
    const isOnPaper = (job: Job): boolean => papers.some(({ mark }) => mark === job.mark);
    return this.#jobs.every((job) => {
      if (job.isOpen) return !this.#isRepeatable;
      if (job.fate?.kind === 'open') return false;
      return job.fate?.kind === 'failed' || job.fate?.kind === 'uncertain' || isOnPaper(job);
    });
  }

  async #askFates(): Promise<void> {
    const taken = this.#jobs.filter(({ outcome }) => outcome === 'taken');
    await Promise.all(
      taken.map(async (job) => {
        job.fate = await this.#world.caller.fateOf({ ...job.values, id: job.id });
      }),
    );
  }

  /** What the faults in its connections came to. */
  #firings(): readonly Happening[] {
    return [...this.#world.connections].flatMap(([name, { faults }]) =>
      faults.log.map(({ atMs, fault, place }) => ({
        atMs: atMs - this.#startedMs,
        what: `${name}: ${fault} (${place})`,
      })),
    );
  }

  #telling({ atMs, printer, mark }: SeenPaper): Happening {
    const job = this.#jobs.find((one) => one.mark === mark);
    const what = `paper at ${printer}: ${job?.name ?? mark ?? 'without a mark'}`;
    return { atMs: atMs - this.#startedMs, what, job: job?.name };
  }

  #note(what: string, job?: string): void {
    this.#log.push({ atMs: this.#elapsedMs(), what, job });
  }
}

/**
 * The first job for each printer: whether paper comes, and whether its mark can be read.
 *
 * @param keep - keeps the paper of a day where no mark can be read on it; answers where
 * @throws ActionableError
 */
export async function tryPipeline(
  pipeline: Pipeline,
  surroundings: Surroundings,
  keep: (played: PlayedDay) => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<PlayedDay> {
  const steps = Object.keys(pipeline.printers).map((printer) => ({ submit: printer }));
  const played = await playDay(steps, pipeline, surroundings);
  const { seen, papers, lines } = played;
  const lost = seen.jobs.find(({ mark }) => !papers.some((paper) => paper.mark === mark));
  if (!lost) return refuseUntold(played, pipeline);
  const other = papers.find(({ printer, mark }) => printer === lost.printer && mark === null);
  const reported = lost.fate === undefined ? '' : `, and it is reported as '${lost.fate.word}'`;
  const told = [
    `${pipeline.file}: the first job for ${lost.printer} was ${lost.outcome}${lost.said === '' ? '' : `: ${lost.said}`}`,
  ];
  if (other) {
    const text = other.text
      .replaceAll(/[^\n -~]/g, '.')
      .trim()
      .slice(0, 400)
      .split('\n');
    throw new ActionableError(
      'usage',
      [
        ...told,
        `What came out bears no mark that platen can read (${lost.mark}):`,
        ...text.map((one) => `  | ${one}`),
        ...(await keep(played)),
      ],
      'Give the pipeline the mark where it prints text or QR codes: {title} or {mark} in a field, or another `document`.',
    );
  }
  throw new ActionableError(
    'unreachable',
    [
      ...told,
      `Nothing came out of it within ${pipeline.within / 1_000} s${reported}.`,
      ...lines.map((one) => `  ${one}`),
    ],
    'Without a fault every job has to be printed: see whether the pipeline is given the addresses of the printers.',
  );
}

/** @throws ActionableError where a job was printed, and no word that the file knows says so */
function refuseUntold(played: PlayedDay, { file, state, within }: Pipeline): PlayedDay {
  const untold = played.seen.jobs.find(({ fate }) => fate?.kind === 'open');
  if (!untold || !state) return played;
  const words = [state.done, state.failed ?? [], state.uncertain ?? []].flat().join(', ');
  throw usageError(
    [
      `${file}: the first job for ${untold.printer} was printed, and no word for it came within ${within / 1_000} s`,
      `Submitted, it was answered: ${untold.said}`,
      `None of ${words} was reported: ${untold.fate?.word}`,
    ],
    'Correct `submit.id`, or `path` and the words of `state`; without `state` only paper is judged.',
  );
}

/** Why a day could not be played. */
export function whyUnplayed(error: unknown): string {
  return error instanceof ActionableError ? error.lines.join('; ') : messageOf(error);
}
