/**
 * Recent map: a bounded map that forgets what was set longest ago, at no cost for each entry.
 *
 *   set ─► young ─► no room: what was old is forgotten, and what was young is old
 *
 * To evict the oldest entry of a Map each time is slow: to find its first entry, a Map steps over all that were
 * deleted before it.
 */

export class RecentMap<Key, Value> {
  readonly #most: number;
  readonly #weigh: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngWeight = 0;

  /** @param most - the weight that it holds at most, unless a single value is heavier than half of it */
  constructor(most: number, weigh: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: Key, value: Value): void {
    this.#removeYoung(key);
    const weight = this.#weigh(value);
    if (this.#youngWeight + weight > this.#most / 2) this.#age();
    this.#young.set(key, value);
    this.#youngWeight += weight;
  }

  delete(key: Key): void {
    this.#removeYoung(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngWeight = 0;
  }

  #age(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngWeight = 0;
  }

  #removeYoung(key: Key): void {
    const value = this.#young.get(key);
    if (value === undefined) return;
    this.#young.delete(key);
    this.#youngWeight -= this.#weigh(value);
  }
}
