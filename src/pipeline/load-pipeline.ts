/**
 * Loads a pipeline: submits its jobs at the times of a plan, and accounts for each of them by its paper.
 *
 *   arrivals ─► caller ─► ledger: sent, accepted
 *   drain    ─► what was not answered once more ─► states ─► paper ─► ledger: reported, printed
 */

import { usageError } from '../common/actionable-error.ts';
import { sleep, systemClock } from '../common/clock.ts';
import { machineMicroseconds } from '../common/stopwatch.ts';
import { arrivals, WHOLE, type Arrival, type LoadPlan } from '../load/plan/load-plan.ts';
import type { LoadResult } from '../load/run-load.ts';
import { resultFrom } from '../load/shard/run-shard.ts';
import { ShardMonitor, type ShardProgress } from '../load/shard/shard-monitor.ts';
import { runArrivals } from '../load/traffic/arrival-loop.ts';
import type { Submitted } from './caller.ts';
import { newJob, type NewJob } from './job.ts';
import type { Pipeline } from './pipeline-file.ts';
import { PipelineWorld, type Surroundings } from './pipeline-world.ts';
import { namesIn } from './values.ts';

export interface PipelineLoad {
  readonly plan: LoadPlan;
  readonly pipeline: Pipeline;
  readonly surroundings: Surroundings;
  readonly runId: string;
  /** Ends the arrivals. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: ShardProgress) => void) | undefined;
}

interface LoadedJob extends NewJob {
  readonly row: number;
  readonly arrival: Arrival;
  id: string;
  isTaken: boolean;
  isOver: boolean;
}

const LOOK_EVERY_MS = 200;
const OUTCOMES = { taken: 'ok', refused: 'refused', unknown: 'broken' } as const;

/** @throws ActionableError where the plan asks for more than a pipeline has, or a program does not come up */
export async function loadPipeline(load: PipelineLoad): Promise<LoadResult> {
  refuseWhatIsOfServices(load.plan);
  const world = await PipelineWorld.open(load.pipeline, load.surroundings);
  try {
    return await new LoadOfPipeline(load, world).run();
  } finally {
    await world.close();
  }
}

function refuseWhatIsOfServices({ scenario: { streams, webhooks, chaos } }: LoadPlan): void {
  const others = streams.flatMap(({ operations }) => operations.filter(({ name }) => name !== 'submit'));
  const unfit = [
    ...others.map(({ name }) => `do: ${name}`),
    ...(streams.some(({ arrivals: { kind } }) => kind === 'closed') ? ['callers that wait for each answer'] : []),
    ...(webhooks ? ['webhooks'] : []),
    ...(chaos.length > 0 ? ['chaos'] : []),
  ];
  if (unfit.length === 0) return;
  throw usageError(
    `a pipeline knows nothing of ${[...new Set(unfit)].join(', ')}`,
    'Load it with streams of `do: submit` that have a `pacer`.',
  );
}

class LoadOfPipeline {
  readonly #load: PipelineLoad;
  readonly #world: PipelineWorld;
  readonly #monitor: ShardMonitor;
  readonly #printers: readonly string[];
  readonly #jobs: LoadedJob[] = [];
  readonly #submissions = new Set<Promise<void>>();
  #startedMs = 0;
  /** The end of the drain. */
  #untilUs = Infinity;
  /** Submissions that had no answer, by the answer to a second one. */
  readonly #settled = { taken: 0, refused: 0, unknown: 0 };

  constructor(load: PipelineLoad, world: PipelineWorld) {
    this.#load = load;
    this.#world = world;
    this.#printers = Object.keys(load.pipeline.printers);
    const { plan, signal, onProgress } = load;
    this.#monitor = new ShardMonitor({ plan, shard: WHOLE.index, signals: [signal], onProgress });
    this.#monitor.gauges = () => ({ connected: 0, inFlight: this.#submissions.size });
  }

  async run(): Promise<LoadResult> {
    const monitor = this.#monitor;
    try {
      this.#startedMs = systemClock.now();
      monitor.start(machineMicroseconds());
      await runArrivals(
        {
          arrivals: arrivals(this.#load.plan, WHOLE),
          sinceStartUs: monitor.sinceStartUs,
          take: (arrival) => this.#begin(arrival),
        },
        monitor.ending,
      );
      await Promise.all(this.#submissions);
      await this.#drain();
      return this.#result();
    } finally {
      monitor.close();
    }
  }

  #begin(arrival: Arrival): void {
    const { ledger } = this.#monitor;
    const printer = ledger.rows % this.#printers.length;
    const row = ledger.intend({
      intendedUs: arrival.intendedMs * 1_000,
      account: arrival.account,
      printer,
      document: 0,
      copies: 1,
    });
    const fresh = newJob(this.#printers[printer] ?? '', this.#load.pipeline, this.#world);
    const job = { ...fresh, row, arrival, id: '', isTaken: false, isOver: false };
    this.#jobs.push(job);
    this.#submit(job);
  }

  #submit(job: LoadedJob): void {
    const { ledger, recorder, sinceStartUs } = this.#monitor;
    const sentUs = sinceStartUs();
    ledger.sent(job.row, sentUs);
    const answered = this.#world.caller.submit(job.values).then((submitted) => {
      const { stream, account, intendedMs } = job.arrival;
      const outcome = OUTCOMES[submitted.outcome];
      recorder.ended(stream, account, outcome, 0, intendedMs * 1_000, sentUs, sentUs, sinceStartUs());
      this.#take(job, submitted);
    });
    this.#submissions.add(answered);
    void answered.finally(() => this.#submissions.delete(answered));
  }

  #take(job: LoadedJob, submitted: Submitted): void {
    if (submitted.outcome === 'refused') this.#monitor.ledger.refused(job.row);
    if (submitted.outcome !== 'taken') return;
    job.id = submitted.id;
    job.isTaken = true;
    this.#monitor.ledger.accepted(job.row, job.row + 1, this.#monitor.sinceStartUs());
  }

  get #isOver(): boolean {
    return this.#load.signal.aborted || this.#monitor.sinceStartUs() >= this.#untilUs;
  }

  /** Until every job is on paper and reported, or the time of the drain is over. */
  async #drain(): Promise<void> {
    const { ledger, sinceStartUs } = this.#monitor;
    this.#monitor.drain();
    this.#untilUs = sinceStartUs() + this.#load.plan.scenario.drainMs * 1_000;
    while (!this.#isOver) {
      await this.#settleUnanswered();
      await this.#askFates();
      if (this.#jobs.every(({ isTaken, isOver, row }) => isOver || (!isTaken && !ledger.isOpen(row)))) break;
      await sleep(systemClock, LOOK_EVERY_MS, this.#load.signal).catch(() => undefined);
    }
    // What comes twice may come late.
    if (!this.#load.signal.aborted) await sleep(systemClock, this.#load.pipeline.quiet);
    await this.#readPaper();
    ledger.drained();
    this.#monitor.finish();
  }

  async #settleUnanswered(): Promise<void> {
    if (!namesIn(this.#load.pipeline.submit).has('key')) return;
    for (const job of this.#jobs.filter(({ row }) => this.#monitor.ledger.isOpen(row))) {
      if (this.#isOver) return;
      const submitted = await this.#world.caller.submit(job.values);
      this.#settled[submitted.outcome]++;
      this.#take(job, submitted);
    }
  }

  /** Asks for jobs that may still come; without `state` paper alone tells that they have. */
  async #askFates(): Promise<void> {
    const { ledger, sinceStartUs } = this.#monitor;
    const open = this.#jobs.filter(({ isTaken, isOver }) => isTaken && !isOver);
    const papers = this.#load.pipeline.state ? [] : await this.#world.room.seen();
    const printed = new Set(papers.map(({ mark }) => mark));
    for (const job of open) {
      if (this.#isOver) return;
      const fate = await this.#world.caller.fateOf({ ...job.values, id: job.id });
      job.isOver = fate === undefined ? printed.has(job.mark) : fate.kind !== 'open';
      if (job.isOver)
        ledger.reported(job.row, fate === undefined || fate.kind === 'done' ? 'done' : 'error', sinceStartUs());
    }
  }

  async #readPaper(): Promise<void> {
    const rows = new Map(this.#jobs.map((job) => [job.mark, job]));
    for (const { mark, printer, copies, isWhole, atMs } of await this.#world.room.seen()) {
      const job = rows.get(mark ?? '');
      if (!job) continue;
      // Its printers have no accounts: -1 is the wrong one of none.
      const isRight = printer === job.printer;
      const paper = { printer: isRight ? this.#printers.indexOf(printer) : -1, copies };
      const truth = { ...paper, documentMatches: isWhole, optionsMatch: true, titleMatches: true };
      this.#monitor.ledger.printed(job.row, truth, (atMs - this.#startedMs) * 1_000);
    }
  }

  #result(): LoadResult {
    const { pipeline, signal } = this.#load;
    const { ledger } = this.#monitor;
    const target = { name: pipeline.title, baseUrl: null };
    const open = this.#jobs.filter(({ row }) => ledger.isOpen(row)).length;
    const { taken, refused } = this.#settled;
    const settlement = { wereAccepted: 0, submittedAgain: taken, refused, open };
    const run = { ...this.#load, shard: WHOLE, target, stop: signal, halt: signal };
    const result = resultFrom(this.#monitor, run, {
      floor: null,
      webhooks: null,
      disasters: [],
      responses: { judged: 0, broken: [] },
      settlement,
      leaks: { accounts: [] },
    });
    return { record: result.record, parts: [result] };
  }
}
