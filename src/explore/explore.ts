/**
 * Explores: draws days, plays them, and shrinks what is broken.
 *
 *   seed, seed + 1, … ─► players (processes, or this one) ─► results in the order of seeds ─► findings ─► shrunk
 *
 * Results count in the order of their seeds however many players there are, so that the same seeds come to the same
 * findings.
 */

import { startStopwatch } from '../common/stopwatch.ts';
import { coverageOf } from './coverage.ts';
import { drawDay, type DrawOptions } from './draw/draw-day.ts';
import type { RawDay } from './draw/raw-day.ts';
import { Findings, titled, type Finding } from './findings.ts';
import { NO_END, playDay, playText, textOf, type PlayedDay, type Stage } from './play-day.ts';
import { shrinkDay } from './shrink-day.ts';

/** Plays the day of a seed. */
export type Player = (seed: number) => Promise<PlayedDay>;

export interface ExploreOptions extends DrawOptions {
  /** The first seed. */
  readonly seed: number;
  /** How many days; without end by default. */
  readonly seeds?: number | undefined;
  /** No day begins after this time. */
  readonly limitMs?: number | undefined;
  /** Days are shrunk here. */
  readonly stage: Stage;
  /** Play side by side. */
  readonly players: readonly Player[];
  /** Signatures that are known: counted, and nothing else. */
  readonly known?: readonly string[] | undefined;
  /** How often a broken day is played again to make it shorter. */
  readonly mostShrinkPlays?: number | undefined;
  /** Ends it when this number of things was found. */
  readonly mostFindings?: number | undefined;
  readonly onDay?: ((so: Explored) => void) | undefined;
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Explored {
  readonly seed: number;
  readonly days: number;
  /** Days on which a step could not be played. */
  readonly unplayed: number;
  /** Why, of the first one. */
  readonly unplayedBecause: string | undefined;
  readonly events: number;
  /** Time that passed for the service. */
  readonly elapsedMs: number;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
  /** How often each known signature was met. */
  readonly known: ReadonlyMap<string, number>;
  /** `operation × condition` → how often. */
  readonly coverage: ReadonlyMap<string, number>;
}

const SHRINK_PLAYS = 400;
/** For days without an end, each of which takes all the time that it is given. */
const ENDLESS_PLAYS = 30;
const ENDLESS_LIMIT = '10s';
/** On real time, where playing a day takes as long as the day: others are to be played too. */
const REAL_TIME_SHRINK_MS = 180_000;

export async function explore(options: ExploreOptions): Promise<Explored> {
  const run = new Exploration(options);
  await run.play();
  return run.explored();
}

/** A player in this process. */
export function playerOn(stage: Stage, draw: DrawOptions): Player {
  return (seed) => playDay(drawDay(seed, draw), stage);
}

class Exploration {
  readonly #options: ExploreOptions;
  readonly #stopwatch = startStopwatch();
  readonly #findings = new Findings();
  readonly #known = new Map<string, number>();
  readonly #coverage = new Map<string, number>();
  /** Days that were played before those in front of them. */
  readonly #early = new Map<number, PlayedDay>();
  #next: number;
  #judged: number;
  #unplayed = 0;
  #unplayedBecause: string | undefined;
  #events = 0;
  #elapsedMs = 0;
  #judging: Promise<void> = Promise.resolve();

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#next = options.seed;
    this.#judged = options.seed;
  }

  async play(): Promise<void> {
    await Promise.all(this.#options.players.map((player) => this.#playWith(player)));
    await this.#judging;
  }

  explored(): Explored {
    const { seed } = this.#options;
    return {
      seed,
      days: this.#judged - seed,
      unplayed: this.#unplayed,
      unplayedBecause: this.#unplayedBecause,
      events: this.#events,
      elapsedMs: this.#elapsedMs,
      durationMs: this.#stopwatch(),
      findings: this.#findings.all,
      known: this.#known,
      coverage: this.#coverage,
    };
  }

  async #playWith(player: Player): Promise<void> {
    while (!this.#isOver) {
      const seed = this.#next++;
      this.#early.set(seed, await player(seed));
      this.#judging = this.#judging.then(() => this.#judgeInOrder());
      await this.#judging;
    }
  }

  get #isOver(): boolean {
    const { seed, seeds = Infinity, limitMs = Infinity, mostFindings = Infinity, signal } = this.#options;
    return (
      this.#next >= seed + seeds ||
      this.#stopwatch() >= limitMs ||
      this.#findings.all.length >= mostFindings ||
      signal?.aborted === true
    );
  }

  async #judgeInOrder(): Promise<void> {
    for (;;) {
      const day = this.#early.get(this.#judged);
      if (!day) return;
      this.#early.delete(this.#judged);
      await this.#judge(this.#judged, day);
      this.#judged++;
      this.#options.onDay?.(this.explored());
    }
  }

  async #judge(seed: number, played: PlayedDay): Promise<void> {
    this.#events += played.events;
    this.#elapsedMs += played.elapsedMs;
    const day = drawDay(seed, this.#options);
    for (const [pair, count] of coverageOf(day)) this.#coverage.set(pair, (this.#coverage.get(pair) ?? 0) + count);
    if (played.verdict === 'harness-error' || played.verdict === 'inconclusive') {
      this.#unplayed++;
      this.#unplayedBecause ??= `day ${seed}: ${played.message}`;
    }
    if (played.verdict !== 'fail') return;
    const known = played.broken.filter((one) => this.#options.known?.includes(one));
    for (const one of known) this.#known.set(one, (this.#known.get(one) ?? 0) + 1);
    const signature = known.length > 0 ? undefined : this.#findings.newOf(played.broken);
    if (signature !== undefined) await this.#shrink(day, signature, played);
  }

  async #shrink(day: RawDay, signature: string, played: PlayedDay): Promise<void> {
    const { stage, mostShrinkPlays = SHRINK_PLAYS, elsewhere, signal } = this.#options;
    const { seed } = day;
    let shortest = played;
    const isEndless = signature === NO_END;
    const mostPlays = played.isStuck ? 0 : isEndless ? Math.min(mostShrinkPlays, ENDLESS_PLAYS) : mostShrinkPlays;
    const shrunk = await shrinkDay(day, {
      mostPlays,
      limitMs: elsewhere?.isOnRealTime ? REAL_TIME_SHRINK_MS : undefined,
      signal,
      stillBreaks: async (candidate) => {
        const again = await playText(textOf(titled(candidate, signature, seed)), {
          ...stage,
          ...(isEndless && { dayLimit: ENDLESS_LIMIT }),
        });
        const breaks = again?.verdict === 'fail' && again.broken.includes(signature);
        if (breaks) shortest = again;
        return breaks;
      },
    });
    const { breaks, broken } = shortest;
    const own = breaks.filter(({ at }) => at.startsWith(`${signature}: `));
    const shown = own.length > 0 ? own : breaks;
    const [first] = shown;
    const message = first ? `${first.at}: expected ${first.expected}, got ${first.actual}` : shortest.message;
    const finding = { signature, day: titled(shrunk, signature, seed), breaks: shown, message, seed, count: 1 };
    this.#findings.add(finding, broken);
    this.#options.onFinding?.(finding);
  }
}
