/**
 * Draft: a day while it is being drawn: the names that there are so far, and what is known of them. It follows no
 * service: it only keeps a day playable.
 */

import { durationMs } from '../../common/duration.ts';
import { EVERY_MESSAGE } from '../../specification/inputs.ts';
import type { GivenDialect } from '../../targets/dialect.ts';
import type { RawStep } from './raw-day.ts';

/** How a computer stands, as far as the steps say. */
type Standing = 'connected' | 'away' | 'asleep' | 'unsure';

export interface DraftComputer {
  readonly name: string;
  standing: Standing;
}

export interface DraftPrinter {
  readonly name: string;
  readonly computer: DraftComputer;
}

export interface DraftScale {
  /** What steps call it. */
  readonly name: string;
  readonly deviceName: string;
  readonly computer: string;
}

/** Three numbers decide a step: which thing, which other thing, which form. */
export interface Choice {
  readonly which: number;
  readonly other: number;
  readonly form: number;
}

/** In the texts of a scenario: something else at each play. */
const RUN = '{run}';
const EVERY = EVERY_MESSAGE.value;
/** On real time: a retry of a webhook is waited for, and what a scale is kept for; nothing else takes its time. */
const LONGEST_IN_REAL_TIME = { retry: '6s', other: '1s' } as const;
/** A loaded scale reports twice a second. */
const LONGEST_WHILE_WEIGHING = '61s';

/**
 * How days reach its computers: by platen's own link, on which messages can go wrong; by another link; by its client
 * program; not at all, but for a printer of the account; or not at all.
 */
export type Reach = 'own-link' | 'other-link' | 'client' | 'printer' | 'nothing';

/** A service that is not the reference service, as far as days have to know it. */
export interface Elsewhere {
  /** What is left out is unknown: days do without it. */
  readonly dialect: GivenDialect;
  /** Nothing takes long: all of it passes in real time. */
  readonly isOnRealTime: boolean;
  readonly hasSecondAccount: boolean;
  readonly isIntegrator: boolean;
  readonly reach: Reach;
  readonly isRestartable: boolean;
}

export class Draft {
  readonly computers: DraftComputer[] = [];
  printers: DraftPrinter[] = [];
  readonly scales: DraftScale[] = [];
  readonly jobs: string[] = [];
  readonly webhooks: string[] = [];
  /** Names of values that were saved: API keys, and ids of Child Accounts. */
  readonly keys: string[] = [];
  readonly children: string[] = [];
  /** Names of tags of the account that were set, read or removed. */
  readonly tags = new Set<string>();
  readonly faulty: string[] = [];
  readonly steps: RawStep[] = [];
  readonly isChild: boolean;
  readonly #seed: number;
  readonly #elsewhere: Elsewhere | undefined;
  /** A scale reports each second: something was put on it, or its zero point is off. */
  isWeighing = false;
  /** A receiver fails, or the service does: what is sent once more takes some time. */
  isRetrying = false;
  #names = 0;

  constructor(seed: number, isChild: boolean, elsewhere: Elsewhere | undefined) {
    this.#seed = seed;
    this.isChild = isChild;
    this.#elsewhere = elsewhere;
  }

  /** The printer has other jobs than those of the day. */
  get isBorrowed(): boolean {
    return this.#elsewhere?.reach === 'printer';
  }

  /** Whether what a client keeps can be lost: not where it is a program of the service. */
  get canForget(): boolean {
    return this.#elsewhere?.reach !== 'client';
  }

  get isOnRealTime(): boolean {
    return this.#elsewhere?.isOnRealTime === true;
  }

  /** Types of events as the service spells them; all of them where that is not known. */
  spelt(messages: readonly string[]): readonly string[] {
    if (!this.#elsewhere) return messages;
    const spellings: Readonly<Record<string, string>> = { [EVERY]: EVERY, ...this.#elsewhere.dialect['message-types'] };
    const known = messages.flatMap((message) => spellings[message] ?? []);
    return known.length === messages.length ? known : [EVERY];
  }

  /** Where the answer to a new API key has it; undefined where it is the whole answer. */
  keyPlace(description: string): string | undefined {
    const place = this.#elsewhere?.dialect['new-key'] ?? '.';
    return place === '.' || place.startsWith('GET ') ? undefined : place.replace('{name}', description);
  }

  /** The body that simulates a reading. */
  get simulatedReading(): object {
    return this.#elsewhere?.dialect['simulated-reading'] ?? {};
  }

  /** These seconds, or the fewest that the service takes. */
  expiry(seconds: number): number {
    return Math.max(seconds, this.#elsewhere?.dialect['least-expire-after'] ?? 0);
  }

  /** An address that no other day has: on a service that goes on it would be taken. */
  address(name: string): string {
    return `${name}.${this.#elsewhere ? RUN : this.#seed}@example.test`;
  }

  /** A name in the account that no other day gives on a service that goes on, nor this one when it is played again. */
  own(name: string): string {
    return this.#elsewhere ? `${RUN}-${name}` : name;
  }

  /** Other days are played in the account at the same time: what reaches beyond the room is not for this one. */
  get sharesAccount(): boolean {
    return this.isOnRealTime && !this.isChild;
  }

  add(...steps: readonly RawStep[]): void {
    this.steps.push(...steps);
  }

  /** Lets a time pass, or as much of it as the day has. */
  pass(length: string): void {
    const longest = this.isOnRealTime
      ? LONGEST_IN_REAL_TIME[this.isRetrying ? 'retry' : 'other']
      : this.isWeighing
        ? LONGEST_WHILE_WEIGHING
        : length;
    this.add({ advance: durationMs(length) > durationMs(longest) ? longest : length });
  }

  /** The service dies and comes back; every computer has to find it again. */
  restart(): void {
    if (this.#elsewhere?.isRestartable === false) return;
    for (const computer of this.computers) if (computer.standing === 'connected') computer.standing = 'unsure';
    this.add({ restart: 'service' });
    this.isRetrying = true;
  }

  /** `job 3`: plain, and used once. */
  newName(kind: string): string {
    return `${kind}${++this.#names}`;
  }

  /** The name of a job that the day has from now on. */
  newJob(): string {
    const name = this.newName('job');
    this.jobs.push(name);
    return name;
  }
}

export interface Move {
  /** How often it is drawn, beside the others of the day. */
  readonly weight: number;
  /** Adds its steps; nothing where the day has nothing that it could be about. */
  readonly play: (draft: Draft, choice: Choice) => void;
}

export type Moves = Readonly<Record<string, Move>>;

/** Requests at the same time. */
export function together(...steps: readonly { readonly request?: unknown }[]): RawStep {
  return { together: steps.map(({ request }) => request) };
}

/** The thing with this number, modulo their number; undefined when the list is empty. */
export function pick<Thing>(things: readonly Thing[], number: number): Thing | undefined {
  return things[number % things.length];
}

/** One of a list that is not empty. */
export function oneOf<Thing>(things: readonly [Thing, ...Thing[]], number: number): Thing {
  return things[number % things.length] ?? things[0];
}
