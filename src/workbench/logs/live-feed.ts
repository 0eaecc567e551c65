/**
 * Live feed: what happens on the workbench, as a stream of numbered events for its clients.
 *
 *   jobs changed ──┐
 *   traffic ───────┼─► each 20 ms, at most 10 ─► the last 2,000 events ─► each client, from where it is
 *   room, clock … ─┘                                                       a slow one is dropped
 *
 * A client has no queue, only its place in the latest events. One that does not read, until its place is gone, is
 * dropped: it may come back, and reads everything again.
 * Without clients nothing is done. Real time on purpose: this is for people.
 */

import { systemClock, type Timer } from '../../common/clock.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import type { WorkbenchEvents } from '../../record/control-types.ts';

const TICK_MS = 20;
/** 500 a second. */
const MOST_A_TICK = 10;
const MOST_KEPT = 2_000;
/** More changes than this become one `reset`. */
const MOST_WAITING = 2_000;
/** For this many ticks after the last client has gone, events are still collected: it may come back. */
const TICKS_AFTER_LAST = 500;
/** What is watched is looked at ten times a second at most. */
const LOOK_EVERY_TICKS = 5;
/** A look that takes long, at a large room, is taken less often, so that its share of time stays small. */
const TICKS_PER_MS_OF_LOOK = 2.5;

type EventName = keyof WorkbenchEvents;

/** An event as it goes over the wire. */
export interface FeedEvent {
  readonly id: number;
  readonly name: EventName;
  readonly data: string;
}

/** Someone who watches the workbench. */
export interface FeedClient {
  send(events: readonly FeedEvent[]): void;
  /** Whether it can take more. */
  readonly ready: boolean;
  /** Ends its connection. */
  drop(): void;
}

/** Something that is looked at now and then; a change becomes an event. */
export interface Watched {
  readonly name: EventName;
  look(): Looked;
}

interface Looked {
  readonly data: unknown;
  /** What of the data counts as a change. */
  readonly compared: unknown;
}

/** @param compared - what of the data counts as a change; all of it unless given */
export function watch<Data>(
  name: EventName,
  look: () => Data,
  compared: (data: Data) => unknown = (data) => data,
): Watched {
  return {
    name,
    look: () => {
      const data = look();
      return { data, compared: compared(data) };
    },
  };
}

/** An event to be: made when its turn comes. */
type Waiting = () => { readonly name: EventName; readonly data: unknown } | undefined;

interface Subscription {
  readonly client: FeedClient;
  /** Id of the last event it got. */
  at: number;
}

export class LiveFeed {
  readonly #watched: readonly Watched[];
  readonly #seen = new Map<EventName, string>();
  readonly #subscriptions = new Set<Subscription>();
  readonly #waiting = new Map<string, Waiting>();
  #kept: FeedEvent[] = [];
  #lastId: number;
  #beat: Timer | undefined;
  #ticksToLook = LOOK_EVERY_TICKS;
  #idleTicks = 0;

  /** @param firstId - beyond those of any feed before: an id of another workbench means nothing here */
  constructor(watched: readonly Watched[], firstId: number) {
    this.#watched = watched;
    this.#lastId = firstId;
  }

  /** Whether there is a client, or was one just now. */
  get isWatched(): boolean {
    return this.#beat !== undefined;
  }

  get readers(): number {
    return this.#subscriptions.size;
  }

  /**
   * Something happened. Several changes of one thing before its turn make one event.
   *
   * @param key - names the thing
   * @param waiting - makes the event when its turn comes; undefined when there is nothing to say any more
   */
  announce(key: string, waiting: Waiting): void {
    if (!this.isWatched) return;
    this.#waiting.set(key, waiting);
    if (this.#waiting.size > MOST_WAITING) this.announceAll('reset', {});
  }

  /** Everything is different: clients read everything again. */
  announceAll(name: 'workbench' | 'reset', data: WorkbenchEvents['workbench'] | WorkbenchEvents['reset']): void {
    if (!this.isWatched) return;
    this.#waiting.clear();
    this.#keep(name, data);
  }

  /**
   * Takes a client in.
   *
   * @param lastId - of the last event it knows; undefined for a new client
   * @returns how to leave
   */
  join(client: FeedClient, lastId: number | undefined): () => void {
    const subscription: Subscription = { client, at: lastId ?? this.#lastId };
    this.#subscriptions.add(subscription);
    this.#idleTicks = 0;
    if (!this.#beat) {
      for (const watched of this.#watched) this.#hasChanged(watched);
      this.#beat = systemClock.beat(TICK_MS, () => this.#tick());
    }
    this.#serve(subscription);
    return () => this.#subscriptions.delete(subscription);
  }

  close(): void {
    this.#beat?.cancel();
    this.#beat = undefined;
    this.#subscriptions.clear();
    this.#waiting.clear();
  }

  #tick(): void {
    if (--this.#ticksToLook <= 0) this.#look();
    let left = MOST_A_TICK;
    for (const [key, waiting] of this.#waiting) {
      if (left-- === 0) break;
      this.#waiting.delete(key);
      const event = waiting();
      if (event) this.#keep(event.name, event.data);
    }
    for (const subscription of this.#subscriptions) this.#serve(subscription);
    this.#idleTicks = this.#subscriptions.size === 0 ? this.#idleTicks + 1 : 0;
    if (this.#idleTicks > TICKS_AFTER_LAST) this.#rest();
  }

  /** No client came back: what happens from now on is not collected. */
  #rest(): void {
    this.close();
    this.#kept = [];
    // So that the id of a client that comes back is out of date, and it reads everything again.
    this.#lastId++;
  }

  #look(): void {
    const elapsedMs = startStopwatch();
    for (const watched of this.#watched) {
      const changed = this.#hasChanged(watched);
      if (changed) this.#keep(watched.name, changed.data);
    }
    this.#ticksToLook = Math.max(LOOK_EVERY_TICKS, Math.ceil(elapsedMs() * TICKS_PER_MS_OF_LOOK));
  }

  /** What is to be seen now, if it is not what was seen last. */
  #hasChanged({ name, ...watched }: Watched): Looked | undefined {
    const looked = watched.look();
    const text = JSON.stringify(looked.compared);
    if (this.#seen.get(name) === text) return undefined;
    this.#seen.set(name, text);
    return looked;
  }

  #keep(name: EventName, data: unknown): void {
    this.#kept.push({ id: ++this.#lastId, name, data: JSON.stringify(data) });
    if (this.#kept.length >= 2 * MOST_KEPT) this.#kept = this.#kept.slice(-MOST_KEPT);
  }

  /** Sends a client what it has not had, or `reset` if some of that is gone. */
  #serve(subscription: Subscription): void {
    const { client, at } = subscription;
    if (at === this.#lastId) return;
    const oldest = this.#kept[0]?.id ?? this.#lastId + 1;
    const isKnown = at >= oldest - 1 && at <= this.#lastId;
    if (client.ready) {
      subscription.at = this.#lastId;
      client.send(isKnown ? this.#kept.slice(at - oldest + 1) : [{ id: this.#lastId, name: 'reset', data: '{}' }]);
    } else if (!isKnown) {
      this.#subscriptions.delete(subscription);
      client.drop();
    }
  }
}
