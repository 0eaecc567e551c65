/**
 * Job bytes: what a printer has got of a job by a protocol that does not say where one ends.
 */

import { systemClock, type Timer } from '../common/clock.ts';

const NOTHING = new Uint8Array();

/** What ends a job while more could come. */
export interface JobPause {
  /** Real time, as a cable takes. */
  readonly ms: number;
  /** Whether a job may end after these bytes, which came last. */
  readonly mayEnd: (bytes: Uint8Array) => boolean;
}

export class JobBytes {
  readonly #onJob: (bytes: Buffer) => void;
  readonly #pause: JobPause | undefined;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #rest: () => Uint8Array = () => NOTHING;
  #timer: Timer | undefined;

  /** @param pause - no pause ends a job unless given */
  constructor(onJob: (bytes: Buffer) => void, pause?: JobPause) {
    this.#onJob = onJob;
    this.#pause = pause;
  }

  get length(): number {
    return this.#length;
  }

  /** @param rest - what is kept back of these bytes, once nothing follows */
  add(bytes: Uint8Array, rest: () => Uint8Array): void {
    this.#rest = rest;
    // A question about the state of the printer is no part of the job.
    if (bytes.length === 0 && this.#timer !== undefined) return;
    this.hold();
    this.#length += bytes.length;
    this.#chunks.push(Buffer.from(bytes));
    if (this.#pause?.mayEnd(bytes)) this.#timer = systemClock.schedule(this.#pause.ms, () => this.end());
  }

  /** No pause ends it until more comes: the printer does not read. */
  hold(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  end(): void {
    const bytes = Buffer.concat([...this.#chunks, this.#rest()]);
    this.drop();
    if (bytes.length > 0) this.#onJob(bytes);
  }

  drop(): void {
    this.hold();
    this.#chunks = [];
    this.#length = 0;
    this.#rest = () => NOTHING;
  }
}
