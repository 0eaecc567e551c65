/**
 * Traffic of a shard: its open streams at their intended times, its callers in their closed loops.
 *
 *   open     arrival loop ─► operation
 *   closed   operation ─► over ─► thinks ─► operation …     a turn is intended for when its caller gets to it
 */

import { systemClock, type Timer } from '../../common/clock.ts';
import { NudgedTicker } from '../../common/ticker.ts';
import { arrivals, loops, loopTurn, type Arrival, type LoadPlan, type Loop, type Shard } from '../plan/load-plan.ts';
import type { LoadStream } from '../plan/load-scenario.ts';
import { runArrivals } from './arrival-loop.ts';
import type { RequestSender } from './request-sender.ts';
import { OPERATIONS } from './operations.ts';

export class Traffic {
  readonly #plan: LoadPlan;
  readonly #shard: Shard;
  readonly #sender: RequestSender;
  readonly #callers = new Map<Arrival, Caller>();
  readonly #ticker = new NudgedTicker();

  constructor(plan: LoadPlan, shard: Shard, sender: RequestSender) {
    this.#plan = plan;
    this.#shard = shard;
    this.#sender = sender;
  }

  /**
   * Resolves when the last arrival has been handed out.
   *
   * @param signal - no arrival begins after it
   * @returns how many there were
   */
  async run(signal: AbortSignal): Promise<number> {
    const open = runArrivals(
      {
        arrivals: arrivals(this.#plan, this.#shard),
        sinceStartUs: this.#sender.sinceStartUs,
        take: (arrival) => this.#begin(arrival),
        ticker: this.#ticker.begin,
      },
      signal,
    );
    const closed = loops(this.#plan, this.#shard).map((loop) => this.#call(loop, signal));
    const handedOut = await Promise.all([open, ...closed]);
    return handedOut.reduce((sum, count) => sum + count, 0);
  }

  /** To be called when an arrival is over, with or without an answer. */
  over(arrival: Arrival, wasShed: boolean): void {
    // The process is awake anyway, so what is due need not wait for the next millisecond.
    this.#ticker.nudge();
    if (this.#callers.size === 0) return;
    const caller = this.#callers.get(arrival);
    if (caller === undefined) return;
    this.#callers.delete(arrival);
    caller.goOn(wasShed);
  }

  #begin(arrival: Arrival): void {
    const name = this.#plan.streams[arrival.stream]?.operations[arrival.operation]?.name;
    if (name !== undefined) OPERATIONS[name](arrival, this.#sender);
  }

  #call(loop: Loop, signal: AbortSignal): Promise<number> {
    const stream = this.#plan.streams[loop.stream];
    if (stream === undefined) return Promise.resolve(0);
    return new Promise((resolve) => {
      const caller = new Caller({
        stream,
        sinceStartUs: this.#sender.sinceStartUs,
        signal,
        resolve,
        ask: (turn, intendedMs) => {
          const arrival = loopTurn(this.#plan, loop, turn, intendedMs);
          this.#callers.set(arrival, caller);
          this.#begin(arrival);
        },
      });
      caller.begin();
    });
  }
}

/** A caller whose turn was shed waits a little, or it would be shed again at once. */
const SHED_PAUSE_MS = 1;

interface CallerOptions {
  readonly stream: LoadStream;
  readonly sinceStartUs: () => number;
  readonly signal: AbortSignal;
  readonly ask: (turn: number, intendedMs: number) => void;
  /** Called at the end with the number of turns. */
  readonly resolve: (turns: number) => void;
}

/** Sends a request, waits for the answer, thinks, and sends the next. */
class Caller {
  readonly #options: CallerOptions;
  readonly #thinkMs: number;
  #turn = 0;
  #timer: Timer | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    const { arrivals: pace } = options.stream;
    this.#thinkMs = pace.kind === 'closed' ? pace.thinkMs : 0;
  }

  begin(): void {
    const { stream, signal, sinceStartUs } = this.#options;
    signal.addEventListener('abort', () => this.#stop(), { once: true });
    this.#askIn(stream.startMs - sinceStartUs() / 1_000);
  }

  goOn(wasShed: boolean): void {
    this.#turn++;
    if (this.#thinkMs > 0 || wasShed) this.#askIn(Math.max(SHED_PAUSE_MS, this.#thinkMs));
    else this.#ask();
  }

  #askIn(delayMs: number): void {
    this.#timer = systemClock.schedule(delayMs, () => this.#ask());
  }

  #ask(): void {
    const { stream, sinceStartUs, signal, ask, resolve } = this.#options;
    const nowMs = sinceStartUs() / 1_000;
    if (signal.aborted || nowMs >= stream.startMs + stream.forMs) resolve(this.#turn);
    else ask(this.#turn, nowMs);
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#options.resolve(this.#turn);
  }
}
