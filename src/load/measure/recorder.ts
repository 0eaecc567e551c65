/**
 * Recorder: records the outcome of every request, and the duration of every phase of a job.
 *
 *   intended ───────► issued ─────► sent ───────────► ended
 *      └── lateness ────┘            └──── service ─────┘
 *      └──────────────── response ──────────────────────┘
 *
 * Response time counts from the intended start: a service that stalls is charged for every caller that had to wait,
 * not only for those whose request was sent. Lateness is the generator's own fault.
 */

import { sumsOf } from '../../common/sums.ts';
import type {
  JobCounters,
  LoadFacts,
  SecondRecord,
  SelfGauges,
  SelfRecord,
  StreamRecord,
} from '../../record/load-record.ts';
import { PHASES, REQUEST_OUTCOMES, type Phase, type RequestOutcome } from '../../record/words.ts';
import { FairnessBook } from './fairness.ts';
import { Durations } from './histogram.ts';
import { bucketsOf, type LiveFigures, type LiveStream } from './live-figures.ts';
import type { Measures } from './measures.ts';

const US_PER_SECOND = 1_000_000;

export interface RecorderOptions {
  readonly streams: readonly string[];
  /** Accounts of the plan; a shard records its own. */
  readonly accounts: number;
  /** What is intended earlier is counted, and its durations are not recorded; 0 unless given. */
  readonly warmUpUs?: number | undefined;
}

/** What thresholds ask for besides requests and phases, during a run. */
export type LiveSources = Pick<Measures, 'ledger' | 'webhooks' | 'cpu' | 'rssBytes' | 'activeMs' | 'elapsedMs'>;

/** The contents of a recorder, as parts of a run record. */
export type Recording = Pick<LoadFacts, 'streams' | 'legs' | 'series' | 'fairness'> & Pick<SelfRecord, 'lateness'>;

export class Recorder {
  readonly #streams: readonly StreamBook[];
  readonly #phases = new Map<Phase, Durations>();
  readonly #fairness: FairnessBook;
  readonly #warmUpUs: number;
  readonly #series: SecondRecord[] = [];
  readonly #second = new SecondBook();

  constructor({ streams, accounts, warmUpUs = 0 }: RecorderOptions) {
    this.#warmUpUs = warmUpUs;
    this.#streams = streams.map((name) => new StreamBook(name));
    this.#fairness = new FairnessBook(accounts);
  }

  /**
   * A request has ended. Times are microseconds since the start of the run.
   *
   * @param sentUs - when it reached a connection; `issuedUs` when it never did
   * @param status - 0 without an answer
   */
  ended(
    stream: number,
    account: number,
    outcome: RequestOutcome,
    status: number,
    intendedUs: number,
    issuedUs: number,
    sentUs: number,
    endedUs: number,
  ): void {
    const book = this.#streams[stream];
    if (book === undefined) return;
    book.counts[outcome]++;
    if (status > 0) book.statuses.set(status, (book.statuses.get(status) ?? 0) + 1);
    const responseUs = endedUs - intendedUs;
    const latenessUs = issuedUs - intendedUs;
    if (intendedUs >= this.#warmUpUs) {
      book.response.record(responseUs);
      book.service.record(endedUs - sentUs);
      book.lateness.record(latenessUs);
    }
    this.#second.ended(outcome, responseUs, latenessUs);
    this.#fairness.ended(account, outcome === 'ok', responseUs);
  }

  /** An arrival that was not sent: too many requests were in flight. */
  shed(stream: number, account: number): void {
    const book = this.#streams[stream];
    if (book === undefined) return;
    book.counts.shed++;
    this.#second.shed();
    this.#fairness.ended(account, false, 0);
  }

  /** A phase of a job has ended; fits `LedgerOptions.onPhase`. */
  phase(name: Phase, durationUs: number, intendedUs: number): void {
    if (intendedUs < this.#warmUpUs) return;
    let durations = this.#phases.get(name);
    if (durations === undefined) {
      durations = new Durations();
      this.#phases.set(name, durations);
    }
    durations.record(durationUs);
  }

  /** A second of the run has ended. @returns its record */
  closeSecond(atUs: number, jobs: JobCounters, self: SelfGauges): SecondRecord {
    const second = Math.max(0, Math.round(atUs / US_PER_SECOND) - 1);
    const record = this.#second.close(second, jobs, self);
    this.#series.push(record);
    return record;
  }

  /** How late the generator was, over all streams. */
  lateness(): Durations {
    const sum = new Durations();
    for (const { lateness } of this.#streams) sum.add(lateness);
    return sum;
  }

  /** What abort rules are judged by. */
  measures(sources: LiveSources): Measures {
    const streamOf = (name: string): StreamBook | undefined => this.#streams.find((stream) => stream.name === name);
    return {
      durations: (name, kind) => streamOf(name)?.[kind],
      counts: (name) => streamOf(name)?.counts,
      phase: (name) => this.#phases.get(name),
      lateness: () => this.lateness(),
      fairness: () => this.#fairness.toFairness(),
      ...sources,
    };
  }

  /** Everything so far, for those who watch. */
  soFar(): Pick<LiveFigures, 'streams' | 'phases'> {
    return {
      streams: this.#streams.map((book) => book.soFar()),
      phases: [...this.#phases].map(([name, durations]) => ({ name, durations: bucketsOf(durations) })),
    };
  }

  toRecording(): Recording {
    return {
      streams: this.#streams.map((book) => book.toRecord()),
      legs: PHASES.flatMap((name) => {
        const durations = this.#phases.get(name);
        return durations ? [{ name, duration: durations.toRecord() }] : [];
      }),
      series: this.#series,
      lateness: this.lateness().toRecord(),
      fairness: this.#fairness.toFairness(),
    };
  }
}

/** The outcome that an answer of this status counts as. */
export function outcomeOfStatus(status: number): RequestOutcome {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : 'refused';
}

class StreamBook {
  readonly name: string;
  readonly counts = sumsOf(REQUEST_OUTCOMES, []);
  readonly statuses = new Map<number, number>();
  readonly response = new Durations();
  readonly service = new Durations();
  readonly lateness = new Durations();

  constructor(name: string) {
    this.name = name;
  }

  soFar(): LiveStream {
    const { name, counts, response, service, lateness } = this;
    return {
      name,
      counts: { ...counts },
      response: bucketsOf(response),
      service: bucketsOf(service),
      lateness: bucketsOf(lateness),
    };
  }

  toRecord(): StreamRecord {
    return {
      name: this.name,
      counts: { ...this.counts },
      response: this.response.toRecord(),
      service: this.service.toRecord(),
      lateness: this.lateness.toRecord(),
      statuses: Object.fromEntries([...this.statuses].toSorted(([a], [b]) => a - b)),
    };
  }
}

class SecondBook {
  #arrivals = 0;
  #ended = 0;
  #errors = 0;
  readonly #response = new Durations();
  readonly #lateness = new Durations();

  ended(outcome: RequestOutcome, responseUs: number, latenessUs: number): void {
    this.#arrivals++;
    this.#ended++;
    if (outcome !== 'ok') this.#errors++;
    this.#response.record(responseUs);
    this.#lateness.record(latenessUs);
  }

  shed(): void {
    this.#arrivals++;
    this.#errors++;
  }

  close(second: number, jobs: JobCounters, self: SelfGauges): SecondRecord {
    const { intended, accepted, delivered, printed, reported } = jobs;
    const record: SecondRecord = {
      second,
      arrivals: this.#arrivals,
      ended: this.#ended,
      errors: this.#errors,
      response: {
        p50Us: this.#response.percentile(50),
        p99Us: this.#response.percentile(99),
        histogram: this.#response.toBase64(),
      },
      latenessP99Us: this.#lateness.percentile(99),
      jobs: { intended, accepted, delivered, printed, reported },
      self,
    };
    this.#arrivals = 0;
    this.#ended = 0;
    this.#errors = 0;
    this.#response.reset();
    this.#lateness.reset();
    return record;
  }
}
