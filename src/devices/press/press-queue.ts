/**
 * Press queue: what is worked on next, and by which engine. What a document is, and how one is drawn, it does not know.
 *
 *   add(owner, work) ─► the owner's line, in order ─► quick engine: one at a time, owners take turns
 *                                                       │ still at it after half a second, and others wait
 *                                                       ▼
 *                                                     slow engines, two at most
 *                                                     └─ both busy: begins again when one of them is free
 *
 * So work that takes long delays its own line, and other work that takes long. While time stands still nothing counts
 * as slow: the order in which things come out may not follow from how busy the machine is.
 */

import { systemClock, type Clock } from '../../common/clock.ts';

/** What does the work. Work in it rejects when it is ended. */
export interface Engine {
  /** Work may begin. Until then it takes no time of it. */
  readonly ready: Promise<unknown>;
  /** Does nothing any more. */
  readonly isEnded: boolean;
  end(): Promise<void>;
}

export interface PressQueueOptions<Worker extends Engine> {
  readonly clock: Clock;
  readonly start: () => Worker;
}

type Work<Worker> = (engine: Worker) => Promise<void>;

interface Entry<Worker> {
  readonly owner: unknown;
  readonly work: Work<Worker>;
  readonly failed: (error: unknown) => void;
}

interface UnderWay<Worker> {
  readonly entry: Entry<Worker>;
  readonly engine: Worker;
  isSlow: boolean;
  /** Its engine is ended, for others; it begins again. */
  isPutOff: boolean;
}

/** An ordinary document takes a fifth of this. */
const QUICK_MS = 500;
/** Each holds 50 to 500 MB. */
const MOST_SLOW = 2;

export class PressQueue<Worker extends Engine> {
  readonly #options: PressQueueOptions<Worker>;
  /** By owner; the one whose turn is next comes first. */
  readonly #lines = new Map<unknown, Entry<Worker>[]>();
  readonly #putOff: Entry<Worker>[] = [];
  readonly #underWay = new Set<UnderWay<Worker>>();
  #idle: Worker | undefined;

  constructor(options: PressQueueOptions<Worker>) {
    this.#options = options;
  }

  /**
   * Resolves as `work` does, which begins again when its engine was needed for others. What one owner adds stays in
   * order.
   */
  add<Result>(owner: unknown, work: (engine: Worker) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const line = this.#lines.get(owner) ?? [];
    line.push({ owner, work: (engine) => work(engine).then(resolve), failed: reject });
    this.#lines.set(owner, line);
    this.#goOn();
    return promise;
  }

  /** Ends all engines; what is under way and what waits fails with this reason. */
  async close(reason: Error): Promise<void> {
    const waiting = [...this.#putOff.splice(0), ...[...this.#lines.values()].flat()];
    this.#lines.clear();
    for (const { failed } of waiting) failed(reason);
    const idle = this.#idle;
    this.#idle = undefined;
    for (const underWay of this.#underWay) underWay.isPutOff = false;
    await Promise.all([idle?.end(), ...[...this.#underWay].map(({ engine }) => engine.end())]);
  }

  #goOn(): void {
    while (this.#slowOnes < MOST_SLOW && this.#putOff.length > 0) {
      const entry = this.#putOff.shift();
      if (entry) void this.#begin(entry, true);
    }
    if (this.#underWay.size > this.#slowOnes) return;
    const next = this.#takeNext();
    if (next) void this.#begin(next, false);
  }

  get #slowOnes(): number {
    return [...this.#underWay].filter(({ isSlow }) => isSlow).length;
  }

  /** Takes an entry of the first owner that has nothing under way; the owner then goes to the end of the row. */
  #takeNext(): Entry<Worker> | undefined {
    const busy = new Set(
      [...this.#underWay].map(({ entry }) => entry.owner).concat(this.#putOff.map(({ owner }) => owner)),
    );
    for (const [owner, line] of this.#lines) {
      if (busy.has(owner)) continue;
      const [first, ...rest] = line;
      this.#lines.delete(owner);
      if (rest.length > 0) this.#lines.set(owner, rest);
      return first;
    }
    return undefined;
  }

  async #begin(entry: Entry<Worker>, isSlow: boolean): Promise<void> {
    const engine = this.#idle ?? this.#options.start();
    this.#idle = undefined;
    const underWay = { entry, engine, isSlow, isPutOff: false };
    this.#underWay.add(underWay);
    await engine.ready;
    const watch = isSlow ? undefined : systemClock.beat(QUICK_MS, () => this.#makeRoom(underWay));
    try {
      await entry.work(engine);
    } catch (error) {
      if (underWay.isPutOff) this.#putOff.push(entry);
      else entry.failed(error);
    }
    watch?.cancel();
    this.#underWay.delete(underWay);
    this.#keep(engine);
    this.#goOn();
  }

  /** Lets others in beside work that takes long. */
  #makeRoom(underWay: UnderWay<Worker>): void {
    if (underWay.isSlow || underWay.isPutOff || this.#options.clock.isVirtual) return;
    if (this.#slowOnes < MOST_SLOW) {
      underWay.isSlow = true;
      this.#goOn();
    } else if (this.#lines.size > 0) {
      underWay.isPutOff = true;
      void underWay.engine.end();
    }
  }

  /** One engine waits for what comes next. */
  #keep(engine: Worker): void {
    if (engine.isEnded) return;
    if (this.#idle === undefined) this.#idle = engine;
    else void engine.end();
  }
}
