/**
 * Service state: everything a service knows, put together.
 *
 *   database ◄─ accounts, computers, printers … ◄─ jobs ◄─ queue ◄─ gateway ◄─ (link)
 *                                                   ▲ │
 *                              (HTTP) ─► routes ────┘ └─► events ─► dispatcher ─► (webhooks)
 */

import type { Clock } from '../common/clock.ts';
import type { Random } from '../common/random.ts';
import type { ServiceChoices } from './choices.ts';
import { Connections } from './delivery/connections.ts';
import { DeviceGateway } from './delivery/device-gateway.ts';
import { Events } from './delivery/events.ts';
import { PrintJobs, type PrintJobRequest } from './delivery/print-jobs.ts';
import { JobQueue } from './delivery/job-queue.ts';
import { WebhookDispatcher } from './delivery/webhook-dispatcher.ts';
import type { ForbiddenAddresses } from './delivery/webhook-request.ts';
import { Accounts, type Account } from './domain/account.ts';
import { ClientDownloads } from './domain/client-download.ts';
import { ClientKeys } from './domain/client-key.ts';
import { Computers, type Computer, type Revision } from './domain/computer.ts';
import { Printers, type Printer } from './domain/printer.ts';
import { Scales } from './domain/scale.ts';
import { Secrets } from './domain/secrets.ts';
import { Webhooks } from './domain/webhook.ts';
import type { IdempotencyKeys } from './gate/idempotency.ts';
import { GuardedClock } from './guarded-clock.ts';
import { ScaleFeed } from './scale-feed/scale-feed.ts';
import type { ServiceObserver } from './service-observer.ts';
import type { ServiceRules } from './service-rules.ts';
import type { Database } from './store/database.ts';
import type { PrintJobRow } from './store/print-job-row.ts';
import { Records } from './store/records.ts';

export interface ServiceStateOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: ServiceRules;
  readonly choices: ServiceChoices;
  readonly forbiddenAddresses: ForbiddenAddresses | undefined;
  /** Why no webhook may lead to an address, when it is set. */
  readonly refuseWebhook: ((url: URL) => string | undefined) | undefined;
  readonly observer?: ServiceObserver | undefined;
}

export class ServiceState {
  readonly clock: Clock;
  readonly rules: ServiceRules;
  readonly choices: ServiceChoices;
  readonly refuseWebhook: ServiceStateOptions['refuseWebhook'];
  readonly database: Database;
  readonly secrets: Secrets;
  readonly accounts: Accounts;
  /** Moves on with every change of a computer or printer. */
  readonly deviceRevision: Revision = { value: 0 };
  readonly clientKeys: ClientKeys;
  readonly clientDownloads: ClientDownloads;
  readonly computers: Computers;
  readonly printers: Printers;
  readonly scales: Scales;
  readonly scaleFeed: ScaleFeed;
  readonly jobs: PrintJobs;
  readonly queue: JobQueue;
  readonly gateway: DeviceGateway;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly webhooks: Webhooks;
  readonly dispatcher: WebhookDispatcher;

  constructor(options: ServiceStateOptions) {
    const { database, random, rules, choices, forbiddenAddresses, observer } = options;
    const clock = new GuardedClock(options.clock, (task) => database.guard(task));
    this.clock = clock;
    this.rules = rules;
    this.choices = choices;
    this.refuseWebhook = options.refuseWebhook;
    this.database = database;
    // Random values repeat with the seed, but must not repeat after a restart on the same data file: a key
    // that was deleted would come back as another one's, and two events would have one id.
    const start = new Records(database, 'start').nextId();
    const randomFor = (purpose: string): Random => random.stream(`${purpose} of start ${start}`);
    this.secrets = new Secrets(randomFor('secrets'));
    this.accounts = new Accounts(database);
    this.clientKeys = new ClientKeys(database);
    this.clientDownloads = new ClientDownloads(database);
    this.computers = new Computers(database, this.deviceRevision);
    this.printers = new Printers(database, this.deviceRevision, this.computers);
    this.scales = new Scales({ clock, isRetained: rules.isReadingRetained });
    this.webhooks = new Webhooks(database, rules.decayingCounts);
    this.idempotencyKeys = rules.idempotencyKeys(database);

    const { accounts, computers, printers, scales, webhooks } = this;
    const { dueMs, mayTryAgain, expiryMs } = rules;
    const { integratorHearsChildren, cancelledState } = choices;
    const shared = { clock, database, observer };
    const sender = rules.webhookSender({ clock, forbiddenAddresses });
    const dispatcher = new WebhookDispatcher({ ...shared, webhooks, sender, dueMs, mayTryAgain });
    const toWebhooks = { clock, accounts, webhooks, dispatcher, integratorHearsChildren };
    const events = new Events({ ...toWebhooks, random: randomFor('events') });
    const jobs = new PrintJobs({ ...shared, accounts, printers, events, expiryMs, cancelledState });
    const queue = new JobQueue(jobs, database);
    const connections = new Connections({ ...shared, computers, events });
    const toDevices = { clock, database, computers, printers, scales, jobs, queue, connections };
    this.dispatcher = dispatcher;
    this.jobs = jobs;
    this.queue = queue;
    this.gateway = new DeviceGateway({ ...toDevices, random: randomFor('connections') });
    this.scaleFeed = new ScaleFeed({ clock, accounts, computers, scales, connections });
  }

  /** Registers a job, to be delivered or to expire. Call inside a write of the database. */
  submit(account: Account, printer: Printer, request: PrintJobRequest): PrintJobRow {
    const job = this.jobs.submit(account, printer, request);
    this.queue.submitted(job, request.content);
    return job;
  }

  /**
   * Deletes a computer with its printers. Choice: jobs that wait for them are cancelled, their history stays.
   * Call inside a write of the database.
   */
  removeComputer(computer: Computer): void {
    const printerIds = this.printers.ofComputer(computer.id).map((printer) => printer.id);
    this.jobs.cancel({ accountId: computer.accountId, printerIds });
    this.printers.deleteAll(computer.id);
    this.computers.remove(computer);
    this.database.afterCommit(() => {
      this.scales.forget(computer);
      this.gateway.dismiss(computer.id);
    });
  }

  /** The account that a client may connect for, by one of its API keys or a client key. */
  accountForLink(key: string): Account | undefined {
    return this.accounts.byKey(key) ?? this.accounts.byId(this.clientKeys.byKey(key)?.accountId ?? 0);
  }

  /** Suspends or reactivates an account. Suspension disconnects its clients; its jobs go on waiting. */
  setAccountState(account: Account, state: Account['state']): void {
    account.state = state;
    this.accounts.save(account);
    if (state === 'suspended') this.#expelAccount(account, 'the account is suspended');
  }

  /** Deletes an account with everything it has. Call inside a write of the database. */
  removeAccount(account: Account): void {
    this.#expelAccount(account, 'the account was deleted');
    for (const computer of this.computers.ofAccount(account.id)) this.removeComputer(computer);
    for (const webhook of this.webhooks.ofAccount(account.id)) this.webhooks.remove(webhook);
    this.clientKeys.removeOf(account.id);
    this.clientDownloads.forget(account.id);
    this.accounts.remove(account);
  }

  /** Ends all connections and timers; what is stored stays. */
  stop(): void {
    this.jobs.close();
    this.scaleFeed.close();
    this.scales.close();
    this.gateway.close();
    this.dispatcher.close();
  }

  #expelAccount(account: Account, reason: string): void {
    this.gateway.expel((identity) => identity.account === account, reason);
  }
}
