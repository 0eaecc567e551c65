/**
 * Runs one shard of a plan, in this process.
 *
 *   prepare ─► Ready ── load ─► Loaded ── drain ─► Drained ── result
 *      │         │                │                  └ the record, once everything is removed
 *      │         │                └ ambiguous submissions settled, jobs and events awaited
 *      │         └ at an agreed instant: traffic, behaviours, chaos events, a look every second
 *      └ calibration, accounts, room, webhooks
 *
 * Whatever ends it early (an interruption, a rule of the scenario, an error), what it made on the target is removed.
 */

import { once } from 'node:events';
import { cpus } from 'node:os';

import { ActionableError } from '../../common/actionable-error.ts';
import { sleep, systemClock } from '../../common/clock.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import { packageVersion } from '../../common/package-version.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import { WebhookAccount } from '../../oracle/webhook-account.ts';
import type { FloorRecord, LoadRecord, SettlementRecord, WebhookTotals } from '../../record/load-record.ts';
import { LEDGER_CLASSES } from '../../record/words.ts';
import { ServiceClient } from '../../target/service-client.ts';
import { isLocal } from '../../target/target.ts';
import { calibrate } from '../calibration/calibrate.ts';
import { submissionsByShard } from '../plan/fleet-plan.ts';
import { accountsOf, type LoadPlan, type Shard } from '../plan/load-plan.ts';
import type { KillableService } from '../room/chaos.ts';
import { EMPTY_ROOM, openLoadRoom, type LoadRoom } from '../room/load-room.ts';
import { assignPrinters } from '../room/printer-ids.ts';
import { AttemptLog } from '../traffic/attempt-log.ts';
import { openDocumentHost } from '../traffic/document-host.ts';
import { prepareDocuments } from '../traffic/documents.ts';
import { LoadAccounts } from '../traffic/load-accounts.ts';
import { RequestSender, type LoadJobs } from '../traffic/request-sender.ts';
import { settleAmbiguous } from '../traffic/settle.ts';
import { Submissions } from '../traffic/submissions.ts';
import { Traffic } from '../traffic/traffic.ts';
import { judgeLoad } from '../verdict/judge-load.ts';
import { NO_RECEIVERS, openWebhookReceivers, type WebhookReceivers } from '../webhooks/webhook-receivers.ts';
import { ShardMonitor, type ShardProgress } from './shard-monitor.ts';

export interface ShardTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Needed where the plan has computers. */
  readonly link: DeviceLink | undefined;
  /** Name under which the service reaches this machine, for webhooks. */
  readonly callbackHost?: string | undefined;
  /** Fault rules of the computers of the room. */
  readonly faults?: FaultPlan | undefined;
  /** A service that this process may kill. */
  readonly service?: KillableService | undefined;
}

export interface ShardOptions {
  readonly plan: LoadPlan;
  readonly shard: Shard;
  readonly runId: string;
  readonly target: ShardTarget;
  readonly calibrates: boolean;
  /** Called when the shard is ready; resolves with the instant of the start, on the scale of machineMicroseconds. */
  readonly go: () => Promise<number>;
  /** Ends the run in order: no more arrivals, then the drain. */
  readonly stop: AbortSignal;
  /** Ends it at once: no drain. */
  readonly halt: AbortSignal;
  readonly onProgress?: ((progress: ShardProgress) => void) | undefined;
}

export interface ShardResult {
  readonly record: LoadRecord;
  /** The ledger as bytes, to be joined with those of other shards. */
  readonly ledger: Uint8Array;
}

const DRAIN_LOOK_MS = 50;
const SAMPLES_OF_A_CLASS = 20;
/** Far longer than batches and busy moments explain. */
const LATE_AFTER_US = 15e6;

/** @throws ActionableError when it could not be prepared */
export async function runShard(options: ShardOptions): Promise<ShardResult> {
  const { plan, shard, stop, halt, onProgress } = options;
  const monitor = new ShardMonitor({ plan, shard: shard.index, signals: [stop, halt], onProgress });
  const closers: Closer[] = [() => Promise.resolve(monitor.close())];
  let drained: Drained;
  try {
    const ready = await prepare(options, monitor, closers);
    const loaded = await ready.load();
    drained = await loaded.drain();
  } finally {
    monitor.enter('clearing up');
    // One that fails must not keep the others from being removed.
    for (const close of closers.toReversed()) await close().catch(() => undefined);
  }
  return drained.result();
}

type Closer = () => Promise<unknown>;

/** What a shard works with from its start to its end. */
interface ShardParts {
  readonly options: ShardOptions;
  readonly monitor: ShardMonitor;
  readonly client: ServiceClient;
  readonly floor: FloorRecord | null;
  readonly accounts: LoadAccounts;
  readonly jobs: LoadJobs;
  readonly room: LoadRoom;
  readonly receivers: WebhookReceivers;
  readonly sender: RequestSender;
  readonly log: AttemptLog;
  readonly traffic: Traffic;
}

/** @param closers - grows by what removes each thing that is made, even when a later one fails */
async function prepare(options: ShardOptions, monitor: ShardMonitor, closers: Closer[]): Promise<Ready> {
  const { plan, shard, target, runId } = options;
  const { scenario } = plan;
  const { baseUrl, apiKey } = target;
  const { ledger, sinceStartUs, ending } = monitor;
  if (scenario.webhooks) ensureReachable(target);
  const documents = await prepareDocuments(scenario.documents);
  if (options.calibrates) monitor.enter('calibrating');
  const floor = options.calibrates ? await calibrate(plan, shard, documents, ending) : null;
  monitor.enter('connecting');
  const client = new ServiceClient({ baseUrl, apiKey, limitMs: scenario.timeoutMs, isPatient: true });
  closers.push(() => client.close());
  const host = await openDocumentHost(documents);
  closers.push(() => host.close());
  const jobs: LoadJobs = {
    ledger,
    submissions: new Submissions(plan, shard, documents, (document) => host.uriOf(document)),
    keyOf: (row) => `${runId}-${shard.index}-${row}`,
    ambiguous: [],
  };
  const numbers = accountsOf(plan, shard);
  const accounts = await LoadAccounts.open({ client, apiKey, numbers, count: scenario.accounts, runId });
  closers.push(() => accounts.remove());
  const shared = { plan, accounts: accounts.byNumber, ledger, sinceStartUs };
  const webhooks = scenario.webhooks ? new WebhookAccount({ lateAfterUs: LATE_AFTER_US }) : undefined;
  const { link, faults, service, callbackHost } = target;
  const hasRoom = plan.room.computerCount > 0 && link !== undefined;
  const room = hasRoom
    ? await openLoadRoom({
        ...shared,
        shard,
        serviceUrl: baseUrl,
        documents,
        link,
        webhooks,
        faults,
        service,
        signal: ending,
      })
    : EMPTY_ROOM;
  closers.push(() => room.close());
  if (hasRoom) await assignPrinters(client, accounts.byNumber, room.printers);
  const receivers = webhooks
    ? await openWebhookReceivers({ ...shared, client, callbackHost, webhooks })
    : NO_RECEIVERS;
  closers.push(() => receivers.close());
  const log: AttemptLog = new AttemptLog(monitor.recorder, scenario.timeoutMs, (arrival, wasShed) =>
    traffic.over(arrival, wasShed),
  );
  const sender = new RequestSender({
    baseUrl,
    accounts: accounts.byNumber,
    sources: scenario.sources,
    timeoutMs: scenario.timeoutMs,
    mostInFlight: scenario.caps.inFlight,
    mostConnections: scenario.caps.connections,
    sinceStartUs,
    listener: log,
    jobs,
  });
  closers.push(() => sender.close());
  const traffic = new Traffic(plan, shard, sender);
  monitor.gauges = () => ({ connected: room.connected, inFlight: sender.inFlight });
  return new Ready({
    options,
    monitor,
    client,
    floor,
    accounts,
    jobs,
    room,
    receivers,
    sender,
    log,
    traffic,
  });
}

/** Everything is made and connected; no traffic yet. */
class Ready {
  readonly #parts: ShardParts;

  constructor(parts: ShardParts) {
    this.#parts = parts;
  }

  /** Plays the traffic, from the agreed instant until the last answer. */
  async load(): Promise<Loaded> {
    const { options, monitor, room, sender, traffic } = this.#parts;
    const { go, halt } = options;
    const startUs = await Promise.race([go(), abortOf(halt)]);
    // Undefined when it was halted before the start.
    if (startUs !== undefined) {
      monitor.start(startUs);
      const living = room.live(monitor.ending);
      // A rejection is handled where it is awaited, after the traffic.
      living.catch(() => undefined);
      await traffic.run(monitor.ending);
      if (halt.aborted) await sender.close();
      await sender.quiet();
      await living;
    }
    return new Loaded(this.#parts);
  }
}

/** All traffic was sent and answered, or given up. */
class Loaded {
  readonly #parts: ShardParts;

  constructor(parts: ShardParts) {
    this.#parts = parts;
  }

  /** Waits until every job and event has come to its end, or the time of the drain is over. */
  async drain(): Promise<Drained> {
    const { options, monitor, client, accounts, jobs, room, receivers } = this.#parts;
    const { ledger, sinceStartUs } = monitor;
    const { halt } = options;
    monitor.drain();
    room.drain();
    const untilUs = sinceStartUs() + options.plan.scenario.drainMs * 1_000;
    const settlement = await settleAmbiguous({
      client,
      jobs,
      accounts: accounts.byNumber,
      sinceStartUs,
      untilUs,
      signal: halt,
    });
    const underWay = Array.from({ length: ledger.rows }, (_, row) => row).filter((row) =>
      ledger.isUnderWay(row),
    );
    const isSettled = (): boolean =>
      !underWay.some((row) => ledger.isUnderWay(row)) && room.isBack && receivers.isSettled();
    while (!halt.aborted && sinceStartUs() < untilUs && !isSettled()) {
      await sleep(systemClock, DRAIN_LOOK_MS, halt).catch(() => undefined);
    }
    monitor.finish();
    ledger.drained();
    return new Drained(this.#parts, settlement, await receivers.reconcile());
  }
}

/** Nothing more is awaited. */
class Drained {
  readonly #parts: ShardParts;
  readonly #settlement: SettlementRecord;
  readonly #webhooks: WebhookTotals | null;

  constructor(parts: ShardParts, settlement: SettlementRecord, webhooks: WebhookTotals | null) {
    this.#parts = parts;
    this.#settlement = settlement;
    this.#webhooks = webhooks;
  }

  /** To be asked for once everything is removed: it says what is left. */
  result(): ShardResult {
    const { options, monitor, floor, accounts, room, log } = this.#parts;
    const { plan, shard, target, runId, stop, halt } = options;
    const { ledger, abortedBy } = monitor;
    const { lateness, ...recording } = monitor.recorder.toRecording();
    const wasInterrupted = stop.aborted || halt.aborted;
    const record = judgeLoad({
      tool: 'platen',
      recordVersion: 1,
      platenVersion: packageVersion(),
      kind: 'load',
      runId,
      startedAt: monitor.startedAt,
      durationMs: monitor.elapsedMs(),
      plan: planFacts(plan, shard),
      ending: abortedBy !== null ? 'aborted' : wasInterrupted ? 'interrupted' : 'complete',
      abortedBy,
      target: { name: target.name, baseUrl: target.baseUrl },
      machine: { cpus: cpus().length, node: process.version, platform: process.platform },
      ...recording,
      ledger: {
        totals: ledger.totals(),
        samples: LEDGER_CLASSES.flatMap((name) => ledger.sample(name, SAMPLES_OF_A_CLASS)),
      },
      webhooks: this.#webhooks,
      disasters: room.disasters,
      responses: { judged: log.watch.judged, broken: log.watch.broken },
      settlement: this.#settlement,
      leaks: { accounts: accounts.left },
      self: { lateness, ...monitor.self(), floor },
    });
    return { record, ledger: ledger.toBytes() };
  }
}

function planFacts(plan: LoadPlan, shard: Shard): LoadRecord['plan'] {
  const { scenario, hash, seed } = plan;
  const { title, why, thresholds, workerLosses: declared } = scenario;
  const facts = { hash, seed, title, why, shards: shard.count, present: [shard.index], thresholds };
  if (declared.length === 0) return facts;
  return { ...facts, losses: { declared, submissions: submissionsByShard(plan, shard.count) } };
}

/** @throws ActionableError when a service on another machine could not deliver webhooks here */
function ensureReachable({ baseUrl, callbackHost }: ShardTarget): void {
  if (isLocal(baseUrl) || callbackHost !== undefined) return;
  throw new ActionableError(
    'usage',
    `the scenario has webhooks, and ${baseUrl} cannot reach 127.0.0.1 of this machine`,
    'Name this machine as the service reaches it: --callback-host NAME.',
  );
}

function abortOf(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return once(signal, 'abort').then(() => undefined);
}
