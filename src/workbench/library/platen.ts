/**
 * Platen: a workbench as an object for programs and tests. The same one over a workbench in this process (start)
 * and over one elsewhere (connect): everything it does goes through the control API.
 */

import { usageError } from '../../common/actionable-error.ts';
import { givenObject } from '../../common/given-object.ts';
import type { RoomFaultRule } from '../../devices/room-faults.ts';
import type {
  AccountPrinterView,
  AccountView,
  DeliveryEntry,
  DeliveryList,
  FaultView,
  NewAccountView,
  NewRoomComputer,
  RoomComputersView,
  RoomView,
  TrafficEntry,
  TrafficList,
} from '../../record/control-types.ts';
import type { ControlClient } from '../control/control-client.ts';
import type { PlatenIdentity } from './platen-identity.ts';
import { receiveWebhooks, type WebhookInbox } from './webhook-inbox.ts';
import { WorkbenchClock } from './workbench-clock.ts';
import {
  WorkbenchComputer,
  WorkbenchPrinter,
  WorkbenchScale,
  type NamedRoom,
  type NewPrinter,
  type NewScale,
} from './workbench-devices.ts';
import { printDocument, type PrintableFile, type PrintRequest } from './print.ts';
import { WorkbenchJobs, type Job } from './workbench-jobs.ts';
import { WorkbenchPrintouts } from './workbench-printouts.ts';

export interface NewComputer extends NewRoomComputer {
  readonly printers?: NewPrinter[];
  readonly scales?: NewScale[];
}

/** A workbench, or an isolated account of one. `await using` ends it. */
export class Platen implements AsyncDisposable {
  /** Base address of the service. */
  readonly url: string;
  readonly apiKey: string;
  readonly accountId: number;
  /** The print jobs of the account. */
  readonly jobs: WorkbenchJobs;
  /** What operating systems and programs printed on its printers, past the service. */
  readonly printouts: WorkbenchPrintouts;
  readonly clock: WorkbenchClock;
  readonly faults: WorkbenchFaults;
  readonly webhooks: WorkbenchWebhooks;
  readonly accounts: WorkbenchAccounts;
  readonly #control: ControlClient;
  readonly #whole: ControlClient | undefined;
  readonly #close: () => Promise<void>;
  #closing: Promise<void> | undefined;

  /** @param close - ends what was begun for this object */
  constructor(identity: PlatenIdentity, toWorkbench: ControlClient, close: () => Promise<void>) {
    const control = toWorkbench.while(() => this.ensureOpen());
    const { url, apiKey, accountId, isVirtual, isMain } = identity;
    this.url = url;
    this.apiKey = apiKey;
    this.accountId = accountId;
    this.#control = control.of(accountId);
    this.#whole = isMain ? control : undefined;
    this.#close = close;
    this.jobs = new WorkbenchJobs(this.#control);
    this.printouts = new WorkbenchPrintouts(this.#control);
    this.clock = new WorkbenchClock(control.unscoped, isVirtual);
    this.faults = new WorkbenchFaults(this.#control);
    this.webhooks = new WorkbenchWebhooks(identity, this.clock, () => this.ensureOpen());
    this.accounts = new WorkbenchAccounts(identity, control.unscoped);
  }

  /** A printer of the room by its name; of one computer where that is named. Looked for when it is used. */
  printer(name: string, computer?: string): WorkbenchPrinter {
    return new WorkbenchPrinter(this.#control, name, computer);
  }

  /** A scale of the room by its device name; of one computer where that is named. */
  scale(deviceName: string, computer?: string): WorkbenchScale {
    return new WorkbenchScale(this.#control, this.clock, deviceName, computer);
  }

  computer(name: string): WorkbenchComputer {
    return new WorkbenchComputer(this.#control, this.clock, name);
  }

  /**
   * Submits a document as an app would, and waits until its sheets are out. Time passes on the clock of the workbench.
   *
   * @param document - name of one that ships (`invoice`), path of a file, or bytes
   * @throws PrintFailed when the job ends as anything but done, or not all of it comes out in time
   */
  print(document: PrintableFile | Uint8Array, request: PrintRequest = {}): Promise<Job> {
    return printDocument(this, document, request);
  }

  /** Adds a computer to the room and connects it. */
  async addComputer(description: NewComputer): Promise<WorkbenchComputer> {
    await this.#control.post<RoomComputersView>('/room/computers', description);
    return this.computer(description.name);
  }

  /** Computers with printers and scales, and the profiles there are. */
  room(): Promise<RoomView> {
    return this.#control.get('/room');
  }

  /** The printers of the account as the service knows them, by id. */
  printers(): Promise<AccountPrinterView[]> {
    return this.#control.get('/printers');
  }

  /** The newest requests of the account to the service, oldest first. */
  async requests(): Promise<readonly TrafficEntry[]> {
    return (await this.#control.get<TrafficList>('/requests')).entries;
  }

  /** The newest requests to webhooks of the account, oldest first. */
  async deliveries(): Promise<readonly DeliveryEntry[]> {
    return (await this.#control.get<DeliveryList>('/deliveries')).entries;
  }

  /**
   * Back to the seed: all accounts and the room as they were at the start, and nothing else. For an isolated
   * account, that one alone.
   */
  async reset(): Promise<void> {
    await (this.#whole ?? this.#control).post('/reset');
  }

  /** Ends the workbench of `start`, the account of `accounts.create`, or the connection of `connect`. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** @throws ActionableError once it is closed */
  protected ensureOpen(): void {
    if (this.#closing === undefined) return;
    const what = this.#whole ? 'the workbench' : `account ${this.accountId} of the workbench`;
    throw usageError(
      `${what} is closed`,
      'Use it before `close()`, and within the block of `await using`. A call that was not awaited ends like this as well: write `await` before it.',
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** What is to go wrong in the room. */
export class WorkbenchFaults {
  readonly #control: ControlClient;

  constructor(control: ControlClient) {
    this.#control = control;
  }

  list(): Promise<FaultView[]> {
    return this.#control.get('/faults');
  }

  /** Puts a rule in force and returns its id. */
  async add(rule: RoomFaultRule): Promise<string> {
    return (await this.#control.post<{ readonly id: string }>('/faults', rule)).id;
  }

  /** Takes a rule out of force; a printer that has the fault is repaired. */
  async remove(id: string): Promise<void> {
    await this.#control.delete(`/faults/${encodeURIComponent(id)}`);
  }

  async clear(): Promise<void> {
    await this.#control.delete('/faults');
  }
}

export class WorkbenchWebhooks {
  readonly #identity: PlatenIdentity;
  readonly #clock: WorkbenchClock;
  readonly #ensureOpen: () => void;

  constructor(identity: PlatenIdentity, clock: WorkbenchClock, ensureOpen: () => void) {
    this.#identity = identity;
    this.#clock = clock;
    this.#ensureOpen = ensureOpen;
  }

  /**
   * Starts a receiver on this machine and registers it as a webhook of the account; `await using` removes both.
   *
   * @param messages - types of events; all by default
   */
  async receive(messages: readonly string[] = ['*']): Promise<WebhookInbox> {
    this.#ensureOpen();
    return receiveWebhooks(this.#identity, this.#clock, messages);
  }
}

export class WorkbenchAccounts {
  readonly #identity: PlatenIdentity;
  readonly #control: ControlClient;

  constructor(identity: PlatenIdentity, control: ControlClient) {
    this.#identity = identity;
    this.#control = control;
  }

  list(): Promise<AccountView[]> {
    return this.#control.get('/accounts');
  }

  /** Makes an account with a room and faults of its own; it shares the clock alone. `close` deletes it. */
  async create(options: { readonly room?: NamedRoom } = {}): Promise<Platen> {
    const { room = 'default' } = givenObject('the argument of accounts.create', "{ room: 'default' }", options);
    const { id, apiKey } = await this.#control.post<NewAccountView>('/accounts', { room });
    const close = async (): Promise<void> => {
      await this.#control.delete(`/accounts/${id}`);
    };
    const identity = { ...this.#identity, apiKey, accountId: id, isMain: false };
    return new Platen(identity, this.#control, close);
  }
}
