/**
 * Disasters: what hits many computers at once, or the service itself.
 *
 *   power-cut        those hit go at once, and come back over a while
 *   reconnect-storm  their connections are cut at once; they come back without the usual waiting
 *   rolling-restart  one after the other says goodbye, and comes back
 *   service-killed   the service dies by SIGKILL, and is started again
 *
 * Who is hit follows from the seed, the disaster and the global index of the computer: the same ones for
 * any number of shards.
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
  /** What the draws hang on that say who is hit. */
  readonly drawSeed: number;
  readonly fleet: Fleet;
  readonly ledger: Ledger;
  readonly webhooks: WebhookAccount | undefined;
  /** Killed by this process; without it somebody else kills it, and this process only sees it. */
  readonly service: KillableService | undefined;
  /** Microseconds since the start of the run. */
  readonly sinceStartUs: () => number;
}

/** A computer that is hit. */
interface Hit {
  readonly computer: VirtualComputer;
  /** Its place in the time over which they go or come back. */
  readonly offsetMs: number;
}

const LOOK_EVERY_MS = 20;
/** What a service sends without need to those that are back comes within it, and belongs to the run. */
const AFTERMATH_MS = 500;

export class ChaosPlayer {
  readonly #parts: ChaosOptions;
  readonly #records = new Map<number, ChaosEventRecord>();
  /** Those that have begun and are not got over yet. */
  #open = 0;
  readonly #closing = new AbortController();

  constructor(parts: ChaosOptions) {
    this.#parts = parts;
  }

  /** Those that have begun, in the order of the plan. */
  get records(): readonly ChaosEventRecord[] {
    return [...this.#records].toSorted(([a], [b]) => a - b).map(([, record]) => record);
  }

  /** Whether all that have begun are got over. */
  get areOver(): boolean {
    return this.#open === 0;
  }

  /** Looks no more whether they are got over. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Lets all of them happen; resolves when the last one has, or the signal ends the run. How they are got over
   * is watched until `close`.
   */
  async run(disasters: readonly ChaosEvent[], signal: AbortSignal): Promise<void> {
    const ends = disasters.map((disaster, number) => this.#happen(disaster, number, signal));
    const settled = await Promise.allSettled(ends);
    const broken = settled.find((end) => end.status === 'rejected' && !signal.aborted);
    if (broken?.status === 'rejected') throw broken.reason;
  }

  /** The computers that a disaster hits. */
  hits({ share, withinMs }: ChaosEvent, number: number): readonly Hit[] {
    const hits: Hit[] = [];
    for (const [{ index }, computer] of this.#parts.fleet.members()) {
      const isHit = this.#fraction(index, 2 * number) < share;
      if (isHit) hits.push({ computer, offsetMs: this.#fraction(index, 2 * number + 1) * withinMs });
    }
    return hits;
  }

  async #happen(disaster: ChaosEvent, number: number, signal: AbortSignal): Promise<void> {
    const { clock, fleet } = this.#parts;
    const lastsMs = disaster.forMs + disaster.withinMs;
    await sleep(clock, Math.max(0, disaster.atMs - this.#nowMs()), signal);
    const hits = disaster.what === 'service-killed' ? [] : this.hits(disaster, number);
    const before = { atMs: this.#nowMs(), connected: fleet.connected, backlog: this.#backlog };
    const note = { ...disaster, hit: hits.length, before, number };
    this.#take(note, null);
    this.#open++;
    void this.#watch(note).finally(() => this.#open--);
    await Promise.all([
      ACTS[disaster.what](disaster, hits, this.#parts, signal),
      sleep(clock, lastsMs, signal),
    ]);
  }

  /** Looks until all is as it was, or nobody wants to know any more. */
  async #watch(note: Note): Promise<void> {
    const { clock, fleet } = this.#parts;
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
    const { fleet } = this.#parts;
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
    return draw32(this.#parts.drawSeed, index, purpose) / 0x1_0000_0000;
  }

  get #backlog(): number {
    const { accepted, over } = this.#parts.ledger.progress;
    return Math.max(0, accepted - over);
  }

  #nowMs(): number {
    return this.#parts.sinceStartUs() / 1_000;
  }
}

interface Note extends ChaosEvent {
  readonly number: number;
  readonly hit: number;
  readonly before: { readonly atMs: number; readonly connected: number; readonly backlog: number };
}

type ActOfGod = (
  disaster: ChaosEvent,
  hits: readonly Hit[],
  parts: ChaosOptions,
  signal: AbortSignal,
) => Promise<void>;

const ACTS: Readonly<Record<ChaosEventName, ActOfGod>> = {
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
    // Not before: one that is still being started is killed when it runs.
    webhooks?.serviceDied(sinceStartUs(), ledger.rows);
    await sleep(clock, forMs, signal).catch(() => undefined);
    // What was taken from its sockets after its death was never heard either.
    webhooks?.answersUnheard(sinceStartUs());
    await service?.restart();
  },
};
