/**
 * Explores: draws days, plays them, and shrinks what is broken.
 *
 *   seed, seed + 1, … ─► players (processes, or this one) ─► results in the order of seeds ─► findings ─► shrunk
 *
 * Results count in the order of their seeds however many players there are, so that the same seeds come to the same
 * findings. On real time they count as they come, and days are shrunk beside those that are played: nothing waits for
 * what takes long.
 */

import { startStopwatch } from '../common/stopwatch.ts';
import { leftAfter } from '../common/waiter.ts';
import { coverageOf } from './coverage.ts';
import { drawDay, type DrawOptions } from './draw/draw-day.ts';
import type { RawDay } from './draw/raw-day.ts';
import { Findings, statementOf, titled, type Finding } from './findings.ts';
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
  /** Asked after a day that could not be played: without the service there are no more days. */
  readonly isStillThere?: (() => Promise<boolean>) | undefined;
  /** Ends it when this number of things was found. */
  readonly mostFindings?: number | undefined;
  readonly onDay?: ((so: Explored) => void) | undefined;
  /** Something was found; its day is as long as it was drawn. */
  readonly onMet?: ((finding: Finding) => void) | undefined;
  /** Its day is as short as it gets. */
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
  /** The first day on which the service was not there any more. */
  readonly lostOn: number | undefined;
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
/** On real time, where playing a day takes as long as the day; and the most that is added to the limit of the run. */
const REAL_TIME_SHRINK_MS = 180_000;
/** Candidates that are played at the same time there. */
const REAL_TIME_SIDE_BY_SIDE = 20;

/** How long the days that are being played may take to clean up, once they are interrupted. */
const LEAVE_AFTER_MS = 700;

/** A broken day, or what is left of one. */
interface BrokenDay {
  readonly day: RawDay;
  readonly played: PlayedDay;
}

export async function explore(options: ExploreOptions): Promise<Explored> {
  const run = new Exploration(options);
  await run.play();
  return run.explored();
}

/** A player in this process. */
export function playerOn(stage: Stage, draw: DrawOptions): Player {
  return (seed) => playDay(drawDay(seed, draw), stage, draw.allowed);
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
  #days = 0;
  #unplayed = 0;
  #unplayedBecause: string | undefined;
  #lostOn: number | undefined;
  #events = 0;
  #elapsedMs = 0;
  #judging: Promise<void> = Promise.resolve();
  /** What the days that are being shrunk broke, by signature. */
  readonly #beingShrunk = new Map<string, readonly string[]>();
  /** Days of which it is not known yet whether a finding tells what they broke. */
  #undecided: BrokenDay[] = [];
  readonly #shrinks = new Set<Promise<void>>();

  constructor(options: ExploreOptions) {
    this.#options = options;
    this.#next = options.seed;
    this.#judged = options.seed;
  }

  async play(): Promise<void> {
    const { signal } = this.#options;
    const playing = this.#playAll();
    await (signal ? leftAfter(playing, { signal, afterMs: LEAVE_AFTER_MS, instead: undefined }) : playing);
  }

  async #playAll(): Promise<void> {
    await Promise.all(this.#options.players.map((player) => this.#playWith(player)));
    await this.#judging;
    while (this.#shrinks.size > 0) await Promise.all(this.#shrinks);
  }

  explored(): Explored {
    const { seed } = this.#options;
    return {
      seed,
      days: this.#days,
      unplayed: this.#unplayed,
      unplayedBecause: this.#unplayedBecause,
      lostOn: this.#lostOn,
      events: this.#events,
      elapsedMs: this.#elapsedMs,
      durationMs: this.#stopwatch(),
      findings: this.#findings.all,
      known: this.#known,
      coverage: this.#coverage,
    };
  }

  get #isOnRealTime(): boolean {
    return this.#options.elsewhere?.isOnRealTime === true;
  }

  async #playWith(player: Player): Promise<void> {
    while (!this.#isOver) {
      const seed = this.#next++;
      const played = await player(seed);
      if (this.#wasInterrupted(played)) return;
      if (this.#isOnRealTime) {
        await this.#judge(seed, played);
        continue;
      }
      this.#early.set(seed, played);
      this.#judging = this.#judging.then(() => this.#judgeInOrder());
      await this.#judging;
    }
  }

  get #isOver(): boolean {
    const { seed, seeds = Infinity, limitMs = Infinity, signal } = this.#options;
    if (this.#lostOn !== undefined) return true;
    return this.#next >= seed + seeds || this.#stopwatch() >= limitMs || this.#hasEnough || signal?.aborted === true;
  }

  get #hasEnough(): boolean {
    const { mostFindings = Infinity } = this.#options;
    return this.#findings.all.length >= mostFindings;
  }

  #wasInterrupted({ verdict }: PlayedDay): boolean {
    return verdict === 'inconclusive' && this.#options.signal?.aborted === true;
  }

  async #judgeInOrder(): Promise<void> {
    for (;;) {
      const day = this.#early.get(this.#judged);
      if (!day) return;
      this.#early.delete(this.#judged);
      await this.#judge(this.#judged, day);
      this.#judged++;
    }
  }

  async #judge(seed: number, played: PlayedDay): Promise<void> {
    this.#days++;
    this.#events += played.events;
    this.#elapsedMs += played.elapsedMs;
    const day = drawDay(seed, this.#options);
    for (const [pair, count] of coverageOf(day)) this.#coverage.set(pair, (this.#coverage.get(pair) ?? 0) + count);
    if (played.verdict === 'harness-error' || played.verdict === 'inconclusive') {
      this.#unplayed++;
      this.#unplayedBecause ??= `day ${seed}: ${played.message}`;
      if ((await this.#options.isStillThere?.()) === false) this.#lostOn ??= seed;
    }
    if (played.verdict === 'fail') await this.#take({ day, played });
    this.#options.onDay?.(this.explored());
  }

  /** On real time it is shrunk while other days are played. */
  async #take(broken: BrokenDay): Promise<void> {
    const { day, played } = broken;
    const known = played.broken.filter((one) => this.#options.known?.includes(one));
    for (const one of known) this.#known.set(one, (this.#known.get(one) ?? 0) + 1);
    if (known.length > 0) return;
    if (this.#mayBeTold(played)) {
      this.#undecided.push(broken);
      return;
    }
    const signature = this.#findings.newOf(played.broken);
    if (signature === undefined) return;
    const met = findingOf(titled(day, signature, day.seed), signature, played);
    this.#findings.add(met, played.broken);
    this.#options.onMet?.(met);
    this.#beingShrunk.set(signature, played.broken);
    // One that fails stays, and fails the run at its end.
    const shrink = this.#shrink(broken, signature).then(() => void this.#shrinks.delete(shrink));
    this.#shrinks.add(shrink);
    await (this.#isOnRealTime ? void shrink.catch(() => undefined) : shrink);
  }

  /** Whether a finding may come to tell it: the shortest day of that may break the same. */
  #mayBeTold({ broken }: PlayedDay): boolean {
    return [...this.#beingShrunk].some(
      ([signature, clauses]) => !broken.includes(signature) && clauses.some((one) => broken.includes(one)),
    );
  }

  async #shrink({ day, played }: BrokenDay, signature: string): Promise<void> {
    const { stage, mostShrinkPlays = SHRINK_PLAYS, signal, allowed } = this.#options;
    const { seed } = day;
    const beside: BrokenDay[] = [];
    const shortestPlayed = new Map<RawDay, PlayedDay>([[day, played]]);
    const isEndless = signature === NO_END;
    const mostPlays = played.isStuck ? 0 : isEndless ? Math.min(mostShrinkPlays, ENDLESS_PLAYS) : mostShrinkPlays;
    const shrunk = await shrinkDay(day, {
      mostPlays,
      ...(this.#isOnRealTime && {
        limitMs: this.#shrinkLimitMs,
        sideBySide: REAL_TIME_SIDE_BY_SIDE,
        staysInChild: true,
      }),
      signal,
      stillBreaks: async (candidate) => {
        const shorter = { ...stage, ...(isEndless && { dayLimit: ENDLESS_LIMIT }) };
        const again = await playText(textOf(titled(candidate, signature, seed)), shorter, allowed);
        if (again?.verdict !== 'fail') return false;
        const breaks = again.broken.includes(signature);
        if (breaks) shortestPlayed.set(candidate, again);
        else if (again.broken.every((one) => statementOf(one) !== undefined))
          beside.push({ day: candidate, played: again });
        return breaks;
      },
    });
    const shortest = shortestPlayed.get(shrunk) ?? played;
    const finding = findingOf(titled(shrunk, signature, seed), signature, shortest);
    this.#beingShrunk.delete(signature);
    const shortened = this.#findings.shorten(finding, shortest.broken);
    this.#options.onFinding?.(shortened);
    await this.#takeLeft(beside);
  }

  /** What was to wait for a finding, and what came up beside it: a part of a day may break something else alone. */
  async #takeLeft(beside: readonly BrokenDay[]): Promise<void> {
    const undecided = this.#undecided.splice(0);
    for (const broken of undecided) await this.#take(broken);
    for (const broken of beside)
      if (!this.#hasEnough && this.#findings.isNew(broken.played.broken)) await this.#take(broken);
  }

  get #shrinkLimitMs(): number {
    const { limitMs = Infinity } = this.#options;
    return Math.max(0, Math.min(REAL_TIME_SHRINK_MS, limitMs + REAL_TIME_SHRINK_MS - this.#stopwatch()));
  }
}

function findingOf(day: RawDay, signature: string, { breaks, message: first }: PlayedDay): Finding {
  const own = breaks.filter(({ clause }) => clause === signature);
  const shown = own.length > 0 ? own : breaks;
  const [one] = shown;
  const message = one ? `${one.at}: expected ${one.expected}, got ${one.actual}` : first;
  return { signature, day, breaks: shown, message, seed: day.seed, count: 1 };
}
