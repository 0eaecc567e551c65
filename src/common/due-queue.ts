/**
 * Due queue: tasks ordered by due time, then by insertion. A binary heap; removal is lazy.
 */

export interface DueEntry {
  readonly dueMs: number;
  readonly task: () => void;
  cancelled: boolean;
}

interface Ranked {
  readonly rank: number;
  readonly entry: DueEntry;
}

export class DueQueue {
  readonly #heap: Ranked[] = [];
  #nextRank = 0;

  add(dueMs: number, task: () => void): DueEntry {
    const entry: DueEntry = { dueMs, task, cancelled: false };
    this.#heap.push({ rank: this.#nextRank++, entry });
    this.#rise(this.#heap.length - 1);
    return entry;
  }

  /** The earliest entry that was not cancelled, left in place. */
  peek(): DueEntry | undefined {
    while (this.#heap[0]?.entry.cancelled) this.#removeFirst();
    return this.#heap[0]?.entry;
  }

  /** Takes the earliest entry out. */
  take(): DueEntry | undefined {
    const first = this.peek();
    if (first) this.#removeFirst();
    return first;
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #sink(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let first = index;
      if (left < this.#heap.length && this.#before(left, first)) first = left;
      if (right < this.#heap.length && this.#before(right, first)) first = right;
      if (first === index) return;
      this.#swap(index, first);
      index = first;
    }
  }

  #before(a: number, b: number): boolean {
    const x = this.#at(a);
    const y = this.#at(b);
    return x.entry.dueMs === y.entry.dueMs ? x.rank < y.rank : x.entry.dueMs < y.entry.dueMs;
  }

  #swap(a: number, b: number): void {
    const kept = this.#at(a);
    this.#heap[a] = this.#at(b);
    this.#heap[b] = kept;
  }

  #at(index: number): Ranked {
    const found = this.#heap[index];
    if (!found) throw new RangeError(`no heap entry at ${index}`);
    return found;
  }
}
