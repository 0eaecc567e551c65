/**
 * Events: what webhooks carry.
 *
 *   PrintJobs ────► printJobState ─┐
 *   Connections ──► computerState ─┴─► webhooks of the account and of its parent ─► WebhookDispatcher
 */

import type { Clock } from '../../common/clock.ts';
import type { Random } from '../../common/random.ts';
import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';
import { controllingAccountId, type Accounts } from '../domain/account.ts';
import { describeConnection, type Computer, type Connection } from '../domain/computer.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { wants, type EventType, type Webhook, type Webhooks } from '../domain/webhook.ts';
import type { PrintJobRow, PrintJobStateRow } from '../store/print-job-row.ts';
import type { WebhookDispatcher } from './webhook-dispatcher.ts';

export interface EventsOptions {
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly webhooks: Webhooks;
  readonly dispatcher: WebhookDispatcher;
  readonly random: Random;
  /** gap/webhook-of-integrator: whether an Integrator Account hears of its Child Accounts. */
  readonly integratorHearsChildren: boolean;
}

export class Events {
  readonly #options: EventsOptions;

  constructor(options: EventsOptions) {
    this.#options = options;
  }

  /** A state of a job was recorded. Call inside a write of the database. */
  printJobState(job: PrintJobRow, { state, message }: PrintJobStateRow): void {
    if (!Object.hasOwn(STABLE_PRINT_JOB_STATES, state)) return;
    this.#publish(job.accountId, 'print job state', () => ({
      uid: this.#options.random.uuid(),
      printJobId: job.id,
      state,
      message: message ?? '',
    }));
  }

  /**
   * A connection of a computer began or ended. Call inside a write of the database.
   *
   * @param live - the connections there are now
   */
  computerState(computer: Computer, live: readonly Connection[], connection: Connection, hasEnded: boolean): void {
    this.#publish(computer.accountId, 'computer state', () => ({
      computerId: computer.id,
      state: live.length > 0 ? 'connected' : 'disconnected',
      connections: live.map(describeConnection),
      event: {
        ...describeConnection(connection),
        disconnectionTimestamp: hasEnded ? formatTimestamp(this.#options.clock.now()) : undefined,
      },
    }));
  }

  #publish(accountId: number, type: EventType, data: () => object): void {
    const account = this.#options.accounts.byId(accountId);
    if (!account) return;
    const controllingId = controllingAccountId(account);
    const webhooks = this.#webhooksFor(accountId, controllingId).filter((webhook) => wants(webhook, type));
    if (webhooks.length === 0) return;
    const json = JSON.stringify({
      type,
      accountId,
      controllingAccountId: controllingId,
      createdAt: formatTimestamp(this.#options.clock.now()),
      data: data(),
    });
    for (const webhook of webhooks) this.#options.dispatcher.queue(webhook, json);
  }

  #webhooksFor(accountId: number, controllingId: number): Webhook[] {
    const { webhooks, integratorHearsChildren } = this.#options;
    const own = webhooks.ofAccount(accountId);
    if (controllingId === accountId || !integratorHearsChildren) return own;
    return [...own, ...webhooks.ofAccount(controllingId)];
  }
}
