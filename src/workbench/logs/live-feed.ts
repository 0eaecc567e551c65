/**
 * Live feed: what happens on the workbench, as a stream of numbered events for whoever watches.
 *
 *   jobs changed ──┐
 *   traffic ───────┼─► each 20 ms, at most 10 ─► the last 2,000 events ─► each client, from where it is
 *   room, clock … ─┘                                                       a slow one skips: `reset`
 *
 * A client holds no queue, only its place in what was told last; one that does not read costs nothing
 * more. Nobody watches, nothing is done. Real time on purpose: this is for people.
 */

import { systemClock, type Timer } from '../../common/clock.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import type { WorkbenchEvents } from '../../record/control-types.ts';

const TICK_MS = 20;
/** 500 a second. */
const MOST_A_TICK = 10;
const MOST_KEPT = 2_000;
/** More changed jobs than this are told of as a whole. */
const MOST_WAITING = 2_000;
/** So many ticks after the last client has gone, events are still collected: it may come back. */
const TICKS_AFTER_LAST = 500;
/** At most ten times a second is looked at what is watched. */
const LOOK_EVERY_TICKS = 5;
/** A look that takes long, at a large room, is taken less often: the share of time for it stays small. */
const TICKS_PER_MS_OF_LOOK = 2.5;

type EventName = keyof WorkbenchEvents;

/** An event as it goes over the wire. */
export interface FeedEvent {
  readonly id: number;
  readonly name: EventName;
  readonly data: string;
}

/** Somebody who watches. */
export interface FeedClient {
  send(events: readonly FeedEvent[]): void;
  /** Whether it can take more. */
  readonly ready: boolean;
}

/** Something that is looked at now and then, and told of when it has changed. */
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

/** What waits to be told: made into an event when its turn comes. */
type Waiting = () => { readonly name: EventName; readonly data: unknown } | undefined;

interface Seat {
  readonly client: FeedClient;
  /** Id of the last event it got. */
  at: number;
}

export class LiveFeed {
  readonly #watched: readonly Watched[];
  readonly #seen = new Map<EventName, string>();
  readonly #seats = new Set<Seat>();
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

  /** Whether anybody watches, or did just now. */
  get isWatched(): boolean {
    return this.#beat !== undefined;
  }

  /**
   * Something happened. What happens to the same thing again before it is told is told once.
   *
   * @param key - names the thing
   * @param waiting - makes the event when its turn comes; undefined when there is nothing to tell any more
   */
  tell(key: string, waiting: Waiting): void {
    if (!this.isWatched) return;
    this.#waiting.set(key, waiting);
    if (this.#waiting.size > MOST_WAITING) this.tellAll('reset', {});
  }

  /** Everything is different: whoever watches reads anew. */
  tellAll(name: 'workbench' | 'reset', data: WorkbenchEvents['workbench'] | WorkbenchEvents['reset']): void {
    if (!this.isWatched) return;
    this.#waiting.clear();
    this.#keep(name, data);
  }

  /**
   * Takes a client in.
   *
   * @param lastId - of the last event it knows; undefined for one that comes anew
   * @returns how to leave
   */
  join(client: FeedClient, lastId: number | undefined): () => void {
    const seat: Seat = { client, at: lastId ?? this.#lastId };
    this.#seats.add(seat);
    this.#idleTicks = 0;
    if (!this.#beat) {
      for (const watched of this.#watched) this.#hasChanged(watched);
      this.#beat = systemClock.beat(TICK_MS, () => this.#tick());
    }
    this.#serve(seat);
    return () => this.#seats.delete(seat);
  }

  close(): void {
    this.#beat?.cancel();
    this.#beat = undefined;
    this.#seats.clear();
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
    for (const seat of this.#seats) this.#serve(seat);
    this.#idleTicks = this.#seats.size === 0 ? this.#idleTicks + 1 : 0;
    if (this.#idleTicks > TICKS_AFTER_LAST) this.#rest();
  }

  /** Nobody came back: what happens from now on is not collected. */
  #rest(): void {
    this.close();
    this.#kept = [];
    // An id that is known to be behind: whoever comes back reads anew.
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

  /** Gives a client what it has not had; one that missed something is told so first. */
  #serve(seat: Seat): void {
    if (seat.at === this.#lastId || !seat.client.ready) return;
    const oldest = this.#kept[0]?.id ?? this.#lastId + 1;
    const isKnown = seat.at >= oldest - 1 && seat.at <= this.#lastId;
    const missed = this.#kept.slice(seat.at - oldest + 1);
    seat.at = this.#lastId;
    seat.client.send(isKnown ? missed : [{ id: this.#lastId, name: 'reset', data: '{}' }]);
  }
}
