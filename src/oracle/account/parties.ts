/**
 * Parties: the accounts of a history as their callers have made them, and their keys.
 */

import type { ClauseId } from '../../specification/clauses.ts';
import { REQUEST_HEADERS } from '../../specification/headers.ts';
import { CHILD_HEADER } from '../invariant.ts';
import type { Facts } from './job-facts.ts';
import type { SeenExchange } from './observation.ts';

/** What callers may set of an account, and by which clauses it shows. */
export const NAMES = {
  firstname: ['accounts/create-firstname', 'accounts/update-firstname'],
  lastname: ['accounts/create-lastname', 'accounts/update-lastname'],
  email: ['accounts/create-email', 'accounts/update-email'],
  creatorRef: ['accounts/create-creator-ref', 'accounts/update-creator-ref'],
} as const satisfies Readonly<Record<string, readonly [ClauseId, ClauseId]>>;
export type NameField = keyof typeof NAMES;

interface OpenTag {
  readonly together: number;
  readonly values: readonly unknown[];
}

/** An account as its callers have made it. */
export interface Party {
  /** Fields that are known, and whether they were set when it was made or later. */
  readonly names: Map<NameField, { readonly value: unknown; readonly isChanged: boolean }>;
  readonly tags: Map<string, unknown>;
  /** Tags that were set at the same time to several values: the first one that is shown is the last one set. */
  readonly openTags: Map<string, OpenTag>;
  state: 'active' | 'suspended';
  isDeleted: boolean;
  /** Made during the history: all of it is known. */
  readonly isWhole: boolean;
}

interface MadeKey {
  readonly keys: readonly string[];
  readonly account: string;
}

export class Parties {
  readonly all = new Map<string, Party>();
  /** By account and name: the strings in the answer that may be the key. */
  readonly keys = new Map<string, MadeKey>();
  readonly revoked = new Set<string>();
  readonly #byKey = new Map<string, MadeKey>();
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  of(account: string): Party {
    const known = this.all.get(account);
    if (known) return known;
    const isWhole = this.#facts.children.has(account);
    const maps = { names: new Map(), tags: new Map(), openTags: new Map() };
    const party: Party = { ...maps, state: 'active', isDeleted: false, isWhole };
    this.all.set(account, party);
    return party;
  }

  ofKey(apiKey: string): Party | undefined {
    const made = this.madeKey(apiKey)?.account;
    return this.all.get(made ?? this.#facts.identities.accountOfKey(apiKey) ?? '');
  }

  madeKey(apiKey: string): MadeKey | undefined {
    return this.#byKey.get(apiKey);
  }

  takeKey(name: string, keys: readonly string[], account: string): void {
    const made = { keys, account };
    this.keys.set(name, made);
    for (const key of keys) if (!this.#byKey.has(key)) this.#byKey.set(key, made);
  }

  revokeKey(name: string): void {
    const made = this.keys.get(name);
    this.keys.delete(name);
    for (const key of made?.keys ?? []) {
      this.revoked.add(key);
      if (this.#byKey.get(key) === made) this.#byKey.delete(key);
    }
  }

  /** Whether another account has it. */
  isTaken(creatorRef: unknown, account?: string): boolean {
    if (typeof creatorRef !== 'string' || creatorRef === '') return false;
    return [...this.all].some(
      ([id, one]) => id !== account && !one.isDeleted && one.names.get('creatorRef')?.value === creatorRef,
    );
  }
}

const CHILD_BY_ID = REQUEST_HEADERS.childAccountById.name.toLowerCase();

/** Whether a request is for a Child, by whichever of its names. */
export function isForChild({ http }: SeenExchange): boolean {
  return http.request.headers.some(([name]) => CHILD_HEADER.test(name));
}

/** The id of the Child that a request is for. */
export function childOf({ http }: SeenExchange): string | undefined {
  return http.request.headers.find(([name]) => name.toLowerCase() === CHILD_BY_ID)?.[1];
}

/** Longer than a name or a state. */
const MAY_BE_KEY = /"([^"\\\s]{16,})"(?!:)/g;

/** The strings in an answer that may be a key: where it stands is for the service to choose. */
export function keysIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value ?? null).matchAll(MAY_BE_KEY)].map(([, key = '']) => key);
}

/** Any of several values that were set at the same time may be the last. */
export function setTag({ tags, openTags }: Party, name: string, { sent, together }: SeenExchange): void {
  tags.set(name, sent);
  const open = openTags.get(name);
  if (together === undefined) openTags.delete(name);
  else openTags.set(name, { together, values: open?.together === together ? [...open.values, sent] : [sent] });
}

/** The first of them that is shown is the last that was set. */
export function settleTag({ tags, openTags }: Party, name: string, shown: string): void {
  const last = openTags.get(name)?.values.find((value) => shown.includes(JSON.stringify(value)));
  if (last === undefined) return;
  tags.set(name, last);
  openTags.delete(name);
}
