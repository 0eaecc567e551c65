/**
 * Calibration: the traffic of the plan against a service that does nothing, just before the run. What comes out
 * is the generator's own share of every figure, its floor; a result near it says more of the generator than of
 * the service.
 *
 *   the plan's first arrivals, evenly at its peak rate, for two seconds ─► null service ─► floor
 */

import { machineMicroseconds } from '../../common/stopwatch.ts';
import { NudgedTicker } from '../../common/ticker.ts';
import { Ledger } from '../../oracle/ledger.ts';
import type { FloorRecord } from '../load-record.ts';
import {
  accountsOf,
  arrivals,
  loops,
  loopTurn,
  type Arrival,
  type LoadPlan,
  type Shard,
} from '../plan/load-plan.ts';
import { runArrivals } from '../traffic/arrival-loop.ts';
import type { PreparedDocument } from '../traffic/documents.ts';
import { FlightBook } from '../traffic/flight-book.ts';
import { LoadAccount } from '../traffic/load-account.ts';
import { OperationDesk } from '../traffic/operation-desk.ts';
import { OPERATIONS } from '../traffic/operations.ts';
import { Submissions } from '../traffic/submissions.ts';
import { Durations } from './histogram.ts';
import { startNullService } from './null-service.ts';
import { Recorder } from './recorder.ts';

const CALIBRATION_S = 2.5;
/** Connections are opened and code is compiled: not the floor of a run of minutes. */
const WARM_UP_US = 500_000;
/** Beyond it the null service itself would be measured. */
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
  const response = new Durations();
  const lateness = new Durations();
  const accounts = accountsOf(plan, shard).map((number) => nullAccount(number));
  // Taken down and judged as in the run: that is part of the floor, and warm when the run begins.
  const { scenario } = plan;
  const streams = plan.streams.map(({ name }) => name);
  const recorder = new Recorder({ streams, accounts: scenario.accounts });
  const ticker = new NudgedTicker();
  const book = new FlightBook(recorder, scenario.timeoutMs, () => ticker.nudge());
  const desk = new OperationDesk({
    baseUrl: service.url,
    accounts: new Map(accounts.map((account) => [account.number, account])),
    sources: [],
    timeoutMs: 10_000,
    mostInFlight: scenario.caps.inFlight,
    mostConnections: scenario.caps.connections,
    sinceStartUs,
    listener: {
      landed: (flight) => {
        book.landed(flight);
        const { endedUs, intendedUs, issuedUs } = flight;
        if (intendedUs < WARM_UP_US) return;
        response.record(endedUs - intendedUs);
        lateness.record(issuedUs - intendedUs);
      },
      shed: (arrival) => book.shed(arrival),
    },
    jobs: {
      ledger: new Ledger(),
      submissions: new Submissions(plan, shard, documents, () => service.url),
      keyOf: String,
      ambiguous: [],
    },
  });
  try {
    await runArrivals(
      {
        arrivals: evenly(plan, shard),
        sinceStartUs,
        take: (one) => begin(one, plan, desk),
        ticker: ticker.begin,
      },
      signal,
    );
    await desk.quiet();
    return {
      responseP50Us: response.percentile(50),
      responseP99Us: response.percentile(99),
      latenessP99Us: lateness.percentile(99),
      requestsPerSecond: Math.round((response.count * 1e6) / Math.max(1, sinceStartUs() - WARM_UP_US)),
    };
  } finally {
    await desk.close();
  }
}

function begin(arrival: Arrival, { streams }: LoadPlan, desk: OperationDesk): void {
  const name = streams[arrival.stream]?.operations[arrival.operation]?.name;
  if (name !== undefined && name !== 'subscribe-scales') OPERATIONS[name](arrival, desk);
}

/** One printer is enough for jobs that nobody prints. */
function nullAccount(number: number): LoadAccount {
  const account = new LoadAccount(number, 'null', null);
  account.printers = [{ id: 1, printer: 0 }];
  return account;
}

/** The plan's first arrivals, again and again, at an even rate. */
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
