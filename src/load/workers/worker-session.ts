/**
 * Worker session: a worker's shard, from the moment it is taken until its record is stored.
 *
 *   shard ─► prepare ─► ready ═ go ═► run ─► record, done
 *               │ problems    │ drain, stop, or no heartbeat of the coordinator
 *               └─► reported  └─► ends early, with the record it has
 *
 * What a shard does is up to ShardWork.
 */

import { addAbortListener } from 'node:events';

import type { NatsConnection } from '@nats-io/transport-node';

import { sleep, type Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/error-message.ts';
import { ask, read, type ClockReading, type Go } from '../nats/fleet-messages.ts';
import { startHeartbeat } from '../nats/heartbeat.ts';
import { subjectOf, type RunStore } from '../nats/run-store.ts';
import type { PreparedShard, ShardWork } from './shard-work.ts';

export interface WorkerSessionOptions {
  readonly connection: NatsConnection;
  readonly clock: Clock;
  readonly name: string;
  readonly work: ShardWork;
  /** How long it goes on without a heartbeat of the coordinator. */
  readonly leaseMs: number;
  /** Called with each line to log. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

const GO_LIMIT_MS = 180_000;
/** Questions about the coordinator's clock. */
const QUESTIONS = 15;

export class WorkerSession {
  readonly #shard: number;
  readonly #store: RunStore;
  readonly #options: WorkerSessionOptions;
  readonly #drain = new AbortController();
  readonly #stop = new AbortController();
  readonly #go = Promise.withResolvers<Go | undefined>();

  constructor(shard: number, store: RunStore, options: WorkerSessionOptions) {
    this.#shard = shard;
    this.#store = store;
    this.#options = options;
  }

  /** @throws Error when the shard could not be prepared, or its record not stored */
  async work(): Promise<void> {
    const { clock, leaseMs, signal } = this.#options;
    const exchange = (): Promise<boolean> => this.#exchange();
    const onExpiry = (): void => this.#end('no heartbeat of the coordinator');
    const heartbeats = startHeartbeat({ clock, exchange, leaseMs, onExpiry });
    const words = await this.#store.watch((key, bytes) => this.#hear(key, bytes));
    const onLeave = addAbortListener(signal, () => this.#end('this worker was interrupted'));
    try {
      await this.#exchange();
      await this.#play();
    } finally {
      onLeave[Symbol.dispose]();
      heartbeats.cancel();
      words.stop();
    }
  }

  async #play(): Promise<void> {
    const { connection, clock } = this.#options;
    const reading = await measureClock(connection, this.#subject('time'), clock);
    const prepared = await this.#prepare(reading);
    const tooLate = new AbortController();
    void sleep(clock, GO_LIMIT_MS, tooLate.signal).then(() => this.#end('the coordinator never said go'), ignore);
    const go = await this.#go.promise;
    // It would end a run that lasts longer than the limit.
    tooLate.abort();
    if (go) await this.#handIn(prepared, go, reading);
    else await prepared.abandon();
  }

  async #prepare(clock: ClockReading): Promise<PreparedShard> {
    const { connection, name, work } = this.#options;
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
    const { clock, connection } = this.#options;
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

  #hear(key: string, bytes: Uint8Array): void {
    const go = key === 'go' ? read.go(bytes) : undefined;
    if (go) this.#go.resolve(go);
    const halt = key === 'halt' ? read.halt(bytes) : undefined;
    if (halt?.how === 'drain') this.#drain.abort(new Error(halt.reason));
    if (halt?.how === 'stop') this.#end(halt.reason);
  }

  async #exchange(): Promise<boolean> {
    await this.#store.beat(`worker.${this.#shard}`);
    return this.#store.isAlive('coordinator');
  }

  #subject(what: Parameters<typeof subjectOf>[1]): string {
    return subjectOf(this.#store.runId, what);
  }

  #end(reason: string): void {
    if (this.#stop.signal.aborted) return;
    this.#options.tell(`run ${this.#store.runId}: ${reason}; shard ${this.#shard} stops`);
    this.#drain.abort(new Error(reason));
    this.#stop.abort(new Error(reason));
    this.#go.resolve(undefined);
  }
}

function ignore(): void {
  // A lost heartbeat or figure is replaced by the next one.
}

/**
 * How far the clock of this machine is from the coordinator's: `offsetMs` added to it gives the coordinator's. Of
 * several questions, the one with the shortest round trip is the most accurate, to within half of that round trip.
 *
 * @throws Error when the coordinator does not answer
 */
async function measureClock(connection: NatsConnection, subject: string, clock: Clock): Promise<ClockReading> {
  let best: ClockReading | undefined;
  for (let question = 0; question < QUESTIONS; question++) {
    const askedMs = clock.now();
    const there = await ask(connection, subject, read.time);
    const roundTripMs = clock.now() - askedMs;
    if (!there) throw new Error('the coordinator did not answer with its time');
    if (best && best.roundTripMs <= roundTripMs) continue;
    best = { offsetMs: there.nowMs - (askedMs + roundTripMs / 2), roundTripMs };
  }
  return best ?? { offsetMs: 0, roundTripMs: 0 };
}
