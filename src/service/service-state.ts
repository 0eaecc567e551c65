/**
 * Service state: everything a service knows, and how its pieces hang together.
 *
 *   database ◄─ accounts, computers, printers, jobs ◄─ queue ◄─ gateway ◄─ (link)
 *                                                 ◄─ routes ◄─ (HTTP)
 */

import type { Clock } from '../common/clock.ts';
import type { Random } from '../common/random.ts';
import type { ServiceChoices } from './choices.ts';
import { DeviceGateway } from './delivery/device-gateway.ts';
import { ExpiryWatch } from './delivery/expiry-watch.ts';
import { JobQueue } from './delivery/job-queue.ts';
import { WebhookDispatcher } from './delivery/webhook-dispatcher.ts';
import { Accounts, type Account } from './domain/account.ts';
import { ClientDownloads } from './domain/client-download.ts';
import { ClientKeys } from './domain/client-key.ts';
import { Computers, type Computer } from './domain/computer.ts';
import { Events, type Connection } from './domain/event.ts';
import { PrintJobs } from './domain/print-job.ts';
import { Printers } from './domain/printer.ts';
import type { Revision } from './domain/revision.ts';
import { Scales } from './domain/scale.ts';
import { Secrets } from './domain/secrets.ts';
import { Webhooks } from './domain/webhook.ts';
import type { IdempotencyKeys } from './gate/idempotency.ts';
import { ReplyCache } from './routes/reply-cache.ts';
import { ScaleFeed } from './scale-feed.ts';
import type { ServiceObserver } from './service-observer.ts';
import type { ServiceRules } from './service-rules.ts';
import type { Database } from './store/database.ts';
import { Records } from './store/records.ts';

export interface ServiceStateOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: ServiceRules;
  readonly choices: ServiceChoices;
  /** Whether webhooks may lead to loopback, private and link-local addresses. */
  readonly forbidPrivateAddresses: boolean;
  readonly observer?: ServiceObserver | undefined;
}

export class ServiceState {
  readonly clock: Clock;
  readonly rules: ServiceRules;
  readonly choices: ServiceChoices;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly accounts: Accounts;
  /** Moves on with every change of a computer or printer. */
  readonly deviceRevision: Revision = { value: 0 };
  readonly deviceLists = new ReplyCache();
  readonly clientKeys: ClientKeys;
  readonly clientDownloads: ClientDownloads;
  readonly computers: Computers;
  readonly printers: Printers;
  readonly scales: Scales;
  readonly scaleFeed: ScaleFeed;
  readonly jobs: PrintJobs;
  readonly queue: JobQueue;
  readonly gateway: DeviceGateway;
  readonly expiryWatch: ExpiryWatch;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly webhooks: Webhooks;
  readonly dispatcher: WebhookDispatcher;
  readonly events: Events;
  readonly #observer: ServiceObserver | undefined;
  /** Live connections of a computer, oldest first. */
  readonly #connections = new Map<number, readonly Connection[]>();

  constructor(options: ServiceStateOptions) {
    const { database, clock, random, rules, choices, forbidPrivateAddresses, observer } = options;
    this.#observer = observer;
    this.clock = clock;
    this.rules = rules;
    this.choices = choices;
    this.database = database;
    // What is drawn repeats with the seed, but not with a restart on the same data file: a key that was deleted
    // would come back as somebody else's, and an event would bear the id of another one.
    const start = new Records(database, 'start').nextId();
    this.secrets = new Secrets(random.stream(`secrets of start ${start}`));
    this.accounts = new Accounts(database);
    this.clientKeys = new ClientKeys(database);
    this.clientDownloads = new ClientDownloads(database);
    this.computers = new Computers(database, this.deviceRevision);
    this.printers = new Printers(database, this.deviceRevision, (id) => this.computers.byId(id));
    this.scales = new Scales({ clock, isRetained: rules.isReadingRetained });
    this.scaleFeed = new ScaleFeed({
      clock,
      accounts: this.accounts,
      computers: this.computers,
      scales: this.scales,
      connectionsOf: (computerId) => this.#connections.get(computerId) ?? [],
    });
    this.idempotencyKeys = rules.idempotencyKeys(database);
    this.webhooks = new Webhooks(database, rules.decayingCounts);
    this.dispatcher = new WebhookDispatcher({
      clock,
      database,
      webhooks: this.webhooks,
      sender: rules.webhookSender({ clock, forbidPrivateAddresses }),
      dueMs: rules.dueMs,
      mayTryAgain: rules.mayTryAgain,
      onRequest: observer && ((delivery) => observer.delivered(delivery)),
    });
    this.events = new Events({
      accounts: this.accounts,
      webhooks: this.webhooks,
      dispatcher: this.dispatcher,
      random: random.stream(`events of start ${start}`),
      now: () => clock.now(),
      integratorHearsChildren: choices.integratorHearsChildren,
    });
    this.jobs = new PrintJobs({
      database,
      accounts: this.accounts,
      printers: this.printers,
      now: () => clock.now(),
      expiryMs: rules.expiryMs,
      cancelledState: choices.cancelledState,
      onSubmitted:
        observer && ((job, content) => database.afterCommit(() => observer.submitted(job, content))),
      onState: (job, state) => {
        this.events.printJobState(job, state);
        if (observer) database.afterCommit(() => observer.jobState(job, state));
      },
    });
    this.queue = new JobQueue(this.jobs, database);
    this.gateway = new DeviceGateway({
      clock,
      database,
      computers: this.computers,
      printers: this.printers,
      scales: this.scales,
      jobs: this.jobs,
      queue: this.queue,
      random: random.stream(`connections of start ${start}`),
      onConnect: (computer, connection) => this.#connected(computer, connection),
      onDisconnect: (computer, connection) => this.#disconnected(computer, connection),
    });
    this.expiryWatch = new ExpiryWatch(clock, {
      nextExpiryMs: () => this.jobs.table.nextExpiryMs(),
      expire: () => database.write(() => this.jobs.expire()),
    });
  }

  /**
   * Deletes a computer with its printers. Choice: what waits for them is cancelled, its history stays.
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

  /** The account that a client may connect for: known by one of its API keys, or by a client key. */
  accountForLink(key: string): Account | undefined {
    return this.accounts.byKey(key) ?? this.accounts.byId(this.clientKeys.byKey(key)?.accountId ?? 0);
  }

  /** Suspends an account or lets it be active again; its clients are sent away, what waits for them waits. */
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

  /** Ends all connections and timers. What is stored stays as it is. */
  stop(): void {
    this.expiryWatch.stop();
    this.scaleFeed.close();
    this.scales.close();
    this.gateway.close();
    this.dispatcher.close();
  }

  #expelAccount(account: Account, reason: string): void {
    this.gateway.expel((identity) => identity.account === account, reason);
  }

  #connected(computer: Computer, connection: Connection): void {
    this.#changeConnections(computer, [...this.#liveOf(computer), connection], connection, false);
  }

  #disconnected(computer: Computer, connection: Connection): void {
    const left = this.#liveOf(computer).filter((live) => live !== connection);
    this.#changeConnections(computer, left, connection, true);
  }

  #liveOf(computer: Computer): readonly Connection[] {
    return this.#connections.get(computer.id) ?? [];
  }

  #changeConnections(
    computer: Computer,
    live: readonly Connection[],
    connection: Connection,
    hasEnded: boolean,
  ): void {
    if (live.length > 0) this.#connections.set(computer.id, live);
    else this.#connections.delete(computer.id);
    this.scaleFeed.connectionsChanged(computer, live);
    if (!this.computers.byId(computer.id)) return;
    computer.isConnected = live.length > 0;
    this.#observer?.connection({ ...computer }, this.clock.now());
    this.database.write(() => {
      this.computers.changed(computer);
      this.events.computerState(computer, live, connection, hasEnded);
    });
  }
}
