/**
 * The record of a load run: run.json of the kind `load`, of one shard or of the whole. Records of shards of one
 * plan add up to the record of all of them: counts by addition, histograms exactly.
 *
 * Times are whole microseconds unless the name says otherwise.
 */

import { z } from 'zod';

import { STATISTICS } from '../specification/fields.ts';
import { count, heading, loadExitCode, mismatch, texts, type Stored } from './fields.ts';
import {
  CHAOS_EVENTS,
  DRIFT_MEASURES,
  LEDGER_CLASSES,
  LEDGER_STAMPS,
  LOAD_ENDINGS,
  LOAD_VERDICTS,
  PHASES,
  STRAY_KINDS,
  WEBHOOK_CLASSES,
  type RequestOutcome,
} from './words.ts';

const us = z.number().min(0);
const share = z.number().min(0);
const shard = z.int().min(1).max(999_999);

const histogram = z.string().describe('HdrHistogram, compressed (V2), in base64.');

const duration = z.object({
  count,
  meanUs: us,
  p50Us: us,
  p90Us: us,
  p95Us: us,
  p99Us: us,
  p999Us: us,
  maxUs: us,
  histogram,
});

const declaredLoss = z.object({
  atMs: z.number().min(0),
  withinMs: z.number().min(0).nullable(),
  workers: count,
});

const plan = z.object({
  hash: z.string().describe('Of the file and the seed: shards with one hash are of one plan.'),
  seed: z.union([z.number(), z.string()]),
  title: z.string(),
  why: z.string(),
  shards: shard.describe('Shards of the plan; 1 when it ran whole.'),
  present: z.array(shard).min(1).describe('Which of them are in this record, from 1.'),
  warmUpMs: us
    .exactOptional()
    .describe('Durations of what was intended earlier are in the series only; none by default.'),
  streams: z
    .array(z.object({ name: z.string(), startMs: z.number().min(0), forMs: z.number().min(0) }))
    .exactOptional()
    .describe('When the requests of each are due, since the first of all.'),
  thresholds: texts.describe('As written in the scenario; judged on the whole only.'),
  losses: z
    .object({
      declared: z.array(declaredLoss),
      submissions: z.array(count).describe('Due in each shard, from the first on.'),
    })
    .exactOptional()
    .describe('Of a scenario that declares the loss of workers.'),
});

const outcomes = {
  ok: count,
  limited: count.describe('Answered with 429.'),
  refused: count.describe('Answered with another 3xx or 4xx.'),
  failed: count.describe('Answered with 5xx.'),
  timeout: count.describe('No answer in time.'),
  broken: count.describe('The connection failed.'),
  shed: count.describe('Not sent: too many were under way.'),
} satisfies Readonly<Record<RequestOutcome, z.ZodType>>;

const activeMs = z.number().min(0).exactOptional().describe('How long requests were due.');

const stream = z.object({
  name: z.string(),
  counts: z.object(outcomes).describe('Requests by outcome.'),
  response: duration.describe('From the intended start to the end: what a caller waits.'),
  service: duration.describe('From sending to the end: what the service needs.'),
  lateness: duration.describe('From the intended start to the sending: how late the generator was.'),
  statuses: z.record(z.string(), count).describe('Answers by status code.'),
  activeMs,
});

const phase = z.object({ name: z.enum(PHASES), duration });

const jobCounters = z.object({
  intended: count,
  accepted: count,
  delivered: count,
  printed: count,
  reported: count,
});

const selfGauges = z.object({ cpu: share, rssBytes: us, eventLoopDelayP99Us: us });

const second = z.object({
  second: count.describe('Counted from the start of the run.'),
  arrivals: count,
  ended: count,
  errors: count,
  response: z.object({ p50Us: us, p99Us: us, histogram }),
  latenessP99Us: us,
  jobs: jobCounters.describe('How far jobs have come at the end of the second.'),
  self: selfGauges,
});

const ledgerClass = z.enum(LEDGER_CLASSES);

const ledgerTotals = z.object({
  intents: count,
  classes: z.record(ledgerClass, count).describe('What became of the jobs; they add up to the intents.'),
  unreported: count.describe('Printed, but the service never acknowledged a report of it.'),
  redelivered: count.describe('Given to a computer more than once.'),
  clashes: count.describe('Job ids that two submissions were given.'),
});

const ledgerRow = z.object({
  row: count,
  class: ledgerClass,
  jobId: z.number().nullable(),
  account: count,
  printer: count,
  document: count,
  copies: count,
  copiesPrinted: count,
  deliveries: count,
  intendedUs: us,
  stamps: z.partialRecord(z.enum(LEDGER_STAMPS), us).describe('Since the run began; what did not happen is left out.'),
});

const ledger = z.object({
  totals: ledgerTotals,
  samples: z
    .array(ledgerRow)
    .describe('Some of each class that should be empty, and the slowest of those that went well.'),
});

const reconciliation = z.object({
  counter: z.enum(STATISTICS),
  service: z.number(),
  seen: z.number(),
  agrees: z.boolean(),
});

const webhooks = z.object({
  events: count.describe('Owed or come; the classes add up to it.'),
  classes: z.record(z.enum(WEBHOOK_CLASSES), count),
  strays: z.record(z.enum(STRAY_KINDS), count).describe('What came beside the events that are accounted for.'),
  receipts: z.object({ good: count, failed: count }),
  reconciliation: z.array(reconciliation).describe("The service's own counters beside what its receivers saw."),
});

const chaosEvent = z.object({
  what: z.enum(CHAOS_EVENTS),
  atMs: z.number().min(0),
  hit: count.describe('Computers that were hit.'),
  lowestConnected: count,
  mostBacklog: count.describe('Most jobs accepted and not reported meanwhile.'),
  recoveredMs: z
    .number()
    .min(0)
    .nullable()
    .describe('Until all were connected and the backlog as before; null when the run ended first.'),
});

const accountShare = z.object({ account: count, asked: count, served: count, meanResponseUs: us });
const fairness = z.object({ jainIndex: share, accounts: z.array(accountShare) });

const worker = z.object({
  shard,
  name: z.string(),
  clockOffsetMs: z.number().nullable(),
  roundTripMs: z.number().nullable(),
  startLateMs: z.number().nullable(),
  finding: z.string().describe('Why its shard is missing; empty when it is not.'),
  lostAtMs: z.number().exactOptional().describe('About when its last heartbeat came; only of one that was lost.'),
});

const floor = z.object({
  responseP50Us: us,
  responseP99Us: us,
  latenessP99Us: us,
  requestsPerSecond: z.number().min(0),
});

const self = z.object({
  lateness: duration,
  cpu: share.describe('Of one core; more than 1 where threads help.'),
  rssBytes: us,
  eventLoopDelayP99Us: us,
  floor: floor.nullable().describe('The same traffic against a service that does nothing.'),
});

const responses = z.object({
  judged: count,
  broken: z.array(z.object({ clause: z.string(), count, example: mismatch })),
});

const settlement = z.object({ wereAccepted: count, submittedAgain: count, refused: count, open: count });

const threshold = z.object({
  text: z.string(),
  measured: z.string().nullable().describe('Null when there was nothing to measure.'),
  kept: z.boolean(),
});

const loss = z.object({
  shard,
  name: z.string(),
  atMs: z.number(),
  unknownJobs: count.describe('Due in its shard: their fate is unknown.'),
});

const trend = z.object({
  what: z.enum(DRIFT_MEASURES),
  perHour: z.number().describe('The growth of an hour: bytes, or of response times a share.'),
  low: z.number().describe('It is at least this much, with the stated confidence; and at most `high`.'),
  high: z.number(),
  isDrift: z.boolean().describe('It grows by more than is of no consequence.'),
});

const drift = z.object({ confidence: share, trends: z.array(trend) });

const processes = z
  .object({ count, because: z.string() })
  .describe('Over which the machine split its part, and the reason. Of a run on one machine.');

export const loadRecord = z.object({
  ...heading,
  kind: z.literal('load'),
  plan,
  ending: z.enum(LOAD_ENDINGS),
  abortedBy: z.string().nullable().describe('The rule that ended it early.'),
  target: z.object({ name: z.string(), baseUrl: z.string().nullable() }),
  machine: z.object({ cpus: count, node: z.string(), platform: z.string(), processes: processes.exactOptional() }),
  streams: z.array(stream),
  activeMs,
  legs: z.array(phase).describe("The phases of a job's way that were measured."),
  series: z.array(second).describe('The run, second by second.'),
  ledger: ledger.describe('The account of every job.'),
  serviceMemory: z
    .array(us)
    .exactOptional()
    .describe("Bytes that the service's process held, each second; of a run on its machine."),
  drift: drift.exactOptional().describe('What grew over a run of at least ten minutes.'),
  webhooks: webhooks.nullable().describe('The account of every event; null without receivers.'),
  disasters: z.array(chaosEvent),
  fairness: fairness.nullable().describe('What each account got of what it asked for.'),
  responses,
  settlement: settlement.describe('What became of submissions that had no answer.'),
  leaks: z.object({
    accounts: z.array(z.number()).describe('Ids of accounts that could not be removed.'),
  }),
  self: self.describe('The generator itself.'),
  thresholds: z.array(threshold),
  verdict: z.enum(LOAD_VERDICTS),
  reasons: texts.describe('Why the verdict is not pass.'),
  missingShards: z.array(shard).describe('Without those of `losses`.'),
  losses: z.array(loss).exactOptional().describe('Workers that were lost as the scenario declares.'),
  summary: z.object({
    exitCode: loadExitCode,
    thresholds: z.object({ total: count, pass: count, fail: count }),
  }),
  workers: z.array(worker).exactOptional().describe('Of a run on several machines: who played which shard.'),
});

export interface LoadRecord extends Stored<typeof loadRecord> {}
/** What a run was, before it is judged. */
export type LoadFacts = Omit<
  LoadRecord,
  'thresholds' | 'verdict' | 'reasons' | 'missingShards' | 'losses' | 'summary' | 'drift'
>;
/** What grew over a soak, and how sure that is. */
export interface DriftRecord extends Stored<typeof drift> {}
export interface TrendRecord extends Stored<typeof trend> {}
/** A machine that took part, or was lost. Its times are null when its clock was not compared. */
export interface WorkerRecord extends Stored<typeof worker> {}
/** A worker that was lost as the scenario declares. */
export interface LossRecord extends Stored<typeof loss> {}
/** Workers that may be lost, from when on and for how long; null for until the end. */
export interface DeclaredLoss extends Stored<typeof declaredLoss> {}
export interface StreamRecord extends Stored<typeof stream> {}
export interface PhaseRecord extends Stored<typeof phase> {}
export interface DurationRecord extends Stored<typeof duration> {}
/** One second of the run, counted from its start. */
export interface SecondRecord extends Stored<typeof second> {}
/** How far jobs have come; each counts those that have come so far at least. */
export interface JobCounters extends Stored<typeof jobCounters> {}
/** The generator's own process; `cpu` is a share of one core. */
export interface SelfGauges extends Stored<typeof selfGauges> {}
export interface SelfRecord extends Stored<typeof self> {}
/** The same traffic against a service that does nothing. */
export interface FloorRecord extends Stored<typeof floor> {}
export interface LedgerRecord extends Stored<typeof ledger> {}
export interface LedgerTotals extends Stored<typeof ledgerTotals> {}
export interface LedgerRowView extends Stored<typeof ledgerRow> {}
export interface WebhookTotals extends Stored<typeof webhooks> {}
/** A counter of the service beside what the receivers saw. */
export interface Reconciliation extends Stored<typeof reconciliation> {}
/** A chaos event of the run, and how long it took to recover from it. */
export interface ChaosEventRecord extends Stored<typeof chaosEvent> {}
/** Jain's index over all accounts that asked for something, and what each asked for and got. */
export interface Fairness extends Stored<typeof fairness> {}
export interface AccountShare extends Stored<typeof accountShare> {}
/** Responses held against what the specification says of every response. */
export interface ResponsesRecord extends Stored<typeof responses> {}
/** What became of submissions that had no answer, found out by asking again with the same key. */
export interface SettlementRecord extends Stored<typeof settlement> {}
export interface ThresholdResult extends Stored<typeof threshold> {}

/** A load run beside its baseline, metric by metric. */
export interface LoadComparison {
  /** Whether both ran the same plan: the same file with the same seed. */
  readonly isSamePlan: boolean;
  readonly lines: readonly ComparedLine[];
}

export interface ComparedLine {
  readonly metric: string;
  readonly baseline: number;
  readonly now: number;
  /** Now to baseline; null when the baseline is zero. */
  readonly ratio: number | null;
  /** Where the ratio lies in 95 of 100 cases; null where there are too few values to say. */
  readonly range: readonly [number, number] | null;
  readonly change: 'better' | 'worse' | 'same' | 'not-enough';
}
