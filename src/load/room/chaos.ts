/**
 * Chaos: plays the chaos events of a load, which hit many computers at once, or the service itself.
 *
 *   power-cut        computers go down at once, and come back over a while
 *   reconnect-storm  connections are cut at once; the computers reconnect without the usual backoff
 *   rolling-restart  one computer after the other disconnects, and comes back
 *   service-killed   the service is killed by SIGKILL, and started again
 *
 * Which computers are hit follows from the seed, the event and their global index: the same ones for any number of
 * shards.
 */

import { sleep, type Clock } from '../../common/clock.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import type { WebhookAccount } from '../../oracle/webhook-account.ts';
import type { ChaosEventRecord } from '../../record/load-record.ts';
import type { ChaosEventName } from '../../record/words.ts';
import { draw32 } from '../plan/draws.ts';
import type { ChaosEvent } from '../plan/load-scenario.ts';
import type { Fleet } from './fleet.ts';

/** A service that can be killed: one that platen started itself. */
export interface KillableService {
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface ChaosOptions {
  readonly clock: Clock;
  /** The seed of the draws that choose the computers. */
  readonly drawSeed: number;
  readonly fleet: Pick<Fleet, 'size' | 'connected' | 'members'>;
  readonly ledger: Ledger;
  readonly webhooks: WebhookAccount | undefined;
  /** To be killed by this process; without it, the process that started the service kills it. */
  readonly service: KillableService | undefined;
  /** Microseconds since the start of the run. */
  readonly sinceStartUs: () => number;
}

interface Hit {
  readonly computer: VirtualComputer;
  /** Its place in the time over which they go or come back. */
  readonly offsetMs: number;
}

const LOOK_EVERY_MS = 20;
/** Redundant deliveries to computers that are back arrive within this time; they belong to the run. */
const AFTERMATH_MS = 500;

export class ChaosPlayer {
  readonly #options: ChaosOptions;
  readonly #records = new Map<number, ChaosEventRecord>();
  /** How many have begun and are not recovered from yet. */
  #open = 0;
  readonly #closing = new AbortController();

  constructor(options: ChaosOptions) {
    this.#options = options;
  }

  /** The events that have begun, in the order of the plan. */
  get records(): readonly ChaosEventRecord[] {
    return [...this.#records].toSorted(([a], [b]) => a - b).map(([, record]) => record);
  }

  /** Whether the room has recovered from all that have begun. */
  get areOver(): boolean {
    return this.#open === 0;
  }

  /** Stops watching the recovery. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Plays all events; resolves when the last has happened, or the signal aborts. The recovery is watched until
   * `close`.
   */
  async run(events: readonly ChaosEvent[], signal: AbortSignal): Promise<void> {
    const ends = events.map((event, number) => this.#happen(event, number, signal));
    const settled = await Promise.allSettled(ends);
    const broken = settled.find((end) => end.status === 'rejected' && !signal.aborted);
    if (broken?.status === 'rejected') throw broken.reason;
  }

  hits({ share, withinMs }: ChaosEvent, number: number): readonly Hit[] {
    const hits: Hit[] = [];
    for (const [{ index }, computer] of this.#options.fleet.members()) {
      const isHit = this.#fraction(index, 2 * number) < share;
      if (isHit) hits.push({ computer, offsetMs: this.#fraction(index, 2 * number + 1) * withinMs });
    }
    return hits;
  }

  async #happen(event: ChaosEvent, number: number, signal: AbortSignal): Promise<void> {
    const { clock, fleet } = this.#options;
    const lastsMs = event.forMs + event.withinMs;
    await sleep(clock, Math.max(0, event.atMs - this.#nowMs()), signal);
    const hits = event.what === 'service-killed' ? [] : this.hits(event, number);
    const before = { atMs: this.#nowMs(), connected: fleet.connected, backlog: this.#backlog };
    const note = { ...event, hit: hits.length, before, number };
    this.#take(note, null);
    this.#open++;
    void this.#watch(note).finally(() => this.#open--);
    await Promise.all([ACTS[event.what](event, hits, this.#options, signal), sleep(clock, lastsMs, signal)]);
  }

  /** Records until everything is as it was before, or `close` is called. */
  async #watch(note: Note): Promise<void> {
    const { clock, fleet } = this.#options;
    const { signal } = this.#closing;
    const { atMs, backlog } = note.before;
    const lastsMs = note.forMs + note.withinMs;
    for (;;) {
      await sleep(clock, LOOK_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      const sinceMs = this.#nowMs() - atMs;
      const isBack = sinceMs > lastsMs && fleet.connected === fleet.size && this.#backlog <= backlog;
      this.#take(note, isBack ? sinceMs : null);
      if (isBack) return sleep(clock, AFTERMATH_MS, signal).catch(() => undefined);
    }
  }

  #take({ what, atMs, hit, number }: Note, recoveredMs: number | null): void {
    const { fleet } = this.#options;
    const earlier = this.#records.get(number);
    this.#records.set(number, {
      what,
      atMs,
      hit,
      lowestConnected: Math.min(earlier?.lowestConnected ?? Infinity, fleet.connected),
      mostBacklog: Math.max(earlier?.mostBacklog ?? 0, this.#backlog),
      recoveredMs: recoveredMs === null ? null : Math.round(recoveredMs),
    });
  }

  #fraction(index: number, purpose: number): number {
    return draw32(this.#options.drawSeed, index, purpose) / 0x1_0000_0000;
  }

  get #backlog(): number {
    const { accepted, over } = this.#options.ledger.progress;
    return Math.max(0, accepted - over);
  }

  #nowMs(): number {
    return this.#options.sinceStartUs() / 1_000;
  }
}

interface Note extends ChaosEvent {
  readonly number: number;
  readonly hit: number;
  readonly before: { readonly atMs: number; readonly connected: number; readonly backlog: number };
}

type Act = (event: ChaosEvent, hits: readonly Hit[], options: ChaosOptions, signal: AbortSignal) => Promise<void>;

const ACTS: Readonly<Record<ChaosEventName, Act>> = {
  async 'power-cut'({ forMs }, hits) {
    for (const { computer, offsetMs } of hits) computer.crash({ downMs: forMs + offsetMs });
  },
  async 'reconnect-storm'({ forMs }, hits, { clock }) {
    for (const { computer } of hits) computer.cut();
    for (const { computer, offsetMs } of hits) clock.schedule(forMs + offsetMs, () => computer.start());
  },
  async 'rolling-restart'({ forMs }, hits, { clock }) {
    for (const { computer, offsetMs } of hits) {
      clock.schedule(offsetMs, () => void computer.disconnect());
      clock.schedule(offsetMs + forMs, () => computer.start());
    }
  },
  async 'service-killed'({ forMs }, _hits, { clock, service, ledger, webhooks, sinceStartUs }, signal) {
    await service?.kill();
    // Only now: a service that is still starting is killed once it runs.
    webhooks?.serviceDied(sinceStartUs(), ledger.rows);
    await sleep(clock, forMs, signal).catch(() => undefined);
    // Answers that were read from its sockets after its death did not reach it either.
    webhooks?.answersUnheard(sinceStartUs());
    await service?.restart();
  },
};
