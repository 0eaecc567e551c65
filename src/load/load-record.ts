/**
 * Load record: what came of a load run (`run.json` of the kind `load`), of one shard or of the whole. Two
 * records of shards of one plan add up to the record of both: counts by addition, histograms exactly.
 *
 * Durations are whole microseconds. Histograms stand in the compressed base64 form (V2) of HdrHistogram.
 */

import type { LedgerRowView, LedgerTotals } from '../oracle/ledger.ts';
import type { Mismatch } from '../oracle/mismatch.ts';
import type { WebhookTotals } from '../oracle/webhook-account.ts';
import type { Fairness } from './measure/fairness.ts';
import type { DeclaredLoss } from './plan/load-scenario.ts';
import type { DisasterRecord } from './room/chaos-record.ts';

export interface LoadRecord {
  readonly tool: 'platen';
  readonly recordVersion: 1;
  /** Version of the platen that made the run. */
  readonly platenVersion: string;
  readonly kind: 'load';
  readonly runId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly plan: {
    readonly hash: string;
    readonly seed: number | string;
    readonly title: string;
    readonly why: string;
    /** Shards of the plan; 1 when it ran whole. */
    readonly shards: number;
    /** Which of them are in this record, from 1. */
    readonly present: readonly number[];
    /** As written in the scenario; judged on the whole only. */
    readonly thresholds: readonly string[];
    /** Of a scenario that declares the loss of workers: which, and the submissions due in each shard. */
    readonly losses?: {
      readonly declared: readonly DeclaredLoss[];
      readonly submissions: readonly number[];
    };
  };
  readonly ending: LoadEnding;
  /** The rule that ended it early. */
  readonly abortedBy: string | null;
  readonly target: { readonly name: string; readonly baseUrl: string | null };
  readonly machine: { readonly cpus: number; readonly node: string; readonly platform: string };
  readonly streams: readonly StreamRecord[];
  /** The legs of a job's life that were measured. */
  readonly legs: readonly LegRecord[];
  readonly series: readonly SecondRecord[];
  readonly ledger: LedgerRecord;
  readonly webhooks: WebhookTotals | null;
  readonly disasters: readonly DisasterRecord[];
  readonly fairness: Fairness | null;
  readonly responses: ResponsesRecord;
  readonly settlement: SettlementRecord;
  readonly leaks: LeaksRecord;
  readonly self: SelfRecord;
  readonly thresholds: readonly ThresholdResult[];
  readonly verdict: LoadVerdict;
  /** Why the verdict is no pass, in plain sentences. */
  readonly reasons: readonly string[];
  /** Without those of `losses`. */
  readonly missingShards: readonly number[];
  /** Workers that were lost as the scenario declares; left out where it declares nothing. */
  readonly losses?: readonly LossRecord[];
  readonly summary: LoadSummary;
  /** Of a run on several machines: who played which shard. */
  readonly workers?: readonly WorkerRecord[];
}

/** What a run came to, for whoever lists runs of any kind. */
export interface LoadSummary {
  /** Of the command that made it. */
  readonly exitCode: number;
  readonly thresholds: { readonly total: number; readonly pass: number; readonly fail: number };
}

/** A machine that took part, or was lost. */
export interface WorkerRecord {
  readonly shard: number;
  readonly name: string;
  /** What its clock lacks to that of the coordinator, and how long a question took; null when nobody asked. */
  readonly clockOffsetMs: number | null;
  readonly roundTripMs: number | null;
  /** How late it began, by its own clock. */
  readonly startLateMs: number | null;
  /** Why its shard is missing; empty when it is not. */
  readonly finding: string;
  /** About when its last sign of life came, since the start; left out when it was not lost. */
  readonly lostAtMs?: number;
}

/** A worker that was lost as the scenario declares. */
export interface LossRecord {
  readonly shard: number;
  /** Of the worker. */
  readonly name: string;
  readonly atMs: number;
  /** Jobs that were due in its shard: nobody can tell what became of them. */
  readonly unknownJobs: number;
}

/** What a run was, before anybody judges it. */
export type LoadFacts = Omit<
  LoadRecord,
  'thresholds' | 'verdict' | 'reasons' | 'missingShards' | 'losses' | 'summary'
>;

export type LoadEnding = 'complete' | 'interrupted' | 'aborted';

/**
 * pass        every threshold kept, every job accounted for
 * fail        a threshold broken, or a job lost, doubled, misprinted or unaccounted for
 * invalid     the generator itself was too late for its figures to mean anything
 * incomplete  a shard is missing, or the run was interrupted
 * aborted     a rule for giving up early came true
 */
export type LoadVerdict = 'pass' | 'fail' | 'invalid' | 'incomplete' | 'aborted';

export const REQUEST_OUTCOMES = ['ok', 'limited', 'refused', 'failed', 'timeout', 'broken', 'shed'] as const;

/**
 * ok       2xx                       failed   5xx
 * limited  429                       timeout  no answer in time; recorded at the time limit
 * refused  another 3xx or 4xx        broken   the connection failed
 *                                    shed     not sent: too many were under way
 */
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

export interface StreamRecord {
  readonly name: string;
  /** Requests by what became of them; together the arrivals. */
  readonly counts: Readonly<Record<RequestOutcome, number>>;
  /** From the intended start to the end: what a caller waits. */
  readonly response: DurationRecord;
  /** From sending to the end: what the service needs. */
  readonly service: DurationRecord;
  /** From the intended start to the moment it was handed out: how late the generator was. */
  readonly lateness: DurationRecord;
  /** Of answers by status code. */
  readonly statuses: Readonly<Record<string, number>>;
}

export const LEG_NAMES = [
  'submit',
  'accept',
  'deliver',
  'fetch',
  'spool',
  'paper',
  'report',
  'webhook',
  'whole',
] as const;
export type LegName = (typeof LEG_NAMES)[number];

export interface LegRecord {
  readonly name: LegName;
  readonly duration: DurationRecord;
}

export interface DurationRecord {
  readonly count: number;
  readonly meanUs: number;
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p95Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
  readonly histogram: string;
}

/** One second of the run, counted from its start. */
export interface SecondRecord {
  readonly second: number;
  readonly arrivals: number;
  readonly ended: number;
  readonly errors: number;
  readonly response: Pick<DurationRecord, 'p50Us' | 'p99Us' | 'histogram'>;
  readonly latenessP99Us: number;
  /** Counters of the ledger at the end of the second. */
  readonly jobs: JobCounters;
  readonly self: SelfGauges;
}

/** How far jobs have come; each counts those that have come so far at least. */
export interface JobCounters {
  readonly intended: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly printed: number;
  readonly reported: number;
}

/** The generator's own process. */
export interface SelfGauges {
  /** Share of one core; more than 1 where threads help. */
  readonly cpu: number;
  readonly rssBytes: number;
  readonly eventLoopDelayP99Us: number;
}

export interface SelfRecord {
  readonly lateness: DurationRecord;
  readonly cpu: number;
  readonly rssBytes: number;
  readonly eventLoopDelayP99Us: number;
  /** The same traffic against a service that does nothing; null when it was not measured. */
  readonly floor: FloorRecord | null;
}

export interface FloorRecord {
  readonly responseP50Us: number;
  readonly responseP99Us: number;
  readonly latenessP99Us: number;
  readonly requestsPerSecond: number;
}

export interface LedgerRecord {
  readonly totals: LedgerTotals;
  /** Some rows of each class that should be empty, and the slowest of those that went well. */
  readonly samples: readonly LedgerRowView[];
}

/** Responses held against what the specification says of every response. */
export interface ResponsesRecord {
  readonly judged: number;
  readonly broken: readonly {
    readonly clause: string;
    readonly count: number;
    /** The first one. */
    readonly example: Mismatch;
  }[];
}

/** What became of submissions that had no answer, found out by asking again with the same key. */
export interface SettlementRecord {
  /** Accepted the first time. */
  readonly wereAccepted: number;
  /** Submitted by the settling itself. */
  readonly submittedAgain: number;
  readonly refused: number;
  /** Nobody could be made to say. */
  readonly open: number;
}

/** What a run made and could not take away again. */
export interface LeaksRecord {
  /** Ids of Child Accounts. */
  readonly accounts: readonly number[];
}

export interface ThresholdResult {
  readonly text: string;
  /** What was measured, as a person writes it; null when there was nothing to measure. */
  readonly measured: string | null;
  readonly kept: boolean;
}
