/**
 * Runs one shard of a plan, in this process.
 *
 *   calibrate ─► accounts ─► room connects ─► webhooks ─► ready ══ go at an agreed instant
 *     ─► traffic, disasters, a look every second ─► last answers ─► ambiguous ones settled ─► drain ─► record
 *
 * Whatever ends it early (an interruption, a rule of the scenario, a failure of its own), what was made on the
 * target is removed and the record is handed over.
 */

import { once } from 'node:events';
import { cpus } from 'node:os';

import { ActionableError } from '../../common/actionable-error.ts';
import { sleep, systemClock, type Timer } from '../../common/clock.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import { packageVersion } from '../../common/package-version.ts';
import { machineMicroseconds, startStopwatch } from '../../common/stopwatch.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import { Ledger } from '../../oracle/ledger.ts';
import { WebhookAccount } from '../../oracle/webhook-account.ts';
import type {
  FloorRecord,
  LoadRecord,
  SecondRecord,
  SettlementRecord,
  WebhookTotals,
} from '../../record/load-record.ts';
import { LEDGER_CLASSES } from '../../record/words.ts';
import { isLocal } from '../../target/target.ts';
import { calibrate } from '../calibration/calibrate.ts';
import { Recorder } from '../measure/recorder.ts';
import { SelfWatch } from '../measure/self-watch.ts';
import { submissionsByShard } from '../plan/fleet-plan.ts';
import { accountsOf, type LoadPlan, type Shard } from '../plan/load-plan.ts';
import type { KillableService } from '../room/chaos.ts';
import { assignPrinters } from '../room/printer-ids.ts';
import { ControlClient } from '../traffic/control-client.ts';
import { openDocumentHost } from '../traffic/document-host.ts';
import { prepareDocuments } from '../traffic/documents.ts';
import { AttemptLog } from '../traffic/attempt-log.ts';
import { LoadAccounts } from '../traffic/load-accounts.ts';
import { RequestSender, type LoadJobs } from '../traffic/request-sender.ts';
import { settleAmbiguous } from '../traffic/settle.ts';
import { Submissions } from '../traffic/submissions.ts';
import { Traffic } from '../traffic/traffic.ts';
import { AbortWatch } from '../verdict/abort-watch.ts';
import { judgeLoad } from '../verdict/judge-load.ts';
import type { LoadRoom, ShardStage, StageParts, WebhookReceivers } from './shard-stage.ts';

/** How far a shard has come, once a second. */
export interface ShardProgress {
  readonly shard: number;
  readonly phase: 'calibrating' | 'connecting' | 'running' | 'draining' | 'clearing up';
  readonly second: SecondRecord | null;
  readonly connected: number;
  readonly inFlight: number;
  /** The rule of the scenario that came true here: all shards end. */
  readonly abortedBy: string | null;
}

export interface ShardTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Needed where the plan has computers. */
  readonly link: DeviceLink | undefined;
  /** Name under which the service reaches this machine, for webhooks. */
  readonly callbackHost?: string | undefined;
  /** What goes wrong at the computers of the room, by rules. */
  readonly faults?: FaultPlan | undefined;
  /** A service that this process may kill. */
  readonly service?: KillableService | undefined;
}

export interface ShardOptions {
  readonly plan: LoadPlan;
  readonly shard: Shard;
  readonly runId: string;
  readonly target: ShardTarget;
  readonly stage: ShardStage;
  readonly calibrates: boolean;
  /** Called when the shard is ready; gives the instant of the start, on the scale of machineMicroseconds. */
  readonly go: () => Promise<number>;
  /** Ends the run in order: no more arrivals, then the drain. */
  readonly stop: AbortSignal;
  /** Ends it at once: no drain. */
  readonly halt: AbortSignal;
  readonly onProgress?: (progress: ShardProgress) => void;
}

export interface ShardResult {
  readonly record: LoadRecord;
  /** The ledger as bytes, to be joined with those of other shards. */
  readonly ledger: Uint8Array;
}

const US_PER_SECOND = 1_000_000;
const DRAIN_LOOK_MS = 50;
/** Far enough ahead that nothing before the start counts as in the run. */
const NOT_YET_US = 3_600e6;

export async function runShard(parts: ShardOptions): Promise<ShardResult> {
  const run = new ShardRun(parts);
  try {
    await run.prepare();
    await run.load();
    await run.settleAndDrain();
  } finally {
    await run.clearUp();
  }
  return run.result();
}

class ShardRun {
  readonly #parts: ShardOptions;
  readonly #startedAt = new Date(systemClock.now()).toISOString();
  readonly #sinceBeginMs = startStopwatch();
  readonly #recorder: Recorder;
  readonly #ledger: Ledger;
  readonly #client: ControlClient;
  readonly #self = new SelfWatch();
  readonly #cpuBefore = process.cpuUsage();
  /** No more arrivals: stopped, halted or given up. */
  readonly #endingBy = new AbortController();
  readonly #abortWatch: AbortWatch;
  readonly #closers: (() => Promise<unknown>)[] = [];
  #startUs = machineMicroseconds() + NOT_YET_US;
  #phase: ShardProgress['phase'] = 'calibrating';
  #floor: FloorRecord | null = null;
  #accounts: LoadAccounts | undefined;
  #sender: RequestSender | undefined;
  #book: AttemptLog | undefined;
  #traffic: Traffic | undefined;
  #room: LoadRoom | undefined;
  #webhooks: WebhookReceivers | undefined;
  #webhookTotals: WebhookTotals | null = null;
  #jobs: LoadJobs | undefined;
  #settlement: SettlementRecord = { wereAccepted: 0, submittedAgain: 0, refused: 0, open: 0 };
  #leaked: readonly number[] = [];
  #abortedBy: string | null = null;
  #nextLook: Timer | undefined;
  #lookedAtUs = 0;
  #mostRss = 0;
  #worstDelayUs = 0;

  constructor(parts: ShardOptions) {
    this.#parts = parts;
    const { plan, target, stop, halt } = parts;
    const streams = plan.streams.map(({ name }) => name);
    this.#recorder = new Recorder({ streams, accounts: plan.scenario.accounts });
    this.#ledger = new Ledger({
      accountOfPrinter: (printer) => plan.room.accountOfPrinter(printer),
      onLeg: (leg, durationUs) => this.#recorder.leg(leg, durationUs),
    });
    this.#client = new ControlClient(target.baseUrl, plan.scenario.timeoutMs);
    this.#abortWatch = new AbortWatch(plan.scenario.abort, streams);
    // Not AbortSignal.any: whether such a signal is aborted costs microseconds, and each arrival asks.
    for (const signal of [stop, halt]) {
      if (signal.aborted) this.#endingBy.abort();
      signal.addEventListener('abort', () => this.#endingBy.abort(), { once: true });
    }
    this.#closers.push(() => this.#client.close());
  }

  get #ending(): AbortSignal {
    return this.#endingBy.signal;
  }

  readonly #sinceStartUs = (): number => machineMicroseconds() - this.#startUs;

  async prepare(): Promise<void> {
    const { plan, shard, target, runId, stage } = this.#parts;
    const { scenario } = plan;
    if (scenario.webhooks) ensureReachable(target);
    const documents = await prepareDocuments(scenario.documents);
    if (this.#parts.calibrates) {
      this.#tell(null);
      this.#floor = await calibrate(plan, shard, documents, this.#ending);
    }
    this.#phase = 'connecting';
    this.#tell(null);
    const host = await openDocumentHost(documents);
    this.#closers.push(() => host.close());
    this.#jobs = {
      ledger: this.#ledger,
      submissions: new Submissions(plan, shard, documents, (document) => host.uriOf(document)),
      keyOf: (row) => `${runId}-${shard.index}-${row}`,
      ambiguous: [],
    };
    const numbers = accountsOf(plan, shard);
    const accounts = {
      client: this.#client,
      apiKey: target.apiKey,
      numbers,
      count: scenario.accounts,
      runId,
    };
    this.#accounts = await LoadAccounts.open(accounts);
    const stageParts: StageParts = {
      plan,
      shard,
      serviceUrl: target.baseUrl,
      accounts: this.#accounts.byNumber,
      documents,
      ledger: this.#ledger,
      recorder: this.#recorder,
      sinceStartUs: this.#sinceStartUs,
      signal: this.#ending,
    };
    const webhooks = scenario.webhooks ? new WebhookAccount({ lateAfterUs: LATE_AFTER_US }) : undefined;
    if (plan.room.computerCount > 0 && target.link !== undefined) {
      const { link, faults, service } = target;
      this.#room = await stage.openRoom({ ...stageParts, link, webhooks, faults, service });
      await assignPrinters(this.#client, this.#accounts.byNumber, this.#room.printers);
    }
    if (webhooks) {
      const { callbackHost } = target;
      this.#webhooks = await stage.openWebhooks({
        ...stageParts,
        client: this.#client,
        callbackHost,
        webhooks,
      });
    }
    this.#openSender(this.#jobs);
  }

  #openSender(jobs: LoadJobs): void {
    const { plan, shard, target } = this.#parts;
    const { scenario } = plan;
    this.#book = new AttemptLog(this.#recorder, scenario.timeoutMs, (arrival, wasShed) =>
      this.#traffic?.over(arrival, wasShed),
    );
    this.#sender = new RequestSender({
      baseUrl: target.baseUrl,
      accounts: this.#accounts?.byNumber ?? new Map(),
      sources: scenario.sources,
      timeoutMs: scenario.timeoutMs,
      mostInFlight: scenario.caps.inFlight,
      mostConnections: scenario.caps.connections,
      sinceStartUs: this.#sinceStartUs,
      listener: this.#book,
      jobs,
    });
    this.#traffic = new Traffic(plan, shard, this.#sender);
  }

  async load(): Promise<void> {
    const { go, halt } = this.#parts;
    const startUs = await Promise.race([go(), abortOf(halt)]);
    // Halted while it waited: nobody says go any more.
    if (startUs === undefined) return;
    this.#startUs = startUs;
    this.#self.sample();
    this.#phase = 'running';
    this.#lookAtTheEndOf(0);
    const living = this.#room?.live(this.#ending);
    // Told where it is awaited, after the traffic.
    living?.catch(() => undefined);
    await this.#traffic?.run(this.#ending);
    if (this.#parts.halt.aborted) await this.#sender?.close();
    await this.#sender?.quiet();
    await living;
  }

  /** Waits until every job and event has come to its end, or its time is over. */
  async settleAndDrain(): Promise<void> {
    const { plan, halt } = this.#parts;
    this.#phase = 'draining';
    this.#room?.drain();
    const untilUs = this.#sinceStartUs() + plan.scenario.drainMs * 1_000;
    if (this.#jobs && this.#accounts) {
      this.#settlement = await settleAmbiguous({
        client: this.#client,
        jobs: this.#jobs,
        accounts: this.#accounts.byNumber,
        sinceStartUs: this.#sinceStartUs,
        untilUs,
        signal: halt,
      });
    }
    const left = this.#rowsUnderWay();
    while (!halt.aborted && this.#sinceStartUs() < untilUs && !this.#isSettled(left)) {
      await sleep(systemClock, DRAIN_LOOK_MS, halt).catch(() => undefined);
    }
    this.#nextLook?.cancel();
    this.#look(this.#lookedAtUs + US_PER_SECOND);
    this.#ledger.drained();
    this.#webhookTotals = (await this.#webhooks?.reconcile()) ?? null;
  }

  async clearUp(): Promise<void> {
    this.#phase = 'clearing up';
    this.#tell(null);
    this.#nextLook?.cancel();
    await this.#sender?.close();
    // One that fails must not keep the others from being removed.
    await this.#webhooks?.close().catch(() => undefined);
    await this.#room?.close().catch(() => undefined);
    this.#leaked = (await this.#accounts?.remove()) ?? [];
    for (const close of this.#closers.toReversed()) await close().catch(() => undefined);
    this.#self.close();
  }

  result(): ShardResult {
    const { plan, shard, target, runId, stop, halt } = this.#parts;
    const { scenario, hash, seed } = plan;
    const { streams, legs, series, lateness, fairness } = this.#recorder.toRecording();
    const watch = this.#book?.watch;
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    const durationMs = this.#sinceBeginMs();
    const record = judgeLoad({
      tool: 'platen',
      recordVersion: 1,
      platenVersion: packageVersion(),
      kind: 'load',
      runId,
      startedAt: this.#startedAt,
      durationMs,
      plan: {
        hash,
        seed,
        title: scenario.title,
        why: scenario.why,
        shards: shard.count,
        present: [shard.index],
        thresholds: scenario.thresholds,
        ...(scenario.workerLosses.length > 0 && {
          losses: {
            declared: scenario.workerLosses,
            submissions: submissionsByShard(this.#parts.plan, shard.count),
          },
        }),
      },
      ending:
        this.#abortedBy !== null ? 'aborted' : stop.aborted || halt.aborted ? 'interrupted' : 'complete',
      abortedBy: this.#abortedBy,
      target: { name: target.name, baseUrl: target.baseUrl },
      machine: { cpus: cpus().length, node: process.version, platform: process.platform },
      streams,
      legs,
      series,
      ledger: {
        totals: this.#ledger.totals(),
        samples: LEDGER_CLASSES.flatMap((name) => this.#ledger.sample(name, SAMPLES_OF_A_CLASS)),
      },
      webhooks: this.#webhookTotals,
      disasters: this.#room?.disasters ?? [],
      fairness,
      responses: { judged: watch?.judged ?? 0, broken: watch?.broken ?? [] },
      settlement: this.#settlement,
      leaks: { accounts: this.#leaked },
      self: {
        lateness,
        cpu: (user + system) / 1_000 / Math.max(1, durationMs),
        rssBytes: this.#mostRss,
        eventLoopDelayP99Us: this.#worstDelayUs,
        floor: this.#floor,
      },
    });
    return { record, ledger: this.#ledger.toBytes() };
  }

  #rowsUnderWay(): readonly number[] {
    return Array.from({ length: this.#ledger.rows }, (_, row) => row).filter((row) =>
      this.#ledger.isUnderWay(row),
    );
  }

  #isSettled(rows: readonly number[]): boolean {
    if (rows.some((row) => this.#ledger.isUnderWay(row))) return false;
    if (this.#room?.isBack === false) return false;
    return this.#webhooks?.isSettled() ?? true;
  }

  /** By the seconds of the run, not by the last look: a late look makes no later one late. */
  #lookAtTheEndOf(second: number): void {
    const endUs = (second + 1) * US_PER_SECOND;
    this.#nextLook = systemClock.schedule((endUs - this.#sinceStartUs()) / 1_000, () => {
      this.#lookAtTheEndOf(second + 1);
      this.#look(endUs);
    });
  }

  /** What the second that ends at `atUs` brought. */
  #look(atUs: number): void {
    this.#lookedAtUs = atUs;
    const { cpu, rssBytes, eventLoopDelayMs } = this.#self.sample();
    const self = { cpu, rssBytes, eventLoopDelayP99Us: Math.round(eventLoopDelayMs * 1_000) };
    this.#mostRss = Math.max(this.#mostRss, rssBytes);
    this.#worstDelayUs = Math.max(this.#worstDelayUs, self.eventLoopDelayP99Us);
    const second = this.#recorder.closeSecond(atUs, this.#ledger.progress, self);
    this.#tell(second);
    if (this.#phase === 'running' && !this.#ending.aborted) this.#considerAborting(self);
  }

  #considerAborting(self: { readonly cpu: number; readonly rssBytes: number }): void {
    const cause = this.#abortWatch.cause(
      this.#recorder.measures({
        ledger: () => this.#ledger.totals(),
        webhooks: () => this.#webhookTotals,
        self,
        elapsedMs: this.#sinceStartUs() / 1_000,
      }),
    );
    if (cause === undefined) return;
    this.#abortedBy = cause;
    this.#endingBy.abort();
    this.#tell(null);
  }

  #tell(second: SecondRecord | null): void {
    this.#parts.onProgress?.({
      shard: this.#parts.shard.index,
      phase: this.#phase,
      second,
      connected: this.#room?.connected ?? 0,
      inFlight: this.#sender?.inFlight ?? 0,
      abortedBy: this.#abortedBy,
    });
  }
}

/** @throws ActionableError when no webhook of a service elsewhere could come here */
function ensureReachable({ baseUrl, callbackHost }: ShardTarget): void {
  if (isLocal(baseUrl) || callbackHost !== undefined) return;
  throw new ActionableError(
    'usage',
    `the scenario has webhooks, and ${baseUrl} cannot reach 127.0.0.1 of this machine`,
    'Say by which name it can: --callback-host NAME.',
  );
}

function abortOf(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return once(signal, 'abort').then(() => undefined);
}

const SAMPLES_OF_A_CLASS = 20;
/** Far beyond what batches and busy moments explain. */
const LATE_AFTER_US = 15e6;
