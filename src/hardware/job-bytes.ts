/**
 * Job bytes: what a printer has got of a job by a protocol that does not say where one ends.
 */

import { systemClock, type Timer } from '../common/clock.ts';

const NOTHING = new Uint8Array();

export class JobBytes {
  readonly #onJob: (bytes: Buffer) => void;
  readonly #pauseMs: number | undefined;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #rest: () => Uint8Array = () => NOTHING;
  #pause: Timer | undefined;

  /** @param pauseMs - a pause of this length ends a job; real time, as a cable takes. No pause does unless given */
  constructor(onJob: (bytes: Buffer) => void, pauseMs?: number) {
    this.#onJob = onJob;
    this.#pauseMs = pauseMs;
  }

  get length(): number {
    return this.#length;
  }

  /** @param rest - what is kept back of these bytes, once nothing follows */
  add(bytes: Uint8Array, rest: () => Uint8Array): void {
    this.#rest = rest;
    // A question about the state of the printer is no part of the job.
    if (bytes.length === 0 && this.#pause !== undefined) return;
    this.#pause?.cancel();
    this.#length += bytes.length;
    this.#chunks.push(Buffer.from(bytes));
    if (this.#pauseMs !== undefined) this.#pause = systemClock.schedule(this.#pauseMs, () => this.end());
  }

  end(): void {
    const bytes = Buffer.concat([...this.#chunks, this.#rest()]);
    this.drop();
    if (bytes.length > 0) this.#onJob(bytes);
  }

  drop(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    this.#chunks = [];
    this.#length = 0;
    this.#rest = () => NOTHING;
  }
}
