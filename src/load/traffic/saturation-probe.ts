/**
 * Saturation probe: how many requests per second an endpoint can serve, measured by autocannon in a closed loop
 * and, as a cross-check, by our own connection pool. The two should agree; if not, one of them is wrong.
 *
 * autocannon is only used in a closed loop: its paced mode sends in bursts, and its correction for coordinated
 * omission (part of that mode) computes in the wrong unit.
 */

import autocannon from 'autocannon';

import { machineMicroseconds } from '../../common/stopwatch.ts';
import { pairsOf } from './attempt-log.ts';
import { LoadAccount } from './load-account.ts';
import { RequestSender } from './request-sender.ts';

export interface SaturationProbe {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface SaturationResult {
  readonly requestsPerSecond: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
  /** CPU time of this process per request, in microseconds. */
  readonly cpuPerRequestUs: number;
}

/** Endpoints that every service has, from the cheapest to one that lists records. */
export const PROBED_PATHS = ['/ping', '/noop', '/printers'] as const;

export interface CrossCheck {
  readonly own: SaturationResult;
  readonly autocannon: SaturationResult;
}

const CONNECTIONS = 32;
const ROUNDS = 3;
const SECONDS = 1;

/** Runs both in turn several times. @returns the median of each */
export async function crossCheck(probed: Pick<SaturationProbe, 'baseUrl' | 'apiKey' | 'path'>): Promise<CrossCheck> {
  const probe = { ...probed, method: 'GET', connections: CONNECTIONS, seconds: SECONDS } as const;
  const rounds: CrossCheck[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ own: await probeWithPool(probe), autocannon: await probeWithAutocannon(probe) });
  }
  return {
    own: median(rounds.map((one) => one.own)),
    autocannon: median(rounds.map((one) => one.autocannon)),
  };
}

function median(results: readonly SaturationResult[]): SaturationResult {
  const sorted = results.toSorted((one, other) => one.requestsPerSecond - other.requestsPerSecond);
  return sorted[Math.floor(sorted.length / 2)] as SaturationResult;
}

/** In autocannon's closed loop. */
export async function probeWithAutocannon(probe: SaturationProbe): Promise<SaturationResult> {
  const { readHeaders, writeHeaders } = new LoadAccount(0, probe.apiKey, null);
  const headers = probe.body === undefined ? readHeaders : writeHeaders;
  const cpu = process.cpuUsage();
  const result = await autocannon({
    url: probe.baseUrl + probe.path,
    method: probe.method,
    connections: probe.connections,
    duration: probe.seconds,
    headers: Object.fromEntries(pairsOf(headers)),
    ...(probe.body !== undefined && { body: probe.body }),
  });
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    failed: result.non2xx + result.errors + result.timeouts,
    cpuPerRequestUs: cpuSince(cpu) / Math.max(1, result['2xx']),
  };
}

/** In the same closed loop, with our own connection pool. */
export async function probeWithPool(probe: SaturationProbe): Promise<SaturationResult> {
  const account = new LoadAccount(0, probe.apiKey, null);
  const body = probe.body === undefined ? null : Buffer.from(probe.body);
  const startUs = machineMicroseconds();
  const endUs = startUs + probe.seconds * 1e6;
  const sinceStartUs = (): number => machineMicroseconds() - startUs;
  let good = 0;
  let failed = 0;
  const sender = new RequestSender({
    baseUrl: probe.baseUrl,
    accounts: new Map([[0, account]]),
    sources: [],
    timeoutMs: 10_000,
    mostInFlight: probe.connections,
    mostConnections: probe.connections,
    sinceStartUs,
    listener: {
      ended: (attempt) => {
        if (attempt.isGood) good++;
        else failed++;
        if (machineMicroseconds() < endUs) send();
      },
      shed: () => undefined,
    },
  });
  const send = (): void => {
    const attempt = sender.begin({ stream: 0, index: 0, intendedMs: 0, operation: 0, account: 0, draw: 0 });
    if (!attempt) return;
    attempt.ask(probe.method, probe.path, body);
    sender.send(attempt);
  };
  const cpu = process.cpuUsage();
  for (let index = 0; index < probe.connections; index++) send();
  await sender.quiet();
  const seconds = sinceStartUs() / 1e6;
  const cpuPerRequestUs = cpuSince(cpu) / Math.max(1, good);
  await sender.close();
  return { requestsPerSecond: good / seconds, failed, cpuPerRequestUs };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
