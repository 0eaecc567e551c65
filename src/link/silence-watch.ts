/**
 * Silence watch: notices peers that fell silent, with one beat for all live sessions of a link.
 *
 *   heard ──── 2 heartbeats ────► doubt: ask with a ping ────── 0.5 ──► still nothing: silent
 *
 * A session costs no more than its place in a set; a timer exists only while one is doubted. The ping
 * matters when time jumps (a virtual clock, a machine that slept): the peer had no chance to send its
 * heartbeats, and gets one to answer.
 */

import type { Clock, Hold, Timer } from '../common/clock.ts';

const BEAT_MS = 1_000;
const DOUBT_AFTER_HEARTBEATS = 2;

export interface Watched {
  /** When something last came from the peer, on the clock. */
  readonly lastHeardMs: number;
  readonly heartbeatMs: number;
  /** Called at each beat while the silence lasts. */
  doubt(): void;
}

export class SilenceWatch {
  readonly #clock: Clock;
  readonly #patienceMs: number | undefined;
  readonly #watched = new Set<Watched>();
  #beat: Timer | undefined;

  constructor(clock: Clock, patienceMs: number | undefined) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#beat ??= this.#clock.beat(BEAT_MS, () => this.#look());
  }

  remove(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    this.#beat?.cancel();
    this.#beat = undefined;
  }

  /**
   * A virtual clock waits for the answer to a ping, however late other frames are on purpose. It is real time that the
   * peer needs for it.
   */
  holdForPong(what: string): Hold {
    return this.#clock.hold(what, this.#patienceMs);
  }

  #look(): void {
    const nowMs = this.#clock.now();
    for (const watched of this.#watched) {
      if (nowMs - watched.lastHeardMs >= DOUBT_AFTER_HEARTBEATS * watched.heartbeatMs) watched.doubt();
    }
  }
}
