/**
 * Everything the second service knows, in memory, and the few questions that several parts ask of it.
 */

import { randomBytes } from 'node:crypto';

import type { ServiceClock } from './clock.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface Account {
  readonly id: number;
  readonly parent: Account | null;
  readonly mayHaveChildren: boolean;
  firstname: string;
  lastname: string;
  email: string;
  password: string;
  creatorRef: string | null;
  state: 'active' | 'suspended';
  readonly tags: Map<string, string>;
  /** Name → key. */
  readonly keys: Map<string, string>;
  readonly clientKeys: Set<string>;
  readonly webhooks: Map<number, Webhook>;
  /** Idempotency key → when it was used. */
  readonly usedKeys: Map<string, number>;
  readonly disabledDownloads: Set<number>;
}

export const STATISTICS = ['receivedEvents', 'droppedEvents', 'successfulRequests', 'failedRequests'] as const;
export type Statistic = (typeof STATISTICS)[number];
export const MEASURES = { counts: Infinity, exp7d: 604_800, exp1d: 86_400, exp1h: 3600, exp5m: 300 };

export interface Webhook {
  readonly id: number;
  url: string;
  secret: string;
  messages: readonly string[];
  readonly happened: Record<Statistic, { counts: number; decayed: number[]; at: number }>;
}

export interface Computer {
  readonly id: number;
  readonly account: Account;
  readonly installationId: string;
  readonly createdAt: number;
  name: string;
  hostname: string | null;
  inet: string | null;
  inet6: string | null;
  version: string | null;
  isConnected: boolean;
  readonly printers: Map<string, Printer>;
  scales: Scale[];
  readonly seenReports: Set<string>;
}

export interface Printer {
  readonly id: number;
  readonly key: string;
  readonly computer: Computer;
  readonly createdAt: number;
  name: string;
  description: string;
  isDefault: boolean | null;
  state: string | null;
  capabilities: JsonObject | null;
}

export interface Scale {
  readonly key: string;
  readonly deviceName: string;
  readonly deviceNum: number;
  readonly vendor: string;
  readonly vendorId: number;
  readonly productId: number;
  readonly port: string;
}

export interface Reading {
  readonly scale: Scale;
  readonly computerId: number;
  readonly account: Account;
  readonly mass: Json;
  readonly measurement: Json;
  readonly reportedAt: string;
  readonly storedAt: number;
}

export interface JobState {
  readonly state: string;
  readonly message: string | null;
  readonly clientVersion: string | null;
  readonly at: number;
}

export interface Job {
  readonly id: number;
  readonly account: Account;
  readonly printer: Printer;
  readonly title: string;
  readonly source: string | null;
  readonly contentType: string;
  readonly content: string;
  readonly options: JsonObject;
  readonly qty: number;
  readonly authentication: JsonObject | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly states: JobState[];
  isSent: boolean;
  isEnded: boolean;
  stopExpiry: () => void;
}

const RETENTION_MS = 45_000;
export const SENDABLE_STATES: ReadonlySet<string> = new Set(['new', 'sent_to_client', 'done', 'error', 'expired']);

export type NewAccount = Pick<Account, 'parent' | 'mayHaveChildren' | 'email'> & Partial<Account>;

export class Store {
  readonly clock: ServiceClock;
  readonly accounts = new Map<number, Account>();
  readonly computers = new Map<number, Computer>();
  readonly jobs = new Map<number, Job>();
  #readings: Reading[] = [];
  #lastId = 1_000_000_000;

  constructor(clock: ServiceClock) {
    this.clock = clock;
  }

  /** Ids grow, and leave holes. */
  nextId(): number {
    this.#lastId += 7 + 2 * (this.#lastId % 2);
    return this.#lastId;
  }

  addAccount(plan: NewAccount): Account {
    const account: Account = {
      id: this.nextId(),
      firstname: '-',
      lastname: '-',
      password: '',
      creatorRef: null,
      state: 'active',
      tags: new Map(),
      keys: new Map(),
      clientKeys: new Set(),
      webhooks: new Map(),
      usedKeys: new Map(),
      disabledDownloads: new Set(),
      ...plan,
    };
    this.accounts.set(account.id, account);
    return account;
  }

  childrenOf(account: Account): Account[] {
    return [...this.accounts.values()].filter(({ parent }) => parent === account);
  }

  computersOf(account: Account): Computer[] {
    return [...this.computers.values()].filter((computer) => computer.account === account);
  }

  printersOf(account: Account): Printer[] {
    return this.computersOf(account).flatMap(({ printers }) => [...printers.values()]);
  }

  jobsOf(account: Account): Job[] {
    return [...this.jobs.values()].filter((job) => job.account === account);
  }

  removeComputer(computer: Computer): void {
    this.computers.delete(computer.id);
    for (const job of this.jobs.values()) if (job.printer.computer === computer) this.removeJob(job);
    this.#readings = this.#readings.filter(({ computerId }) => computerId !== computer.id);
  }

  removeJob(job: Job): void {
    job.stopExpiry();
    this.jobs.delete(job.id);
  }

  addReading(reading: Reading): void {
    this.#readings = this.#readings.filter(
      (old) =>
        this.clock.now() - old.storedAt < RETENTION_MS &&
        !(
          old.account === reading.account &&
          old.computerId === reading.computerId &&
          old.scale.deviceName === reading.scale.deviceName &&
          old.scale.deviceNum === reading.scale.deviceNum
        ),
    );
    this.#readings.push(reading);
  }

  readingsOf(account: Account, computerId: number): Reading[] {
    const youngerThan = this.clock.now() - RETENTION_MS;
    return this.#readings.filter(
      (one) => one.account === account && one.computerId === computerId && one.storedAt > youngerThan,
    );
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
