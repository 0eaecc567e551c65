/**
 * Merge: adds the records of shards up to the record of the whole. Histograms add up exactly; a missing shard is
 * named and leaves the whole incomplete.
 */

import { usageError } from '../common/actionable-error.ts';
import { sumOf, sumsOf } from '../common/sums.ts';
import { Ledger } from '../oracle/ledger.ts';
import { mergeWebhookTotals } from '../oracle/webhook-account.ts';
import type {
  ChaosEventRecord,
  FloorRecord,
  LedgerRecord,
  LedgerRowView,
  LedgerTotals,
  LoadFacts,
  LoadRecord,
  PhaseRecord,
  ResponsesRecord,
  SecondRecord,
  SelfGauges,
  SelfRecord,
  StreamRecord,
} from '../record/load-record.ts';
import { LEDGER_CLASSES, PHASES, REQUEST_OUTCOMES, type LoadEnding } from '../record/words.ts';
import { mergeFairness } from './measure/fairness.ts';
import { Durations, mergeDurations } from './measure/histogram.ts';
import { judgeLoad } from './verdict/judge-load.ts';

const SAMPLES_OF_A_CLASS = 20;

/** The result of a shard, from its process or from files. */
export interface MergeInput {
  /** Its judgement does not count: the whole is judged. */
  readonly record: LoadFacts;
  /** Its ledger as bytes, where there is one: only ledgers reveal a job id that two shards were given. */
  readonly ledger?: Uint8Array;
}

/**
 * The judged record of all of them, which may be one.
 *
 * @throws ActionableError of kind usage when they are not shards of one run
 */
export function mergeLoadRecords(parts: readonly MergeInput[]): LoadRecord {
  const records = parts.map(({ record }) => record);
  const [first] = records;
  if (first === undefined) throw usageError('there is no record to merge', 'Name the run.json of each shard.');
  for (const record of records) refuseOtherPlan(first, record);
  refuseOverlap(records);
  const ledgers = parts.flatMap(({ ledger }) => ledger ?? []);
  // Ledgers of only some shards would pass for the ledger of the whole.
  return judgeLoad(factsOf(first, records, ledgers.length === parts.length ? ledgers : []));
}

function refuseOtherPlan({ plan }: LoadFacts, { plan: other }: LoadFacts): void {
  if (plan.hash === other.hash && plan.shards === other.shards) return;
  const difference =
    plan.hash === other.hash
      ? `one is of ${plan.shards} shards, one of ${other.shards}`
      : `'${plan.title}' with seed ${plan.seed} (${plan.hash}), and '${other.title}' with seed ${other.seed} (${other.hash})`;
  throw usageError(
    `these records are of different plans: ${difference}`,
    'Merge only shards that ran the same file with the same seed and the same number of shards.',
  );
}

function refuseOverlap(records: readonly LoadFacts[]): void {
  const seen = new Set<number>();
  for (const shard of records.flatMap(({ plan }) => plan.present)) {
    if (seen.has(shard)) throw usageError(`shard ${shard} is given twice`, 'Name each shard once.');
    seen.add(shard);
  }
}

function factsOf(first: LoadFacts, records: readonly LoadFacts[], ledgers: readonly Uint8Array[]): LoadFacts {
  const webhooks = records.flatMap((record) => record.webhooks ?? []);
  const workers = records.flatMap((record) => record.workers ?? []);
  return {
    ...first,
    startedAt: records.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    durationMs: Math.max(...records.map(({ durationMs }) => durationMs)),
    plan: {
      ...first.plan,
      present: records.flatMap(({ plan }) => plan.present).toSorted((a, b) => a - b),
    },
    ending: endingOf(records),
    abortedBy: records.find(({ abortedBy }) => abortedBy !== null)?.abortedBy ?? null,
    streams: first.streams.map(({ name }) => mergeStreams(name, records)),
    legs: PHASES.flatMap((name): PhaseRecord[] => {
      const parts = records.flatMap(({ legs }) => legs.filter((phase) => phase.name === name));
      return parts.length === 0 ? [] : [{ name, duration: mergeDurations(parts.map(({ duration }) => duration)) }];
    }),
    series: mergeSeries(records.flatMap(({ series }) => series)),
    ledger: mergeLedgers(records, ledgers),
    webhooks: webhooks.length === 0 ? null : mergeWebhookTotals(webhooks),
    disasters: mergeChaos(records.map(({ disasters }) => disasters)),
    fairness: mergeFairness(records.map(({ fairness }) => fairness)),
    responses: mergeResponses(records.map(({ responses }) => responses)),
    settlement: sumsOf(
      ['wereAccepted', 'submittedAgain', 'refused', 'open'],
      records.map(({ settlement }) => settlement),
    ),
    leaks: { accounts: records.flatMap(({ leaks }) => leaks.accounts) },
    self: mergeSelf(records.map(({ self }) => self)),
    ...(workers.length > 0 && { workers }),
  };
}

function endingOf(records: readonly LoadFacts[]): LoadEnding {
  const endings = new Set(records.map(({ ending }) => ending));
  if (endings.has('aborted')) return 'aborted';
  return endings.has('interrupted') ? 'interrupted' : 'complete';
}

function mergeStreams(name: string, records: readonly LoadFacts[]): StreamRecord {
  const parts = records.flatMap(({ streams }) => streams.filter((stream) => stream.name === name));
  return {
    name,
    counts: sumsOf(
      REQUEST_OUTCOMES,
      parts.map(({ counts }) => counts),
    ),
    response: mergeDurations(parts.map(({ response }) => response)),
    service: mergeDurations(parts.map(({ service }) => service)),
    lateness: mergeDurations(parts.map(({ lateness }) => lateness)),
    statuses: addedUp(parts.map(({ statuses }) => statuses)),
  };
}

/** The seconds of several shards, each second once. */
export function mergeSeries(all: readonly SecondRecord[]): readonly SecondRecord[] {
  const seconds = Map.groupBy(all, ({ second }) => second);
  return [...seconds]
    .toSorted(([a], [b]) => a - b)
    .map(([second, parts]) => ({
      second,
      ...sumsOf(['arrivals', 'ended', 'errors'], parts),
      response: mergeHistograms(parts),
      latenessP99Us: Math.max(...parts.map(({ latenessP99Us }) => latenessP99Us)),
      jobs: sumsOf(
        ['intended', 'accepted', 'delivered', 'printed', 'reported'],
        parts.map(({ jobs }) => jobs),
      ),
      self: mergeGauges(parts.map(({ self }) => self)),
    }));
}

function mergeHistograms(parts: readonly SecondRecord[]): SecondRecord['response'] {
  const [only] = parts;
  if (parts.length === 1 && only) return only.response;
  const merged = new Durations();
  for (const { response } of parts) merged.add(Durations.fromBase64(response.histogram));
  return { p50Us: merged.percentile(50), p99Us: merged.percentile(99), histogram: merged.toBase64() };
}

/** Each shard has the same events in the same order. */
function mergeChaos(parts: readonly (readonly ChaosEventRecord[])[]): readonly ChaosEventRecord[] {
  const [first = []] = parts;
  return first.map((one, place) => {
    const all = parts.flatMap((part) => part[place] ?? []);
    const recoveries = all.map(({ recoveredMs }) => recoveredMs);
    return {
      ...one,
      ...sumsOf(['hit', 'lowestConnected', 'mostBacklog'], all),
      recoveredMs: recoveries.includes(null) ? null : Math.max(...recoveries.map(Number)),
    };
  });
}

function mergeLedgers(records: readonly LoadFacts[], ledgers: readonly Uint8Array[]): LedgerRecord {
  const parts = records.map(({ ledger }) => ledger);
  const samples = [
    ...Map.groupBy(
      parts.flatMap((part) => part.samples),
      (row: LedgerRowView) => row.class,
    ),
  ];
  return {
    totals: ledgers.length > 0 ? Ledger.fromBytes(ledgers).totals() : addTotals(parts.map(({ totals }) => totals)),
    samples: samples.flatMap(([, rows]) => rows.toSorted(slowestFirst).slice(0, SAMPLES_OF_A_CLASS)),
  };
}

/** Jobs that were not delivered keep their order. */
function slowestFirst(one: LedgerRowView, other: LedgerRowView): number {
  return tookUs(other) - tookUs(one);
}

function tookUs({ class: name, intendedUs, stamps: { printed = intendedUs } }: LedgerRowView): number {
  return name === 'delivered-once' ? printed - intendedUs : 0;
}

function addTotals(parts: readonly LedgerTotals[]): LedgerTotals {
  const classes = sumsOf(
    LEDGER_CLASSES,
    parts.map((part) => part.classes),
  );
  return { classes, ...sumsOf(['intents', 'unreported', 'redelivered', 'clashes'], parts) };
}

function mergeResponses(parts: readonly ResponsesRecord[]): ResponsesRecord {
  const byClause = Map.groupBy(
    parts.flatMap(({ broken }) => broken),
    ({ clause }) => clause,
  );
  return {
    judged: sumOf(parts, ({ judged }) => judged),
    broken: [...byClause.values()].flatMap((same) => {
      const [first] = same;
      return first ? [{ ...first, count: sumOf(same, ({ count }) => count) }] : [];
    }),
  };
}

function mergeSelf(parts: readonly SelfRecord[]): SelfRecord {
  const floors = parts.flatMap(({ floor }) => floor ?? []);
  return {
    lateness: mergeDurations(parts.map(({ lateness }) => lateness)),
    ...mergeGauges(parts),
    floor: floors.length === 0 ? null : highestFloor(floors),
  };
}

function mergeGauges(parts: readonly SelfGauges[]): SelfGauges {
  return {
    ...sumsOf(['cpu', 'rssBytes'], parts),
    eventLoopDelayP99Us: Math.max(...parts.map(({ eventLoopDelayP99Us }) => eventLoopDelayP99Us)),
  };
}

/** The highest, as results must be well above it. */
function highestFloor(floors: readonly FloorRecord[]): FloorRecord {
  return {
    responseP50Us: Math.max(...floors.map(({ responseP50Us }) => responseP50Us)),
    responseP99Us: Math.max(...floors.map(({ responseP99Us }) => responseP99Us)),
    latenessP99Us: Math.max(...floors.map(({ latenessP99Us }) => latenessP99Us)),
    ...sumsOf(['requestsPerSecond'], floors),
  };
}

function addedUp(parts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const part of parts) {
    for (const [key, count] of Object.entries(part)) total[key] = (total[key] ?? 0) + count;
  }
  return total;
}
