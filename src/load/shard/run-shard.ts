/**
 * Runs one shard of a plan, in this process.
 *
 *   prepare ─► load ─► drain ─► result
 *      │        │       │         └ the record, once everything is removed
 *      │        │       └ ambiguous submissions settled, jobs and events awaited
 *      │        └ at an agreed instant: traffic, behaviours, chaos events, a look every second
 *      └ calibration, accounts, room, webhooks
 *
 * Whatever ends it early (an interruption, a rule of the scenario, an error), what it made on the target is removed.
 */

import { once } from 'node:events';
import { cpus } from 'node:os';

import { usageError } from '../../common/actionable-error.ts';
import { sleep, systemClock } from '../../common/clock.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import { isLoopback } from '../../common/loopback.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import { WebhookAccount } from '../../oracle/webhook-account.ts';
import { headOfRun } from '../../record/head-of-run.ts';
import type { FloorRecord, LoadRecord, SettlementRecord, WebhookTotals } from '../../record/load-record.ts';
import { LEDGER_CLASSES } from '../../record/words.ts';
import { ServiceClient } from '../../targets/service-client.ts';
import { calibrate } from '../calibration/calibrate.ts';
import { submissionsByShard } from '../plan/fleet-plan.ts';
import { accountsOf, type LoadPlan, type Shard } from '../plan/load-plan.ts';
import type { KillableService } from '../room/chaos.ts';
import { openLoadRoom, type LoadRoom, type LoadRoomOptions } from '../room/load-room.ts';
import { openOutsideRoom } from '../room/outside-room.ts';
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
  /** Name under which the service reaches this machine, for webhooks; needed unless it runs on the same one. */
  readonly callbackHost?: string | undefined;
  /** Without it none of the computers of the plan connects. */
  readonly link: DeviceLink | undefined;
  /** Id or name of a printer of the account that jobs go to, where there is no link. */
  readonly usePrinter?: string | undefined;
  /** How the service spells the type of events of jobs; as the specification names it by default. */
  readonly jobMessages?: string | undefined;
  /** Fault rules of the computers of the room. */
  readonly faults?: FaultPlan | undefined;
  /** A service that this process may kill. */
  readonly service?: KillableService | undefined;
}

export interface ShardOptions {
  readonly plan: LoadPlan;
  readonly shard: Shard;
  readonly runId: string;
  readonly calibrates: boolean;
  readonly target: ShardTarget;
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
    const parts = await prepare(options, monitor, closers);
    await load(parts);
    drained = await drain(parts);
  } finally {
    monitor.enter('clearing up');
    // One that fails must not keep the others from being removed.
    for (const close of closers.toReversed()) await close().catch(() => undefined);
  }
  // Only now: the record says what could not be removed.
  return resultOf(drained);
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
async function prepare(options: ShardOptions, monitor: ShardMonitor, closers: Closer[]): Promise<ShardParts> {
  const { plan, shard, target, runId } = options;
  const { scenario } = plan;
  const { baseUrl, apiKey } = target;
  const { ledger, sinceStartUs, ending } = monitor;
  if (scenario.webhooks) ensureReachable(target);
  const documents = await prepareDocuments(scenario.documents);
  if (options.calibrates) monitor.enter('calibrating');
  const floor = options.calibrates ? await calibrate(plan, shard, documents, ending) : null;
  monitor.enter('connecting');
  const client = new ServiceClient({
    baseUrl,
    apiKey,
    limitMs: scenario.timeoutMs,
    isPatient: true,
    signal: options.stop,
  });
  closers.push(() => client.close());
  const host = await openDocumentHost(documents);
  closers.push(() => host.close());
  const numbers = accountsOf(plan, shard);
  const accounts = await LoadAccounts.open({ client, apiKey, numbers, count: scenario.accounts, runId });
  closers.push(() => accounts.remove());
  const { byNumber } = accounts;
  const webhooks = scenario.webhooks ? new WebhookAccount({ lateAfterUs: LATE_AFTER_US }) : undefined;
  const room = await roomOf(options, monitor, { client, accounts: byNumber, documents, webhooks });
  closers.push(() => room.close());
  await assignPrinters(client, byNumber, room.printers);
  const submissions = new Submissions(plan, shard, documents, (document) => host.uriOf(document));
  const jobs = jobsOf(options, { ledger, submissions, room, accounts: byNumber });
  const receivers = webhooks
    ? await openWebhookReceivers({ ...target, plan, accounts: byNumber, ledger, sinceStartUs, client, webhooks })
    : NO_RECEIVERS;
  closers.push(() => receivers.close());
  const log: AttemptLog = new AttemptLog(monitor.recorder, scenario.timeoutMs, (arrival, wasShed) =>
    traffic.over(arrival, wasShed),
  );
  const sender = new RequestSender({
    baseUrl,
    accounts: byNumber,
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
  return { options, monitor, client, floor, accounts, jobs, room, receivers, sender, log, traffic };
}

type MadeParts = Pick<LoadRoomOptions, 'accounts' | 'documents' | 'webhooks'> & Pick<ShardParts, 'client'>;

/** The room of a plan with computers, connected; none when it was interrupted meanwhile, since nothing will arrive. */
async function roomOf(
  { plan, shard, target }: ShardOptions,
  { ledger, sinceStartUs, ending: signal }: ShardMonitor,
  made: MadeParts,
): Promise<LoadRoom> {
  const { baseUrl: serviceUrl, link, faults, service, usePrinter } = target;
  const { chaos } = plan.scenario;
  const outside = { chaos, service, ledger, sinceStartUs, usePrinter, ...made };
  if (plan.room.computerCount === 0 || link === undefined) return openOutsideRoom(outside);
  const settings = { plan, shard, serviceUrl, link, faults, service, ledger, sinceStartUs, signal, ...made };
  return openLoadRoom(settings).catch((error: unknown) => {
    if (signal.aborted) return openOutsideRoom(outside);
    throw error;
  });
}

interface JobSources extends Pick<LoadJobs, 'ledger' | 'submissions'>, Pick<LoadRoomOptions, 'accounts'> {
  readonly room: LoadRoom;
}

function jobsOf({ runId, shard, target }: ShardOptions, { ledger, submissions, room, accounts }: JobSources): LoadJobs {
  return {
    ledger,
    submissions,
    keyOf: (row) => `${runId}-${shard.index}-${row}`,
    ambiguous: [],
    needsId: target.link?.program !== undefined || target.usePrinter !== undefined,
    onAccepted: ({ row, arrival }, jobId) =>
      room.accepted(row, jobId, () => {
        const { printers } = accounts.get(arrival.account) ?? {};
        return submissions.body(arrival, row, printers ?? []);
      }),
  };
}

/** Plays the traffic, from the agreed instant until the last answer. */
async function load({ options, monitor, room, sender, traffic }: ShardParts): Promise<void> {
  const { go, halt } = options;
  const startUs = await Promise.race([go(), abortOf(halt)]);
  // It was halted before the start.
  if (startUs === undefined) return;
  monitor.start(startUs);
  const living = room.live(monitor.ending);
  // A rejection is handled where it is awaited, after the traffic.
  living.catch(() => undefined);
  await traffic.run(monitor.ending);
  if (halt.aborted) await sender.close();
  await sender.quiet();
  await living;
}

/** Nothing more is awaited. */
interface Drained extends ShardParts {
  readonly settlement: SettlementRecord;
  readonly webhooks: WebhookTotals | null;
}

/** Waits until every job and event has come to its end, or the time of the drain is over. */
async function drain(parts: ShardParts): Promise<Drained> {
  const { options, monitor, client, accounts, jobs, room, receivers } = parts;
  const { ledger, sinceStartUs } = monitor;
  const { halt, plan } = options;
  monitor.drain();
  room.drain();
  const untilUs = sinceStartUs() + plan.scenario.drainMs * 1_000;
  const settlement = await settleAmbiguous({
    client,
    jobs,
    accounts: accounts.byNumber,
    sinceStartUs,
    untilUs,
    signal: halt,
  });
  const rows = Array.from({ length: ledger.rows }, (_, row) => row);
  const underWay = rows.filter((row) => ledger.isUnderWay(row));
  const isSettled = (): boolean =>
    !underWay.some((row) => ledger.isUnderWay(row)) && room.isBack && receivers.isSettled();
  while (!halt.aborted && sinceStartUs() < untilUs && !isSettled()) {
    await sleep(systemClock, DRAIN_LOOK_MS, halt).catch(() => undefined);
  }
  ledger.drained();
  monitor.finish();
  return { ...parts, settlement, webhooks: await receivers.reconcile() };
}

function resultOf(drained: Drained): ShardResult {
  const { options, monitor, floor, accounts, room, log, settlement, webhooks } = drained;
  const { watch } = log;
  return resultFrom(monitor, options, {
    floor,
    webhooks,
    disasters: room.disasters,
    responses: { judged: watch.judged, broken: watch.broken },
    settlement,
    leaks: { accounts: accounts.left },
  });
}

type SeenBeside = Pick<LoadRecord, 'webhooks' | 'disasters' | 'responses' | 'settlement' | 'leaks'> &
  Pick<LoadRecord['self'], 'floor'>;

/** What a monitor has seen, once its last second is closed, with what was seen beside it. */
export function resultFrom(
  monitor: ShardMonitor,
  {
    plan,
    shard,
    runId,
    target,
    stop,
    halt,
  }: Pick<ShardOptions, 'plan' | 'shard' | 'runId' | 'stop' | 'halt'> & Pick<LoadRecord, 'target'>,
  { floor, ...beside }: SeenBeside,
): ShardResult {
  const { ledger, abortedBy } = monitor;
  const { lateness, ...recording } = monitor.recorder.toRecording();
  const wasInterrupted = stop.aborted || halt.aborted;
  const record = judgeLoad({
    ...headOfRun('load', { runId, startedAt: monitor.startedAt, durationMs: monitor.elapsedMs() }),
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
    ...beside,
    self: { lateness, ...monitor.self(), floor },
  });
  return { record, ledger: ledger.toBytes() };
}

/** The plan that a record keeps. */
export function planFacts(plan: LoadPlan, shard: Shard): LoadRecord['plan'] {
  const { scenario, hash, seed } = plan;
  const { title, why, thresholds, workerLosses: declared, warmUpMs } = scenario;
  const warmUp = warmUpMs === undefined ? {} : { warmUpMs };
  const streams = scenario.streams.map(({ name, startMs, forMs }) => ({ name, startMs, forMs }));
  const facts = { hash, seed, title, why, shards: shard.count, present: [shard.index], ...warmUp, streams, thresholds };
  if (declared.length === 0) return facts;
  return { ...facts, losses: { declared, submissions: submissionsByShard(plan, shard.count) } };
}

/** @throws ActionableError when a service on another machine could not deliver webhooks here */
function ensureReachable({ baseUrl, callbackHost }: ShardTarget): void {
  if (isLoopback(baseUrl) || callbackHost !== undefined) return;
  throw usageError(
    `the scenario has webhooks, and ${baseUrl} cannot reach 127.0.0.1 of this machine`,
    'Name this machine as the service reaches it: --callback-host NAME.',
  );
}

function abortOf(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return once(signal, 'abort').then(() => undefined);
}
