/**
 * Shrinks a day that broke a clause to the shortest one that still breaks it: fewest steps, simplest room, plain
 * values, round times. No chance: the same day always shrinks to the same, as long as one play follows another.
 *
 *   fewer steps ─► simpler room ─► simpler steps ─► once more, until nothing changes
 *
 * Where plays take real time, several candidates are played at once, and what was found to be too much in each of
 * them is left out together.
 */

import { isDeepStrictEqual } from 'node:util';

import { parseDuration } from '../common/duration.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import type { RawComputer, RawDay, RawRoom, RawStep } from './draw/raw-day.ts';

export interface ShrinkOptions {
  /** Whether a day still breaks what the first one broke. */
  readonly stillBreaks: (day: RawDay) => Promise<boolean>;
  /** How many days are played at most. */
  readonly mostPlays: number;
  /** How many of them at the same time; one unless given. */
  readonly sideBySide?: number | undefined;
  /** How long it may take; without end by default. */
  readonly limitMs?: number | undefined;
  /** Other days are played beside these: a day in a Child Account stays in one. */
  readonly staysInChild?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A day of more steps may have some for the time alone that they take. */
const LONG_STEPS = 8;

export async function shrinkDay(day: RawDay, options: ShrinkOptions): Promise<RawDay> {
  const shrinker = new Shrinker(day, options);
  for (;;) {
    const before = shrinker.day;
    await shrinker.tryEach(threadCandidates, withoutAllOf);
    await shrinker.dropSteps();
    if (shrinker.day.steps.length > LONG_STEPS) await shrinker.tryEach(pauseCandidates, (now, [first = now]) => first);
    await shrinker.tryEach(
      (now) => [...roomCandidates(now, options.staysInChild === true), ...stepCandidates(now)],
      withAllOf,
    );
    if (shrinker.isOver || shrinker.isDoneSince(before)) return shrinker.day;
  }
}

type Candidates = (day: RawDay) => readonly RawDay[];
/** One day for several that were made of the same one, each simpler in another place. */
type Join = (day: RawDay, simpler: readonly RawDay[]) => RawDay;

class Shrinker {
  day: RawDay;
  readonly #options: ShrinkOptions;
  readonly #tried = new Set<string>();
  readonly #elapsedMs = startStopwatch();
  #plays = 0;

  constructor(day: RawDay, options: ShrinkOptions) {
    this.day = day;
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#playsLeft <= 0;
  }

  /** Where plays take real time, a plainer room or step is not worth another round. */
  isDoneSince(before: RawDay): boolean {
    if (this.#sideBySide > 1) return before.steps.length === this.day.steps.length;
    return isDeepStrictEqual(before, this.day);
  }

  get #sideBySide(): number {
    return this.#options.sideBySide ?? 1;
  }

  get #playsLeft(): number {
    const { mostPlays, limitMs = Infinity, signal } = this.#options;
    return this.#elapsedMs() >= limitMs || signal?.aborted === true ? 0 : mostPlays - this.#plays;
  }

  /** Halves of the steps, then quarters, down to single ones, the last first; all of them at once where it can be. */
  async dropSteps(): Promise<void> {
    const sizes = sizesOf(this.day.steps.length);
    const rounds = this.#sideBySide > 1 ? [sizes] : sizes.map((size) => [size]);
    for (const round of rounds)
      await this.tryEach((now) => round.flatMap((size) => dropCandidates(now, size)), withoutAllOf);
  }

  /** Tries the candidates of the day, some at a time; one that still breaks is the day from then on. */
  async tryEach(candidatesOf: Candidates, join: Join): Promise<void> {
    for (let next = 0; !this.isOver;) {
      const left = candidatesOf(this.day).slice(next);
      const untried = left.filter((one) => !this.#tried.has(nameOf(one))).slice(0, this.#sideBySide);
      const last = untried.at(-1);
      if (!last) return;
      const shorter = await this.#breaking(untried);
      const [first] = shorter;
      // In a day that is shorter, other candidates have the places of those that it was made by.
      next += left.indexOf(first ?? last) + (first ? 0 : 1);
      if (shorter.length > 0) this.day = await this.#joined(shorter, join);
    }
  }

  /** All of them in one where that still breaks; else as many as do. */
  async #joined(simpler: readonly RawDay[], join: Join): Promise<RawDay> {
    const [first = this.day] = simpler;
    if (simpler.length === 1) return first;
    const halves = [simpler, simpler.slice(0, simpler.length >> 1), simpler.slice(simpler.length >> 1)];
    const joined = halves.filter(({ length }) => length > 1).map((some) => join(this.day, some));
    const [best = first] = await this.#breaking(joined.filter((one) => !this.#tried.has(nameOf(one))));
    return best;
  }

  /** Those that still break, of days that are played at the same time. */
  async #breaking(candidates: readonly RawDay[]): Promise<readonly RawDay[]> {
    const played = candidates.slice(0, Math.max(0, this.#playsLeft));
    for (const one of played) this.#tried.add(nameOf(one));
    this.#plays += played.length;
    const breaks = await Promise.all(played.map((one) => this.#options.stillBreaks(one)));
    return played.filter((_, index) => breaks[index]);
  }
}

function nameOf(day: RawDay): string {
  return JSON.stringify(day);
}

/** The day without what any of these does without. */
function withoutAllOf(day: RawDay, shorter: readonly RawDay[]): RawDay {
  return { ...day, steps: day.steps.filter((step) => shorter.every(({ steps }) => steps.includes(step))) };
}

/** The day with what is simpler in each of these; where several are simpler in one place, as the first of them. */
function withAllOf(day: RawDay, simpler: readonly RawDay[]): RawDay {
  const changed = simpler.find(({ room, account }) => room !== day.room || account !== day.account) ?? day;
  const steps = day.steps.map((step, index) => {
    const change = simpler.find(({ steps: others }) => others[index] !== step);
    return change?.steps[index] ?? step;
  });
  return { ...changed, steps };
}

/** 8 → 4, 2, 1. */
function sizesOf(steps: number): readonly number[] {
  const half = Math.ceil(steps / 2);
  return steps <= 1 ? [] : [half, ...sizesOf(half)];
}

/** Where the parts of this size end, the last one first. */
function endsOf(steps: number, size: number): readonly number[] {
  return Array.from({ length: Math.ceil(steps / size) }, (_, index) => steps - index * size);
}

function dropCandidates(day: RawDay, size: number): readonly RawDay[] {
  const { steps } = day;
  return endsOf(steps.length, size)
    .map((end) => [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)])
    .filter((kept) => kept.length > 0)
    .map((kept) => ({ ...day, steps: kept }));
}

/** The day with a pause in place of several steps, many of them first. */
function pauseCandidates(day: RawDay): readonly RawDay[] {
  const { steps } = day;
  const sizes = sizesOf(steps.length).filter((size) => size > 1);
  return sizes.flatMap((size) =>
    endsOf(steps.length, size).map((end) => {
      const start = Math.max(0, end - size);
      return { ...day, steps: steps.toSpliced(start, end - start, { advance: '1s' }) };
    }),
  );
}

/** The day without a kind of steps, those that take time first, or without a thing and all that is done with it. */
function threadCandidates(day: RawDay): readonly RawDay[] {
  const kinds = new Set(['advance', ...day.steps.flatMap((step) => Object.keys(step))]);
  const words = new Map(day.steps.map((step) => [step, new Set(JSON.stringify(step).match(/\w+/g))]));
  const things = new Set(day.steps.flatMap((step) => namesGiven(step)));
  const isKept: ((step: RawStep) => boolean)[] = [
    ...[...kinds].map((kind) => (step: RawStep) => !(kind in step)),
    ...[...things].map((thing) => (step: RawStep) => words.get(step)?.has(thing) !== true),
  ];
  return isKept
    .map((keeps) => day.steps.filter(keeps))
    .filter(({ length }) => length > 0 && length < day.steps.length)
    .map((steps) => ({ ...day, steps }));
}

/** What a step calls a job, a webhook, a key or an account; in drawn days a word. */
function namesGiven(step: RawStep): readonly string[] {
  return [...JSON.stringify(step).matchAll(/"as":"(\w+)"/g)].map(([, name = '']) => name);
}

const SIMPLEST_PRINTER = 'laser-a4';
const SIMPLEST_SCALE = 'dymo-m10';

function roomCandidates(day: RawDay, staysInChild: boolean): readonly RawDay[] {
  const { room } = day;
  const rooms = [
    ...(room.timeScale === undefined ? [] : [{ computers: room.computers }]),
    ...room.computers.map((_, index): RawRoom => ({ ...room, computers: without(room.computers, index) })),
    ...room.computers.flatMap((computer, index) =>
      computerCandidates(computer).map((simpler): RawRoom => ({
        ...room,
        computers: room.computers.with(index, simpler),
      })),
    ),
  ];
  return [
    ...(day.account === 'child' && !staysInChild ? [{ ...day, account: 'own' as const }] : []),
    ...rooms.filter(({ computers }) => computers.length > 0).map((simpler) => ({ ...day, room: simpler })),
  ];
}

function computerCandidates(computer: RawComputer): readonly RawComputer[] {
  const { version, printers = [], scales = [], name } = computer;
  const rest = { name, ...(printers.length > 0 && { printers }), ...(scales.length > 0 && { scales }) };
  const { scales: _scales, ...scaleless } = computer;
  return [
    ...(version === undefined ? [] : [rest]),
    ...(scales.length > 0 ? [scaleless] : []),
    ...printers.map((_, index) => ({ ...computer, printers: without(printers, index) })),
    ...printers.flatMap((printer, index) =>
      printer.profile === SIMPLEST_PRINTER
        ? []
        : [{ ...computer, printers: printers.with(index, { ...printer, profile: SIMPLEST_PRINTER }) }],
    ),
    ...scales.flatMap((scale, index) =>
      scale.profile === SIMPLEST_SCALE
        ? []
        : [{ ...computer, scales: scales.with(index, { ...scale, profile: SIMPLEST_SCALE }) }],
    ),
  ];
}

function stepCandidates(day: RawDay): readonly RawDay[] {
  return day.steps.flatMap((step, index) =>
    simplerSteps(step).map((simpler) => ({ ...day, steps: day.steps.with(index, simpler) })),
  );
}

/** Without them a step expects what it would only get from the broken service. */
const ANSWER_KEYS: ReadonlySet<string> = new Set(['answers', 'cancels']);

/** The same step with one thing less, or one thing plainer. */
function simplerSteps(step: RawStep): readonly RawStep[] {
  const [found] = Object.entries(step);
  if (!found) return [];
  const [kind, args] = found;
  if (kind === 'advance') return rounder(String(args)).map((length) => ({ advance: length }));
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  const given = args as Readonly<Record<string, unknown>>;
  const fewer = Object.keys(given)
    .filter((key) => !ANSWER_KEYS.has(key))
    .map((key) => Object.fromEntries(Object.entries(given).filter(([one]) => one !== key)));
  const plainer = Object.entries(given).flatMap(([key, value]) =>
    plainerValues(key, value).map((one) => ({ ...given, [key]: one })),
  );
  return [...fewer, ...plainer].map((simpler) => ({ [kind]: simpler }));
}

/** Rounder times of about that length, the shortest first. */
const ROUND_TIMES = ['1s', '5s', '6s', '10s', '1m', '2m', '10m', '1h', '2h', '1d', '2d', '14d', '15d'] as const;

function rounder(length: string): readonly string[] {
  const lengthMs = parseDuration(length);
  if (lengthMs === undefined || ROUND_TIMES.some((round) => round === length)) return [];
  return ROUND_TIMES.filter((round) => (parseDuration(round) ?? 0) <= lengthMs * 2);
}

const PLAIN: Readonly<Record<string, readonly unknown[]>> = {
  content: ['x'],
  qty: [2],
  times: [2],
  messages: [['*']],
  grams: [100],
};

function plainerValues(key: string, value: unknown): readonly unknown[] {
  if (key === 'path' && typeof value === 'string' && value.includes('?')) return simplerQueries(value);
  if (key === 'body' && typeof value === 'object' && value !== null) {
    return Object.keys(value).map((name) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== name)));
  }
  return (PLAIN[key] ?? []).filter((plain) => !isDeepStrictEqual(plain, value) && isSimpler(plain, value));
}

function isSimpler(plain: unknown, value: unknown): boolean {
  return JSON.stringify(plain).length <= JSON.stringify(value).length || typeof value === 'number';
}

function simplerQueries(target: string): readonly string[] {
  const [path = '', query = ''] = target.split('?');
  const parts = query.split('&');
  return parts.map((_, index) => [path, without(parts, index).join('&')].filter(Boolean).join('?'));
}

function without<Item>(items: readonly Item[], index: number): readonly Item[] {
  return items.toSpliced(index, 1);
}
