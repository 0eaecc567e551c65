/**
 * Shrinks a day that broke a clause to the shortest one that still breaks it: fewest steps, simplest room, plain
 * values, round times. No chance: the same day always shrinks to the same.
 *
 *   fewer steps ─► simpler room ─► simpler steps ─► once more, until nothing changes
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
  /** How long it may take; without end by default. */
  readonly limitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function shrinkDay(day: RawDay, options: ShrinkOptions): Promise<RawDay> {
  const shrinker = new Shrinker(day, options);
  for (;;) {
    const before = shrinker.day;
    await shrinker.dropSteps();
    await shrinker.tryEach((now) => roomCandidates(now));
    await shrinker.tryEach((now) => stepCandidates(now));
    if (shrinker.isOver || isDeepStrictEqual(before, shrinker.day)) return shrinker.day;
  }
}

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
    const { mostPlays, limitMs = Infinity, signal } = this.#options;
    return this.#plays >= mostPlays || this.#elapsedMs() >= limitMs || signal?.aborted === true;
  }

  /** Halves of the steps, then quarters, down to single ones, the last first. */
  async dropSteps(): Promise<void> {
    for (let size = Math.ceil(this.day.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let end = this.day.steps.length; end > 0; end -= size) {
        const { steps } = this.day;
        const kept = [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)];
        if (kept.length > 0) await this.#try({ ...this.day, steps: kept });
      }
    }
  }

  /** Tries the candidates of the day one after the other; each that still breaks is the day from then on. */
  async tryEach(candidatesOf: (day: RawDay) => readonly RawDay[]): Promise<void> {
    for (let index = 0; !this.isOver;) {
      const candidate = candidatesOf(this.day)[index];
      if (!candidate) return;
      if (!(await this.#try(candidate))) index++;
    }
  }

  async #try(candidate: RawDay): Promise<boolean> {
    const name = JSON.stringify(candidate);
    if (this.isOver || this.#tried.has(name)) return false;
    this.#tried.add(name);
    this.#plays++;
    const breaks = await this.#options.stillBreaks(candidate);
    if (breaks) this.day = candidate;
    return breaks;
  }
}

const SIMPLEST_PRINTER = 'laser-a4';
const SIMPLEST_SCALE = 'dymo-m10';

function roomCandidates(day: RawDay): readonly RawDay[] {
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
    ...(day.account === 'child' ? [{ ...day, account: 'own' as const }] : []),
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
