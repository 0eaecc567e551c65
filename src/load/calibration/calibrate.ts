/**
 * Calibration: the traffic of the plan against a service that does nothing, just before the run. It measures the
 * floor: the generator's own share of every figure. A result near the floor says more about the generator than
 * about the service.
 *
 *   the plan's first arrivals, evenly at its peak rate, for two seconds ─► null service ─► floor
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { ActionableError } from '../../common/actionable-error.ts';
import { siblingModule } from '../../common/sibling-module.ts';
import { machineMicroseconds } from '../../common/stopwatch.ts';
import { NudgedTicker } from '../../common/ticker.ts';
import { within } from '../../common/waiter.ts';
import { Ledger } from '../../oracle/ledger.ts';
import type { FloorRecord } from '../../record/load-record.ts';
import { accountsOf, arrivals, loops, loopTurn, type Arrival, type LoadPlan, type Shard } from '../plan/load-plan.ts';
import { runArrivals } from '../traffic/arrival-loop.ts';
import type { PreparedDocument } from '../traffic/documents.ts';
import type { Attempt } from '../traffic/attempt.ts';
import { AttemptLog } from '../traffic/attempt-log.ts';
import { LoadAccount } from '../traffic/load-account.ts';
import { RequestSender, type AttemptListener } from '../traffic/request-sender.ts';
import { OPERATIONS } from '../traffic/operations.ts';
import { Submissions } from '../traffic/submissions.ts';
import { Durations } from '../measure/histogram.ts';
import { Recorder } from '../measure/recorder.ts';

const CALIBRATION_S = 2.5;
/** Connections open and code is compiled meanwhile: not typical of a run of minutes. */
const WARM_UP_US = 500_000;
/** Above this rate the null service itself would be measured. */
const MOST_RATE = 5_000;
const LEAST_RATE = 50;

/** @throws ActionableError when the null service does not start */
export async function calibrate(
  plan: LoadPlan,
  shard: Shard,
  documents: readonly PreparedDocument[],
  signal: AbortSignal,
): Promise<FloorRecord> {
  await using service = await startNullService();
  const startUs = machineMicroseconds() + 10_000;
  const sinceStartUs = (): number => machineMicroseconds() - startUs;
  const ticker = new NudgedTicker();
  const meter = new FloorMeter(plan, () => ticker.nudge());
  const accounts = accountsOf(plan, shard).map((number) => nullAccount(number));
  const sender = new RequestSender({
    baseUrl: service.url,
    accounts: new Map(accounts.map((account) => [account.number, account])),
    sources: [],
    timeoutMs: 10_000,
    mostInFlight: plan.scenario.caps.inFlight,
    mostConnections: plan.scenario.caps.connections,
    sinceStartUs,
    listener: meter,
    jobs: {
      ledger: new Ledger(),
      submissions: new Submissions(plan, shard, documents, () => service.url),
      keyOf: String,
      ambiguous: [],
    },
  });
  const take = (arrival: Arrival): void => begin(arrival, plan, sender);
  try {
    await runArrivals({ arrivals: evenly(plan, shard), sinceStartUs, take, ticker: ticker.begin }, signal);
    await sender.quiet();
    return meter.floor(sinceStartUs());
  } finally {
    await sender.close();
  }
}

/** Logs and judges as the run does: that is part of the floor, and warms up the code for the run. */
class FloorMeter implements AttemptListener {
  readonly #log: AttemptLog;
  readonly #response = new Durations();
  readonly #lateness = new Durations();

  constructor({ streams, scenario }: LoadPlan, onOver: () => void) {
    const recorder = new Recorder({ streams: streams.map(({ name }) => name), accounts: scenario.accounts });
    this.#log = new AttemptLog(recorder, scenario.timeoutMs, onOver);
  }

  ended(attempt: Attempt): void {
    this.#log.ended(attempt);
    const { endedUs, intendedUs, issuedUs } = attempt;
    if (intendedUs < WARM_UP_US) return;
    this.#response.record(endedUs - intendedUs);
    this.#lateness.record(issuedUs - intendedUs);
  }

  shed(arrival: Arrival): void {
    this.#log.shed(arrival);
  }

  floor(elapsedUs: number): FloorRecord {
    return {
      responseP50Us: this.#response.percentile(50),
      responseP99Us: this.#response.percentile(99),
      latenessP99Us: this.#lateness.percentile(99),
      requestsPerSecond: Math.round((this.#response.count * 1e6) / Math.max(1, elapsedUs - WARM_UP_US)),
    };
  }
}

function begin(arrival: Arrival, { streams }: LoadPlan, sender: RequestSender): void {
  const name = streams[arrival.stream]?.operations[arrival.operation]?.name;
  if (name !== undefined && name !== 'subscribe-scales') OPERATIONS[name](arrival, sender);
}

/** One printer is enough for jobs that are never printed. */
function nullAccount(number: number): LoadAccount {
  const account = new LoadAccount(number, 'null', null);
  account.printers = [{ id: 1, printer: 0 }];
  return account;
}

/** The plan's first arrivals, repeated, at an even rate. */
function* evenly(plan: LoadPlan, shard: Shard): Iterable<Arrival> {
  const rate = Math.min(MOST_RATE, Math.max(LEAST_RATE, plan.estimate.peakRate / shard.count));
  const count = Math.floor(rate * CALIBRATION_S);
  const first = firstArrivals(plan, shard, count);
  for (let index = 0; index < count; index++) {
    const one = first[index % first.length];
    if (one) yield { ...one, intendedMs: (index * 1_000) / rate };
  }
}

function firstArrivals(plan: LoadPlan, shard: Shard, most: number): readonly Arrival[] {
  const first: Arrival[] = loops(plan, shard).map((loop) => loopTurn(plan, loop, 0, 0));
  for (const arrival of arrivals(plan, shard)) {
    if (first.length >= most) break;
    first.push(arrival);
  }
  return first;
}

/** Starts the null service in a process of its own. */
interface NullService extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

const START_LIMIT = '20s';

/** @throws ActionableError when it does not come up */
export async function startNullService(): Promise<NullService> {
  const child = fork(fileURLToPath(siblingModule(import.meta.url, 'null-service-process')), {
    // Flags for profiling or debugging this process are not meant for it.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await gone;
  };
  const ready = Promise.race([once(child, 'message'), gone.then(() => undefined)]);
  const message = await within(ready, { description: 'the null service', limit: START_LIMIT });
  if (message === undefined) throw notStarted();
  const [{ url }] = message as [{ readonly url: string }];
  return { url, pid: child.pid ?? 0, close, [Symbol.asyncDispose]: close };
}

function notStarted(): ActionableError {
  return new ActionableError(
    'harness',
    'the null service, which calibrates the load generator, did not start',
    'Skip the calibration with --no-calibration, or see the messages of its process above.',
  );
}
