/**
 * Load plan: everything that is decided before a run, from the scenario and the seed alone.
 *
 *   scenario + seed ─► plan ─► arrivals of shard 1/3 ┐
 *                         ├──► arrivals of shard 2/3 ├ together every arrival once, in the same order
 *                         └──► arrivals of shard 3/3 ┘
 *
 * An arrival belongs to an account, and an account to one shard. The draws of an arrival depend on its index in its
 * stream, never on the shard or the time of day.
 */

import { createHash } from 'node:crypto';

import { createRandom } from '../../common/random.ts';
import { createPacer } from '../pacers/pacers.ts';
import { draw32, drawBelow, drawSeed } from './draws.ts';
import type { LoadDocument, LoadScenario, LoadStream } from './load-scenario.ts';
import { estimateLoad, type LoadEstimate } from './plan-estimate.ts';
import { PlannedRoom } from './planned-room.ts';

export interface LoadPlan {
  /** The same for every shard; another hash means another plan. Sixteen hexadecimal digits. */
  readonly hash: string;
  readonly scenario: LoadScenario;
  readonly seed: number | string;
  readonly streams: readonly PlannedStream[];
  readonly room: PlannedRoom;
  readonly estimate: LoadEstimate;
}

export interface PlannedStream extends LoadStream {
  readonly drawSeed: number;
  readonly totalWeight: number;
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

export const WHOLE: Shard = { index: 1, count: 1 };

export interface Arrival {
  /** Index of its stream in the plan. */
  readonly stream: number;
  /** Its index in the stream, the same for any number of shards. */
  readonly index: number;
  /** Milliseconds since the start of the run. */
  readonly intendedMs: number;
  /** Index of its operation in the stream. */
  readonly operation: number;
  readonly account: number;
  /** 32 bits for the operation's own choices. */
  readonly draw: number;
}

const DRAW_ACCOUNT = 0;
const DRAW_OPERATION = 1;
const DRAW_CHOICES = 2;
const HASH_DIGITS = 16;

/** @param seed - replaces that of the scenario */
export function planLoad(scenario: LoadScenario, seed: number | string = scenario.seed): LoadPlan {
  const streams = scenario.streams.map((stream): PlannedStream => ({
    ...stream,
    drawSeed: drawSeed(seed, `stream/${stream.name}`),
    totalWeight: stream.operations.reduce((sum, { weight }) => sum + weight, 0),
  }));
  return {
    hash: hashOf(scenario, seed),
    scenario,
    seed,
    streams,
    room: new PlannedRoom(scenario),
    estimate: estimateLoad(scenario),
  };
}

/** The shard that an account belongs to, from 1. */
export function shardOfAccount(account: number, count: number): number {
  return (account % count) + 1;
}

function isInShard(account: number, { index, count }: Shard): boolean {
  return shardOfAccount(account, count) === index;
}

/** The accounts of a shard, by their number from 0. */
export function accountsOf({ scenario }: LoadPlan, shard: Shard): readonly number[] {
  return Array.from({ length: scenario.accounts }, (_, account) => account).filter((account) =>
    isInShard(account, shard),
  );
}

/** Arrivals of the open streams in order of time; at the same time, in order of the streams. */
export function* arrivals(plan: LoadPlan, shard: Shard): Iterable<Arrival> {
  const lines = plan.streams.flatMap((_, stream) => openLine(plan, stream, shard));
  for (;;) {
    let next: Line | undefined;
    for (const line of lines) {
      if (line.head && (next?.head === undefined || line.head.intendedMs < next.head.intendedMs)) next = line;
    }
    if (next?.head === undefined) return;
    yield next.head;
    next.head = headOf(next.rest);
  }
}

export interface Loop {
  readonly stream: number;
  /** Its number among the callers of the stream. */
  readonly loop: number;
  readonly account: number;
}

/** The callers of the closed streams that belong to a shard. */
export function loops(plan: LoadPlan, shard: Shard): readonly Loop[] {
  return plan.streams.flatMap((planned, stream) =>
    Array.from({ length: planned.arrivals.kind === 'closed' ? planned.arrivals.loops : 0 }, (_, loop) => ({
      stream,
      loop,
      account: accountOf(planned, loop),
    })).filter(({ account }) => isInShard(account, shard)),
  );
}

/** The n-th turn of a caller, from 0; it is intended for when the caller gets to it. */
export function loopTurn(plan: LoadPlan, { stream, loop, account }: Loop, turn: number, intendedMs: number): Arrival {
  const planned = plan.streams[stream];
  if (planned?.arrivals.kind !== 'closed') throw new RangeError(`stream ${stream} has no callers`);
  const index = turn * planned.arrivals.loops + loop;
  return { ...drawn(planned, stream, index, intendedMs), account };
}

interface Line {
  head: Arrival | undefined;
  readonly rest: Iterator<Arrival>;
}

function headOf(rest: Iterator<Arrival>): Arrival | undefined {
  const { done, value } = rest.next();
  return done === true ? undefined : value;
}

function openLine(plan: LoadPlan, stream: number, shard: Shard): readonly Line[] {
  const rest = arrivalsOfStream(plan, stream, shard);
  const head = headOf(rest);
  return head === undefined ? [] : [{ head, rest }];
}

function* arrivalsOfStream({ streams, seed }: LoadPlan, stream: number, shard: Shard): Generator<Arrival> {
  const planned = streams[stream];
  if (planned?.arrivals.kind !== 'open') return;
  const pacer = createPacer(planned.arrivals.pacer, planned.forMs);
  let index = 0;
  for (const atMs of pacer.times(createRandom(seed).stream(`pacer/${planned.name}`))) {
    const account = accountOf(planned, index);
    if (isInShard(account, shard)) yield drawn(planned, stream, index, planned.startMs + atMs);
    index++;
  }
}

function drawn(planned: PlannedStream, stream: number, index: number, intendedMs: number): Arrival {
  return {
    stream,
    index,
    intendedMs,
    operation: operationOf(planned, index),
    account: accountOf(planned, index),
    draw: draw32(planned.drawSeed, index, DRAW_CHOICES),
  };
}

function accountOf({ accounts: { first, last }, drawSeed }: PlannedStream, index: number): number {
  return first + drawBelow(draw32(drawSeed, index, DRAW_ACCOUNT), last - first + 1);
}

function operationOf({ operations, totalWeight, drawSeed }: PlannedStream, index: number): number {
  if (operations.length === 1) return 0;
  let left = (draw32(drawSeed, index, DRAW_OPERATION) / 0x1_0000_0000) * totalWeight;
  for (const [operation, { weight }] of operations.entries()) {
    left -= weight;
    if (left < 0) return operation;
  }
  return operations.length - 1;
}

function hashOf(scenario: LoadScenario, seed: number | string): string {
  const text = JSON.stringify([1, seed, { ...scenario, documents: scenario.documents.map(withoutPath) }]);
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

/** The path of a file differs from machine to machine; its content does not. */
function withoutPath({ source, ...rest }: LoadDocument): unknown {
  return source.kind === 'file' ? { ...rest, sha256: source.sha256 } : { ...rest, source };
}
