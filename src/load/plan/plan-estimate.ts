/**
 * Estimate of a plan: what it will send.
 */

import { sumOf, sumsOf } from '../../common/sums.ts';
import { LIMITS } from '../../specification/limits.ts';
import { createPacer } from '../pacers/pacers.ts';
import type { LoadScenario, LoadStream, WeightedOperation } from './load-scenario.ts';

export interface LoadEstimate {
  /** Requests over HTTP; of closed streams the most that think times and a fast service allow. */
  readonly requests: number;
  /** Submissions among them. */
  readonly jobs: number;
  /** Links of computers; requests open up to `caps.connections` more. */
  readonly connections: number;
  /** Bytes sent in requests. */
  readonly bytes: number;
  /** Requests per second where they are densest. */
  readonly peakRate: number;
  /** From the first arrival to the end of the drain. */
  readonly durationMs: number;
  /** What may turn out differently than intended, as sentences. */
  readonly warnings: readonly string[];
}

const COUNTED_RATE_PER_SECOND = LIMITS.requestsPerSecond.value;
/** Headers and body of a request without a document. */
const REQUEST_BYTES = 500;
/** The time that a fast answer takes, for the estimate of closed streams. */
const QUICK_ANSWER_MS = 5;
const BASE64_GROWTH = 4 / 3;

export function estimateLoad(scenario: LoadScenario): LoadEstimate {
  const lines = scenario.streams.map((stream) => estimateStream(stream, scenario));
  const { requests, jobs, bytes } = sumsOf(['requests', 'jobs', 'bytes'], lines);
  const rateAt = (atMs: number): number =>
    sumOf(
      lines.filter(({ startMs, endMs }) => startMs <= atMs && atMs < endMs),
      (line) => line.peakRate,
    );
  const peakRate = Math.max(0, ...lines.map(({ startMs }) => rateAt(startMs)));
  return {
    requests: Math.round(requests),
    jobs: Math.round(jobs),
    connections: sumOf(scenario.computers, ({ count }) => count),
    bytes: Math.round(bytes),
    peakRate,
    durationMs: Math.max(0, ...lines.map(({ endMs }) => endMs)) + scenario.drainMs,
    warnings: warningsOf(scenario, peakRate),
  };
}

interface StreamEstimate {
  readonly requests: number;
  readonly jobs: number;
  readonly bytes: number;
  readonly peakRate: number;
  readonly startMs: number;
  readonly endMs: number;
}

function estimateStream(stream: LoadStream, { documents }: LoadScenario): StreamEstimate {
  const { requests, peakRate } = arrivalsOf(stream);
  const totalWeight = sumOf(stream.operations, ({ weight }) => weight);
  const share = ({ weight }: WeightedOperation): number => weight / totalWeight;
  const submissions = stream.operations.filter(({ name }) => name === 'submit');
  return {
    requests,
    jobs: requests * sumOf(submissions, share),
    bytes: requests * sumOf(stream.operations, (one) => share(one) * bytesSentBy(one, documents)),
    peakRate,
    startMs: stream.startMs,
    endMs: stream.startMs + stream.forMs,
  };
}

/** Bytes that one request of an operation sends. */
export function bytesSentBy({ name, document }: WeightedOperation, documents: LoadScenario['documents']): number {
  const sent = documents[document];
  if (name !== 'submit' || sent?.via !== 'base64') return REQUEST_BYTES;
  return REQUEST_BYTES + sent.bytes * BASE64_GROWTH;
}

/** Requests of one caller of a closed stream with fast answers; 0 for an open one. */
export function turnsOfLoop({ arrivals, forMs }: LoadStream): number {
  return arrivals.kind === 'open' ? 0 : forMs / (arrivals.thinkMs + QUICK_ANSWER_MS);
}

function arrivalsOf({ arrivals, forMs }: LoadStream): Pick<StreamEstimate, 'requests' | 'peakRate'> {
  if (arrivals.kind === 'open') {
    const { expectedArrivals, peakRate } = createPacer(arrivals.pacer, forMs);
    return { requests: expectedArrivals, peakRate };
  }
  const rate = (arrivals.loops * 1_000) / (arrivals.thinkMs + QUICK_ANSWER_MS);
  return { requests: Math.ceil((rate * forMs) / 1_000), peakRate: rate };
}

function warningsOf({ accounts, sources }: LoadScenario, peakRate: number): readonly string[] {
  const scopes = [
    { name: 'account', count: accounts, key: 'traffic.accounts' },
    { name: 'source address', count: Math.max(1, sources.length), key: 'traffic.sources' },
  ];
  return scopes
    .filter(({ count }) => peakRate / count > COUNTED_RATE_PER_SECOND)
    .map(
      ({ name, count, key }) =>
        `up to ${Math.ceil(peakRate / count)} requests a second for each ${name}: a service that allows ` +
        `${COUNTED_RATE_PER_SECOND} will answer 429 to some; ${key}: ${Math.ceil(peakRate / COUNTED_RATE_PER_SECOND)} would stay below`,
    );
}
