/**
 * Load room: the computers of a shard at work, with their ledger, behaviours and chaos events.
 */

import { isObject } from '../../common/json-value.ts';
import { systemClock } from '../../common/clock.ts';
import { createRandom } from '../../common/random.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import { SHIPPED_PROFILES } from '../../devices/profiles.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import { submittedJob } from '../../link/submitted-job.ts';
import type { Ledger } from '../../oracle/ledger.ts';
import type { WebhookAccount } from '../../oracle/webhook-account.ts';
import type { ChaosEventRecord } from '../../record/load-record.ts';
import { drawSeed } from '../plan/draws.ts';
import { accountsOf, type LoadPlan, type Shard } from '../plan/load-plan.ts';
import { checkOpenFiles } from '../plan/open-files.ts';
import type { PreparedDocument } from '../traffic/documents.ts';
import type { LoadAccount } from '../traffic/load-account.ts';
import { sourceAddresses } from '../plan/source-addresses.ts';
import { ChaosPlayer, type KillableService } from './chaos.ts';
import { Fleet, type FleetComputer } from './fleet.ts';
import { jobMarks } from '../plan/job-mark.ts';
import { RoomLedger, type RoomLedgerOptions } from './room-ledger.ts';
import type { RoomPrinter } from './printer-ids.ts';

export interface LoadRoomOptions {
  readonly plan: LoadPlan;
  readonly shard: Shard;
  readonly serviceUrl: string;
  readonly link: DeviceLink;
  /** Those of the shard, by their number in the plan. */
  readonly accounts: ReadonlyMap<number, LoadAccount>;
  readonly documents: readonly PreparedDocument[];
  readonly ledger: Ledger;
  /** Which webhook events are due: the room reports what causes them. */
  readonly webhooks: WebhookAccount | undefined;
  /** Fault rules of the computers. */
  readonly faults: FaultPlan | undefined;
  /** The service, where this process may kill it. */
  readonly service: KillableService | undefined;
  /** Microseconds since the start of the run; negative before it. */
  readonly sinceStartUs: () => number;
  readonly signal: AbortSignal;
}

export interface LoadRoom {
  readonly printers: readonly RoomPrinter[];
  /** Computers that are connected now. */
  readonly connected: number;
  /** Plays behaviours and chaos events; resolves when every chaos event has happened. */
  live(signal: AbortSignal): Promise<void>;
  /** The chaos events so far. */
  readonly disasters: readonly ChaosEventRecord[];
  /** Whether it has recovered from all of them. */
  readonly isBack: boolean;
  /** The service has accepted a job of this run. @param body - of its submission */
  accepted(row: number, jobId: number, body: () => Buffer): void;
  /** Ends behaviours and repairs the printers, so that waiting jobs come out. */
  drain(): void;
  close(): Promise<void>;
}

/** How long after the ramp the last computer may take to connect. */
const LAST_CONNECTED_MS = 60_000;
/** A client program with its print system takes this long to start where two start at the same time. */
const A_PROGRAM_MS = 10_000;

/** Connects the computers of the shard's accounts. @throws ActionableError when they cannot be connected */
export async function openLoadRoom(options: LoadRoomOptions): Promise<LoadRoom> {
  const { plan, shard, link } = options;
  const { caps, connectRate } = plan.scenario;
  const computers = [...fleetComputers(plan, shard)];
  checkOpenFiles(computers.length + caps.connections);
  const observer: RoomLedger = observerOf(options, (printer) => fleet.printer(printer)?.number);
  const fleet = fleetOf(options, computers, observer);
  try {
    await fleet.connect({
      ratePerSecond: connectRate,
      ofAll: plan.room.computerCount,
      limitMs: LAST_CONNECTED_MS + (link.program ? computers.length * A_PROGRAM_MS : 0),
      signal: options.signal,
    });
  } catch (error) {
    await fleet.close();
    throw error;
  }
  return new ConnectedRoom(options, fleet, observer);
}

function observerOf(
  { plan, shard, ledger, documents, sinceStartUs, webhooks }: LoadRoomOptions,
  printerNumber: RoomLedgerOptions['printerNumber'],
): RoomLedger {
  return new RoomLedger({
    ledger,
    marks: jobMarks(plan.hash, shard),
    printerNumber,
    expected: (row) => ({ sha256: documents[ledger.documentOf(row)]?.sha256 ?? '', options: {} }),
    nowUs: sinceStartUs,
    webhooks,
  });
}

function fleetOf(
  { plan, link, serviceUrl, accounts, faults }: LoadRoomOptions,
  computers: readonly FleetComputer[],
  observer: RoomLedger,
): Fleet {
  const { timeScale, longestBackoffMs, sources, profiles } = plan.scenario;
  return new Fleet(computers, {
    clock: systemClock,
    random: createRandom(plan.seed).stream('room'),
    link,
    serviceUrl,
    timeScale,
    longestBackoffMs,
    credentialOf: (account) => ({ kind: 'api-key', key: accounts.get(account)?.apiKey ?? '' }),
    profiles: { ...SHIPPED_PROFILES, printer: (name) => profiles[name] ?? SHIPPED_PROFILES.printer(name) },
    sources: sourceAddresses(plan.room.computerCount, serviceUrl, sources),
    observer,
    faults,
  });
}

class ConnectedRoom implements LoadRoom {
  readonly printers: readonly RoomPrinter[];
  readonly #options: LoadRoomOptions;
  readonly #fleet: Fleet;
  readonly #observer: RoomLedger;
  readonly #chaos: ChaosPlayer;
  /** The documents in base64, if a client program prints them. */
  readonly #contents: readonly string[];

  constructor(options: LoadRoomOptions, fleet: Fleet, observer: RoomLedger) {
    const { plan, link, documents } = options;
    this.printers = [...printersOf(fleet)];
    this.#options = options;
    this.#fleet = fleet;
    this.#observer = observer;
    this.#chaos = new ChaosPlayer({
      ...options,
      clock: systemClock,
      drawSeed: drawSeed(plan.seed, 'disasters'),
      fleet,
    });
    this.#contents = link.program ? documents.map(({ bytes }) => bytes.toString('base64')) : [];
  }

  get connected(): number {
    return this.#fleet.connected;
  }

  get disasters(): readonly ChaosEventRecord[] {
    return this.#chaos.records;
  }

  get isBack(): boolean {
    return this.#chaos.areOver;
  }

  async live(signal: AbortSignal): Promise<void> {
    this.#fleet.live();
    await this.#chaos.run(this.#options.plan.scenario.chaos, signal);
  }

  accepted(row: number, jobId: number, body: () => Buffer): void {
    this.#observer.accepted(row, jobId);
    const { link, webhooks, ledger, documents } = this.#options;
    if (!link.program) return;
    // What its client does shows only on paper.
    for (const state of ['sent_to_client', 'done', 'error'] as const) webhooks?.mayCome(row, state);
    const document = ledger.documentOf(row);
    const job: unknown = JSON.parse(body().toString());
    if (!isObject(job)) return;
    // Also one that travels by address: it is known here.
    const contentType = `${documents[document]?.language}_base64`;
    link.program.submitted(submittedJob(jobId, { ...job, contentType, content: this.#contents[document] }));
  }

  drain(): void {
    this.#fleet.rest();
    this.#fleet.repair();
  }

  close(): Promise<void> {
    this.#chaos.close();
    return this.#fleet.close();
  }
}

/** The computers of a shard's accounts, and no others. */
export function* fleetComputers(plan: LoadPlan, shard: Shard): Iterable<FleetComputer> {
  for (const account of accountsOf(plan, shard)) {
    for (const { index, name, firstPrinter, template } of plan.room.computersOf(account)) {
      const described = plan.scenario.computers[template];
      if (!described) continue;
      const { printers, scales } = described.template;
      yield { index, account, name, firstPrinter, behaviour: described.behaviour, printers, scales };
    }
  }
}

function* printersOf(fleet: Fleet): Iterable<RoomPrinter> {
  for (const [{ account }, computer] of fleet.members()) {
    for (const printer of computer.printers) {
      const number = fleet.printer(printer)?.number;
      if (number === undefined) continue;
      yield { account, computerId: computer.id ?? 0, printerName: printer.name, printer: number };
    }
  }
}
