/**
 * Shift: a worker's one shard, from the moment it was taken until its record is handed in.
 *
 *   shard ─► prepare ─► ready ═ go ═► run ─► record, done
 *               │ problems    │ drain, stop, or no sign of the coordinator
 *               └─► told      └─► ends early, with the record it has
 *
 * What a shard is and does is not known here: see ShardWork.
 */

import type { NatsConnection } from '@nats-io/transport-node';

import { sleep, type Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/error-message.ts';
import { measureClock } from './clock-offset.ts';
import { ask, read, type ClockReading, type Go } from './fleet-messages.ts';
import type { PreparedShard, ShardWork } from './placement/shard-work.ts';
import { subjectOf, type RunStore } from './run-store.ts';
import { exchangeSigns } from './signs-of-life.ts';

export interface ShiftParts {
  readonly connection: NatsConnection;
  readonly clock: Clock;
  /** Names the worker in reports. */
  readonly name: string;
  readonly work: ShardWork;
  /** Without a sign of the coordinator for so long, it stops by itself. */
  readonly deadManMs: number;
  /** Told what happens, a line each. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

const GO_LIMIT_MS = 180_000;

export class Shift {
  readonly #shard: number;
  readonly #store: RunStore;
  readonly #parts: ShiftParts;
  readonly #drain = new AbortController();
  readonly #stop = new AbortController();
  readonly #go = Promise.withResolvers<Go | undefined>();

  constructor(shard: number, store: RunStore, parts: ShiftParts) {
    this.#shard = shard;
    this.#store = store;
    this.#parts = parts;
  }

  /** @throws Error when it could not be prepared or handed in */
  async work(): Promise<void> {
    const { clock, deadManMs, signal } = this.#parts;
    const exchange = (): Promise<boolean> => this.#exchange();
    const onSilence = (): void => this.#end('there is no sign of the coordinator');
    const signs = exchangeSigns({ clock, exchange, deadManMs, onSilence });
    const words = await this.#store.watch((key, bytes) => this.#hear(key, bytes));
    const leave = (): void => this.#end('this worker was interrupted');
    signal.addEventListener('abort', leave, { once: true });
    try {
      await this.#exchange();
      await this.#play();
    } finally {
      signal.removeEventListener('abort', leave);
      signs.cancel();
      words.stop();
    }
  }

  async #play(): Promise<void> {
    const { connection, clock } = this.#parts;
    const reading = await measureClock(connection, this.#subject('time'), clock);
    const prepared = await this.#prepare(reading);
    const tooLate = new AbortController();
    void sleep(clock, GO_LIMIT_MS, tooLate.signal).then(() => this.#end('nobody said go'), ignore);
    const go = await this.#go.promise;
    // Left alone, it would stop a run that lasts longer than that.
    tooLate.abort();
    if (go) await this.#handIn(prepared, go, reading);
    else await prepared.abandon();
  }

  async #prepare(clock: ClockReading): Promise<PreparedShard> {
    const { connection, name, work } = this.#parts;
    const tell = (problems: readonly string[]): Promise<void> =>
      this.#store.put(`ready.${this.#shard}`, { worker: name, problems, clock });
    try {
      const secrets = await ask(connection, this.#subject('secrets'), read.secrets);
      const bundle = await this.#store.getFile('bundle');
      const prepared = await work.prepare({ shard: this.#shard, bundle, secrets });
      await tell([]);
      return prepared;
    } catch (error) {
      await tell([messageOf(error)]);
      throw error;
    }
  }

  async #handIn(prepared: PreparedShard, go: Go, { offsetMs }: ClockReading): Promise<void> {
    const { clock, connection } = this.#parts;
    const startAtMs = go.startAtMs - offsetMs;
    const key = `done.${this.#shard}`;
    try {
      const record = await prepared.run({
        startAtMs,
        drain: this.#drain.signal,
        stop: this.#stop.signal,
        onStart: () =>
          void this.#store.put(`started.${this.#shard}`, { lateMs: clock.now() - startAtMs }).catch(ignore),
        onProgress: (progress) =>
          connection.publish(this.#subject('progress'), JSON.stringify({ shard: this.#shard, progress })),
      });
      await this.#store.putFile(`record.${this.#shard}`, record);
      await this.#store.put(key, { ok: true, message: '' });
    } catch (error) {
      await this.#store.put(key, { ok: false, message: messageOf(error) });
      throw error;
    }
  }

  /** What the coordinator says. */
  #hear(key: string, bytes: Uint8Array): void {
    const go = key === 'go' ? read.go(bytes) : undefined;
    if (go) this.#go.resolve(go);
    const halt = key === 'halt' ? read.halt(bytes) : undefined;
    if (halt?.how === 'drain') this.#drain.abort(new Error(halt.reason));
    if (halt?.how === 'stop') this.#end(halt.reason);
  }

  async #exchange(): Promise<boolean> {
    await this.#store.showLife(`worker.${this.#shard}`);
    return this.#store.isAlive('coordinator');
  }

  #subject(what: Parameters<typeof subjectOf>[1]): string {
    return subjectOf(this.#store.runId, what);
  }

  #end(reason: string): void {
    if (this.#stop.signal.aborted) return;
    this.#parts.tell(`run ${this.#store.runId}: ${reason}; shard ${this.#shard} stops`);
    this.#drain.abort(new Error(reason));
    this.#stop.abort(new Error(reason));
    this.#go.resolve(undefined);
  }
}

function ignore(): void {
  // A sign or a figure that is lost is made good by the next one.
}
