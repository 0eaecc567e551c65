/**
 * Findings: what exploring came upon, each once. Days that break the same clause show the same thing, whatever led to
 * it; so do days that break a clause which the shortest day of a finding breaks too.
 */

import { CLAUSES } from '../specification/clauses.ts';
import type { Break } from '../scenario/vocabulary/outcome.ts';
import type { RawDay } from './draw/raw-day.ts';
import { NO_END } from './play-day.ts';

export interface Finding {
  /** What is broken: the id of a clause, or the kind of step that broke. */
  readonly signature: string;
  /** The shortest day that shows it. */
  readonly day: RawDay;
  readonly breaks: readonly Break[];
  readonly message: string;
  /** The seed of the day on which it was met first. */
  readonly seed: number;
  /** Number of days on which it was found. */
  readonly count: number;
}

interface Known extends Finding {
  readonly covers: ReadonlySet<string>;
}

export class Findings {
  readonly #known: Known[] = [];

  get all(): readonly Finding[] {
    return this.#known;
  }

  /** What of a broken day is not known yet; nothing where a finding tells it. That finding is counted. */
  newOf(broken: readonly string[]): string | undefined {
    const fresh = broken.filter((one) => !this.#known.some(({ covers }) => covers.has(one)));
    for (const [index, known] of this.#known.entries()) {
      if (broken.some((one) => known.covers.has(one))) this.#known[index] = { ...known, count: known.count + 1 };
    }
    // A day with something known on it may have broken the rest for the same reason.
    return fresh.length === broken.length ? fresh[0] : undefined;
  }

  /** Whether no finding tells anything of what a day broke. */
  isNew(broken: readonly string[]): boolean {
    return !broken.some((one) => this.#known.some(({ covers }) => covers.has(one)));
  }

  add(finding: Finding, covers: readonly string[]): void {
    this.#known.push({ ...finding, covers: new Set([finding.signature, ...covers]) });
  }

  /** A shorter day of a finding, and what that one breaks. */
  shorten(finding: Finding, covers: readonly string[]): Finding {
    const index = this.#known.findIndex(({ signature }) => signature === finding.signature);
    const count = this.#known[index]?.count ?? finding.count;
    this.#known[index] = { ...finding, count, covers: new Set([finding.signature, ...covers]) };
    return this.#known[index];
  }
}

const STATEMENTS = new Map<string, string>(CLAUSES.map(({ id, statement }) => [id, statement]));

export function statementOf(signature: string): string | undefined {
  return STATEMENTS.get(signature);
}

/** A day with a title and a reason that say what it shows. */
export function titled(day: RawDay, signature: string, seed: number): RawDay {
  const statement = statementOf(signature);
  const isEndless = signature === NO_END;
  const why = isEndless
    ? 'The day does not end, because of the service or because of platen.'
    : statement === undefined
      ? `The service does not answer as a step of the day expects (${signature}).`
      : `The service breaks ${signature}: ${statement}`;
  return {
    ...day,
    title: (isEndless ? 'A day that does not end' : `${signature} is broken`).slice(0, 120),
    why: `${why} Found by platen explore --seed ${seed} --seeds 1, and shortened.`,
  };
}

/** A signature as the name of a folder. */
export function folderOf(signature: string): string {
  return signature.replaceAll(/[^\w.-]+/g, '-');
}
