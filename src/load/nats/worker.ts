/**
 * Worker: joins runs that coordinators announce, takes one shard of each, plays it, and hands its record in.
 *
 *   announcement ─► join ─► shard ─► prepare ─► ready ═ go ═► run ─► record, done
 *                     │ refused       │ problems    │ drain, stop, or no sign of the coordinator
 *                     └─► waits on    └─► told      └─► ends early, with the record it has
 *
 * What a shard is and does is not known here: see ShardWork.
 */

import type { NatsConnection } from '@nats-io/transport-node';

import { sleep, type Clock } from '../../common/clock.ts';
import { measureClock } from './clock-offset.ts';
import { ANNOUNCEMENTS, RunStore, runSubjects, SIGN_EVERY_MS, type RunSubjects } from './run-store.ts';
import { read, type Announcement, type ClockReading, type Go } from './fleet-messages.ts';

/** What a worker is asked to do. */
export interface ShardOrder {
  readonly shard: number;
  readonly bundle: Uint8Array;
  /** What is not stored: keys. */
  readonly secrets: unknown;
}

export interface ShardRun {
  /** When to begin, on the clock of this machine. */
  readonly startAtMs: number;
  /** Begins nothing new. */
  readonly drain: AbortSignal;
  /** Ends at once. */
  readonly stop: AbortSignal;
  readonly onProgress: (progress: unknown) => void;
  /** To be called as it begins. */
  readonly onStart: () => void;
}

export interface PreparedShard {
  /** Resolves with the record of the shard. */
  run(run: ShardRun): Promise<Uint8Array>;
  /** It will not be run: what was prepared is undone. */
  abandon(): Promise<void>;
}

export interface ShardWork {
  /** Makes ready for the start: no traffic yet. @throws Error with what stands in the way */
  prepare(order: ShardOrder): Promise<PreparedShard>;
}

export interface WorkerParts {
  readonly connection: NatsConnection;
  readonly clock: Clock;
  /** Names it in reports. */
  readonly name: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly work: ShardWork;
  /** Without a sign of the coordinator for so long, it stops by itself. */
  readonly deadManMs: number;
  /** Told what happens, a line each. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  /** Ends after one run. */
  readonly once?: boolean;
}

const REPLY_LIMIT_MS = 2_000;
const TAKE_LIMIT_MS = 5_000;
const GO_LIMIT_MS = 180_000;

/** Waits for runs and takes part in them until the signal comes, or after one run if that is enough. */
export async function runWorker(parts: WorkerParts): Promise<void> {
  const announcements = parts.connection.subscribe(ANNOUNCEMENTS);
  parts.signal.addEventListener('abort', () => announcements.unsubscribe(), { once: true });
  const refused = new Set<string>();
  for await (const message of announcements) {
    const announcement = read.announcement(message.data);
    if (!announcement || refused.has(announcement.runId) || !fits(announcement, parts)) continue;
    const problem = await takePart(announcement, parts);
    if (parts.signal.aborted) return;
    if (problem !== undefined) {
      parts.tell(`run ${announcement.runId}: ${problem}`);
      refused.add(announcement.runId);
    } else if (parts.once) return;
  }
}

function fits({ tags }: Announcement, parts: WorkerParts): boolean {
  return tags.every((tag) => parts.tags.includes(tag));
}

/** Why it took no part; undefined when it did. */
async function takePart({ runId }: Announcement, parts: WorkerParts): Promise<string | undefined> {
  const subjects = runSubjects(runId);
  try {
    const refusal = await join(subjects, parts);
    if (refusal !== undefined) return refusal;
    const store = await RunStore.open(parts.connection, runId, parts.clock);
    const shard = await store.take(parts.name, TAKE_LIMIT_MS);
    if (shard === undefined) return 'no shard was left';
    parts.tell(`run ${runId}: has shard ${shard}`);
    await new Shift(shard, store, subjects, parts).work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function join(subjects: RunSubjects, parts: WorkerParts): Promise<string | undefined> {
  const { connection, name, version } = parts;
  const request = JSON.stringify({ worker: name, version });
  const answer = await connection.request(subjects.join, request, { timeout: REPLY_LIMIT_MS });
  const reply = read.joinReply(answer.data);
  if (!reply) return 'the coordinator answered something else';
  return reply.taken ? undefined : reply.reason;
}

/** One shard from the moment it was taken. */
class Shift {
  readonly #shard: number;
  readonly #store: RunStore;
  readonly #subjects: RunSubjects;
  readonly #parts: WorkerParts;
  readonly #drain = new AbortController();
  readonly #stop = new AbortController();
  #goes: (go: Go) => void = () => undefined;
  readonly #go = new Promise<Go>((resolve) => {
    this.#goes = resolve;
  });
  #coordinatorSeenMs: number;
  /** One sign is under way: it waits as long as the server is away. */
  #isSigning = false;

  constructor(shard: number, store: RunStore, subjects: RunSubjects, parts: WorkerParts) {
    this.#shard = shard;
    this.#store = store;
    this.#subjects = subjects;
    this.#parts = parts;
    this.#coordinatorSeenMs = parts.clock.now();
  }

  async work(): Promise<void> {
    const { clock, signal } = this.#parts;
    const beat = clock.beat(SIGN_EVERY_MS, () => this.#beat());
    const words = await this.#store.watch();
    const leave = (): void => this.#end('this worker was interrupted');
    signal.addEventListener('abort', leave, { once: true });
    void this.#listen(words);
    try {
      await this.#exchangeSigns();
      await this.#play();
    } finally {
      signal.removeEventListener('abort', leave);
      beat.cancel();
      words.stop();
    }
  }

  async #play(): Promise<void> {
    const { connection, clock } = this.#parts;
    const reading = await measureClock(connection, this.#subjects.time, clock);
    const prepared = await this.#prepare(reading);
    const go = await this.#waitForGo();
    if (go) await this.#handIn(prepared, go, reading);
    else await prepared.abandon();
  }

  async #prepare(clock: ClockReading): Promise<PreparedShard> {
    const { connection, name, work } = this.#parts;
    const tell = (problems: readonly string[]): Promise<void> =>
      this.#store.put(`ready.${this.#shard}`, { worker: name, problems, clock });
    try {
      const secrets = await connection.request(this.#subjects.secrets, '', { timeout: REPLY_LIMIT_MS });
      const bundle = await this.#store.getFile('bundle');
      const prepared = await work.prepare({ shard: this.#shard, bundle, secrets: secrets.json() });
      await tell([]);
      return prepared;
    } catch (error) {
      await tell([messageOf(error)]);
      throw error;
    }
  }

  /** Undefined when it ended before it began. */
  async #waitForGo(): Promise<Go | undefined> {
    const { clock } = this.#parts;
    const waited = new AbortController();
    const patience = AbortSignal.any([this.#stop.signal, waited.signal]);
    const stopped = new Promise<undefined>((resolve) => {
      this.#stop.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const tooLate = sleep(clock, GO_LIMIT_MS, patience).then(() => this.#end('nobody said go'), ignore);
    const go = await Promise.race([this.#go, stopped, tooLate]);
    // Left alone, it would stop a run that lasts longer than that.
    waited.abort();
    return go ?? undefined;
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
          connection.publish(this.#subjects.progress, JSON.stringify({ shard: this.#shard, progress })),
      });
      await this.#store.putFile(`record.${this.#shard}`, record);
      await this.#store.put(key, { ok: true, message: '' });
    } catch (error) {
      await this.#store.put(key, { ok: false, message: messageOf(error) });
      throw error;
    }
  }

  async #listen(words: AsyncIterable<{ readonly key: string; readonly value: Uint8Array }>): Promise<void> {
    for await (const { key, value } of words) {
      const go = key === 'go' ? read.go(value) : undefined;
      if (go) this.#goes(go);
      const halt = key === 'halt' ? read.halt(value) : undefined;
      if (halt?.how === 'drain') this.#drain.abort(new Error(halt.reason));
      if (halt?.how === 'stop') this.#end(halt.reason);
    }
  }

  /** A server that is away is one that shows no sign of anybody. */
  #beat(): void {
    const { clock, deadManMs } = this.#parts;
    const silentMs = clock.now() - this.#coordinatorSeenMs;
    if (silentMs > deadManMs) this.#end('there is no sign of the coordinator');
    if (this.#isSigning) return;
    this.#isSigning = true;
    const done = (): void => {
      this.#isSigning = false;
    };
    this.#exchangeSigns().then(done, done);
  }

  async #exchangeSigns(): Promise<void> {
    await this.#store.showLife(`worker.${this.#shard}`);
    if (await this.#store.isAlive('coordinator')) this.#coordinatorSeenMs = this.#parts.clock.now();
  }

  #end(reason: string): void {
    if (this.#stop.signal.aborted) return;
    this.#parts.tell(`run ${this.#store.runId}: ${reason}; shard ${this.#shard} stops`);
    this.#drain.abort(new Error(reason));
    this.#stop.abort(new Error(reason));
  }
}

function ignore(): void {
  // A sign or a figure that is lost is made good by the next one.
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
