/**
 * Fault plan: decides at each occasion whether something goes wrong. It knows nothing of faults.
 *
 *   an occasion ── fires('printer/Laser', 'media-jam') ──► rules, oldest first ──► a firing, or none
 *
 * Counts come first (`after`, `times`), then chance, then time (`for`). A rule counts and draws for each place
 * separately, so that what happens at one place does not depend on the occasions at others. Same seed, same occasions:
 * same decisions, to the byte of the log. No timers: time is read at each occasion.
 */

import { usageError } from './actionable-error.ts';
import type { Clock } from './clock.ts';
import { durationMs } from './duration.ts';
import { faultRule, placeMeant, type FaultRule } from './fault-rule.ts';
import type { Random } from './random.ts';
import { readValueAs } from './schema-problems.ts';

/** A fault that happens now. */
export interface Firing {
  /** Id of the rule. */
  readonly rule: string;
  readonly fault: string;
  /** When it ends, on the clock; undefined if the rule does not say. */
  readonly untilMs: number | undefined;
  readonly with: Readonly<Record<string, unknown>>;
}

/** What was decided at one occasion of a rule. */
export interface Decision {
  readonly atMs: number;
  readonly place: string;
  readonly fault: string;
  readonly rule: string;
  /** Which occasion of the rule at that place it was, from 1. */
  readonly occasion: number;
  /** Whether the fault happened. */
  readonly fired: boolean;
}

/** Decisions kept; more are not read. */
const MOST_FIRED = 100_000;
const MOST_PASSED = 10_000;

/** The progress of a rule at one place. */
interface Progress {
  readonly chance: Random;
  occasions: number;
  fired: number;
  untilMs: number | undefined;
}

const AS_A_RULE = "Write for example {at: 'printer/Laser', fault: 'media-jam', after: 2}.";

interface ActiveRule {
  readonly id: string;
  readonly rule: FaultRule;
  readonly times: number;
  readonly forMs: number | undefined;
  readonly progress: Map<string, Progress>;
  /** The place that the rule means, by the place of an occasion. */
  readonly meant: Map<string, string | undefined>;
}

export class FaultPlan {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #rules = new Map<string, ActiveRule>();
  readonly #byFault = new Map<string, ActiveRule[]>();
  #fired: Decision[] = [];
  /** Occasions at which nothing happened: there are many more of them. */
  #passed: Decision[] = [];
  #nextRule = 1;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Puts a rule in force and returns its id. @throws ActionableError when it is not a valid rule */
  add(rule: FaultRule): string {
    const read = readValueAs(faultRule, rule);
    if (!read.ok) throw usageError(`this is not a fault rule: ${read.error}`, AS_A_RULE);
    const id = `rule-${this.#nextRule++}`;
    const active: ActiveRule = {
      id,
      rule,
      times: rule.times ?? (rule.for === undefined ? Infinity : 1),
      forMs: rule.for === undefined ? undefined : durationMs(rule.for),
      progress: new Map(),
      meant: new Map(),
    };
    this.#rules.set(id, active);
    this.#byFault.set(rule.fault, [...(this.#byFault.get(rule.fault) ?? []), active]);
    return id;
  }

  /** Takes a rule out of force. @returns false if there is no rule with this id */
  remove(id: string): boolean {
    const active = this.#rules.get(id);
    if (!active) return false;
    this.#rules.delete(id);
    const { fault } = active.rule;
    const left = this.#byFault.get(fault)?.filter((one) => one !== active) ?? [];
    if (left.length > 0) this.#byFault.set(fault, left);
    else this.#byFault.delete(fault);
    return true;
  }

  /** Takes all rules out of force; the log stays. */
  clear(): void {
    this.#rules.clear();
    this.#byFault.clear();
  }

  /** Back to the beginning: no rules, an empty log, ids from 1. */
  reset(): void {
    this.clear();
    this.#fired = [];
    this.#passed = [];
    this.#nextRule = 1;
  }

  /** The rules in force, oldest first, with the number of times each has happened. */
  get rules(): readonly { readonly id: string; readonly rule: FaultRule; readonly fired: number }[] {
    return [...this.#rules.values()].map(({ id, rule, progress }) => {
      const fired = [...progress.values()].reduce((sum, one) => sum + one.fired, 0);
      return { id, rule, fired };
    });
  }

  /** Whether no rule is in force: then a caller need not work out its place. */
  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Whether `fault` happens at `place` now. Each call is an occasion, and counts. */
  fires(place: string, fault: string): Firing | undefined {
    let firing: Firing | undefined;
    for (const active of this.#byFault.get(fault) ?? []) {
      const progress = this.#progressAt(active, place);
      if (progress) firing = this.#meet(active, progress, place, firing);
    }
    return firing;
  }

  /** The first of the faults that happens at `place` now; later ones have no occasion. */
  firstOf(place: string, faults: Iterable<string>): Firing | undefined {
    if (this.isEmpty) return undefined;
    for (const fault of faults) {
      const firing = this.fires(place, fault);
      if (firing) return firing;
    }
    return undefined;
  }

  /** What happened, by time and place. */
  get log(): readonly Decision[] {
    return inOrder(this.#fired);
  }

  /** What was decided, also where nothing happened, by time and place. */
  get decisions(): readonly Decision[] {
    return inOrder([...this.#fired, ...this.#passed]);
  }

  /** Logs a decision that was made elsewhere, now. */
  note(decision: Omit<Decision, 'atMs'>): void {
    const [kept, most] = decision.fired ? [this.#fired, MOST_FIRED] : [this.#passed, MOST_PASSED];
    if (kept.length < most) kept.push({ atMs: this.#clock.now(), ...decision });
  }

  #progressAt(active: ActiveRule, place: string): Progress | undefined {
    const { id, rule, progress, meant } = active;
    if (!meant.has(place)) meant.set(place, placeMeant(rule.at, place));
    const key = meant.get(place);
    if (key === undefined) return undefined;
    const known = progress.get(key);
    if (known) return known;
    const chance = this.#random.stream(`${id} at ${key}`);
    const fresh: Progress = { chance, occasions: 0, fired: 0, untilMs: undefined };
    progress.set(key, fresh);
    return fresh;
  }

  /** Counts the occasion; the fault happens unless an older rule has made it happen. */
  #meet(active: ActiveRule, progress: Progress, place: string, already: Firing | undefined): Firing | undefined {
    const { id, rule } = active;
    progress.occasions++;
    const fired = !already && isDue(active, progress, this.#clock.now());
    this.note({ place, fault: rule.fault, rule: id, occasion: progress.occasions, fired });
    if (!fired) return already;
    return { rule: id, fault: rule.fault, untilMs: progress.untilMs, with: rule.with ?? {} };
  }
}

/** No two decisions agree in all of these, so that the order is always the same. */
function inOrder(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.toSorted(
    (a, b) => a.atMs - b.atMs || compare(a.place, b.place) || compare(a.rule, b.rule) || a.occasion - b.occasion,
  );
}

function isDue({ rule, times, forMs }: ActiveRule, progress: Progress, nowMs: number): boolean {
  if (progress.untilMs !== undefined && nowMs < progress.untilMs) return true;
  if (progress.occasions <= (rule.after ?? 0) || progress.fired >= times) return false;
  if (rule.probability !== undefined && !progress.chance.chance(rule.probability)) return false;
  progress.fired++;
  progress.untilMs = forMs === undefined ? undefined : nowMs + forMs;
  return true;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
