/**
 * Outside room: what a load has of computers where none of its own connects. Jobs go to a printer of the account that
 * platen does not run, or nowhere. All that is known of a job is what the service says.
 *
 *   drain ─► GET /printjobs/{set}/states ─► done, failed, still on its way, or gone
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { isObject } from '../../common/json-value.ts';
import { usageError } from '../../common/actionable-error.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import { WEBHOOK_STATES, type WebhookState } from '../../oracle/webhook-account.ts';
import { printerNamed } from '../../targets/account-printer.ts';
import type { ServiceClient } from '../../targets/service-client.ts';
import type { ChaosEvent } from '../plan/load-scenario.ts';
import type { LoadAccount } from '../traffic/load-account.ts';
import { ChaosPlayer, type ChaosOptions } from './chaos.ts';
import type { LoadRoom } from './load-room.ts';

export interface OutsideRoomOptions extends Pick<ChaosOptions, 'ledger' | 'webhooks' | 'service' | 'sinceStartUs'> {
  readonly client: ServiceClient;
  readonly chaos: readonly ChaosEvent[];
  /** Accounts of the shard: one, where a printer is used. */
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  /** Id or name of a printer of the account. */
  readonly usePrinter: string | undefined;
}

/** Two looks at the jobs under way. */
const LOOK_EVERY_MS = 1_000;
const JOBS_A_LOOK = 100;
const NOT_FOUND = 404;
const NO_FLEET: ChaosOptions['fleet'] = { size: 0, connected: 0, members: () => [] };

/** @throws ActionableError when the account has no such printer */
export async function openOutsideRoom(options: OutsideRoomOptions): Promise<LoadRoom> {
  const { client, accounts, usePrinter } = options;
  if (usePrinter === undefined) return new OutsideRoom(options);
  for (const account of accounts.values()) {
    const found = printerNamed(await client.listAll('/printers', account.apiKey), usePrinter);
    if (!found)
      throw usageError(`the account has no printer '${usePrinter}' any more`, 'Is its computer still connected?');
    account.printers = [{ id: Number(found['id']), printer: 0 }];
  }
  return new OutsideRoom(options);
}

class OutsideRoom implements LoadRoom {
  readonly printers = [];
  readonly connected = 0;
  readonly #options: OutsideRoomOptions;
  readonly #chaos: ChaosPlayer;
  readonly #closing = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  constructor(options: OutsideRoomOptions) {
    this.#options = options;
    this.#chaos = new ChaosPlayer({ ...options, clock: systemClock, drawSeed: 0, fleet: NO_FLEET });
  }

  get disasters(): LoadRoom['disasters'] {
    return this.#chaos.records;
  }

  get isBack(): boolean {
    return this.#chaos.areOver;
  }

  live(signal: AbortSignal): Promise<void> {
    return this.#chaos.run(this.#options.chaos, signal);
  }

  /** Nothing tells when its computer is to report it. */
  accepted(row: number): void {
    for (const state of WEBHOOK_STATES) this.#options.webhooks?.mayCome(row, state);
  }

  drain(): void {
    if (this.#options.usePrinter !== undefined) this.#watching = this.#watch();
  }

  async close(): Promise<void> {
    this.#chaos.close();
    this.#closing.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      for (const account of this.#options.accounts.values()) await this.#look(account, signal);
      await sleep(systemClock, LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }

  async #look(account: LoadAccount, signal: AbortSignal): Promise<void> {
    const jobs = jobsUnderWay(this.#options.ledger);
    for (let first = 0; first < jobs.length && !signal.aborted; first += JOBS_A_LOOK)
      await this.#ask(jobs.slice(first, first + JOBS_A_LOOK), account);
  }

  /** One by one where the set is refused. Of a job that is not known alone either, nothing is said: it is lost. */
  async #ask(jobs: readonly JobUnderWay[], account: LoadAccount): Promise<void> {
    const path = `/printjobs/${jobs.map(({ id }) => id).join(',')}/states`;
    const answer = await this.#options.client.trySend({ method: 'GET', path, apiKey: account.apiKey });
    const status = answer.ok ? answer.value.status : 0;
    if (status === NOT_FOUND && jobs.length === 1) return;
    if (status === NOT_FOUND) {
      for (const job of jobs) await this.#ask([job], account);
      return;
    }
    const states = answer.ok && status === 200 ? statesIn(answer.value.value) : undefined;
    for (const { row, id } of jobs) this.#take(row, states && (states.get(id) ?? []));
  }

  /** @param states - undefined where the service could not be asked */
  #take(row: number, states: readonly string[] | undefined): void {
    const { ledger, webhooks, sinceStartUs } = this.#options;
    if (states?.length === 0) return;
    const seen = WEBHOOK_STATES.filter((state) => states?.includes(state));
    for (const state of seen) webhooks?.mustCome(row, state, sinceStartUs());
    if (seen.includes('expired')) ledger.expired(row);
    else ledger.said(row, seen.find(isEnd) ?? 'waiting');
  }
}

interface JobUnderWay {
  readonly row: number;
  readonly id: number;
}

function jobsUnderWay(ledger: Ledger): readonly JobUnderWay[] {
  const rows = Array.from({ length: ledger.rows }, (_, row) => row).filter((row) => ledger.isUnderWay(row));
  return rows.flatMap((row) => {
    const id = ledger.jobIdOf(row);
    return id === 0 ? [] : [{ row, id }];
  });
}

function isEnd(state: WebhookState): state is 'done' | 'error' {
  return state === 'done' || state === 'error';
}

/** By job, whether they come as a list for each job, as one list, or by the ids of the jobs. */
function statesIn(value: unknown): ReadonlyMap<number, readonly string[]> {
  const all = isObject(value) || Array.isArray(value) ? Object.values(value).flat() : [];
  const states = all.filter(isObject).map(({ printJobId, state }) => [Number(printJobId), String(state)] as const);
  const byJob = Map.groupBy(states, ([id]) => id);
  return new Map([...byJob].map(([id, own]) => [id, own.map(([, state]) => state)]));
}
