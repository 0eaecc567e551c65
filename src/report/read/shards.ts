/**
 * Shards: parts of one conformance run, made on several machines, become the record of the whole.
 *
 *   1/3 ┐
 *   2/3 ├─► one record        1/3 + 3/3 ─► one record that says: 2 is missing, and is INCOMPLETE
 *   3/3 ┘
 *
 * Only parts of one run fit: the same seed, plan, target and platen. A merged record can be merged again.
 */

import { failure, success, type Outcome } from '../../common/outcome.ts';
import { clauseCounts, concluded } from '../../record/concluded-run.ts';
import { CLAUSE_OUTCOMES } from '../../record/words.ts';
import type {
  CheckRecord,
  CheckRunRecord,
  CheckSummary,
  ClauseRecord,
  DeviationRecord,
  DialectRecord,
  GapRecord,
  SelectionRecord,
} from '../../record/check-record.ts';

export interface NamedRecord {
  readonly file: string;
  readonly record: CheckRunRecord;
}

/** Shards of the plan that a record does not hold. */
export function missingShards({ shards }: SelectionRecord): readonly number[] {
  if (!shards) return [];
  return Array.from({ length: shards.of }, (_, index) => index + 1).filter((index) => !shards.held.includes(index));
}

/** The missing ones for people: `2, 5 of 8`. */
export function missingInWords(selection: SelectionRecord): string {
  const missing = missingShards(selection);
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return `${missing.slice(0, MOST_NAMED).join(', ')}${more} of ${selection.shards?.of ?? 0}`;
}

const MOST_NAMED = 20;

/** The record of the whole; the error says why these are not parts of one run. */
export function mergeShards(parts: readonly NamedRecord[]): Outcome<CheckRunRecord, string> {
  const [first, ...others] = parts.toSorted((a, b) => firstShard(a) - firstShard(b));
  if (!first) return failure('there is nothing to merge');
  const strange = others.map((other) => differenceOf(first, other)).find((difference) => difference !== undefined);
  if (strange !== undefined) return failure(strange);
  const twice = heldTwice(parts);
  if (twice !== undefined) return failure(twice);
  return success(
    merged(
      first.record,
      [first, ...others].map(({ record }) => record),
    ),
  );
}

function firstShard({ record }: NamedRecord): number {
  return Math.min(...(record.selection.shards?.held ?? [0]));
}

/** What all shards of a run have in common. */
const COMMON: readonly (readonly [string, (record: CheckRunRecord) => string])[] = [
  ['seed', ({ seed }) => String(seed)],
  ['target', ({ target }) => (target.kind === 'remote' ? `${target.name} at ${target.baseUrl}` : target.name)],
  ['number of shards', ({ selection }) => String(selection.shards?.of ?? 1)],
  [
    'plan',
    ({ selection: { profile, grep, planned } }) =>
      `${planned} checks, profile ${profile}${grep === null ? '' : `, matching ${grep}`}`,
  ],
  ['platen', ({ platenVersion }) => platenVersion],
];

/** What shards of one run have in common, as one text. */
export function commonOf(record: CheckRunRecord): string {
  return JSON.stringify(COMMON.map(([, of]) => of(record)));
}

function differenceOf(one: NamedRecord, other: NamedRecord): string | undefined {
  const [name, read] = COMMON.find(([, of]) => of(one.record) !== of(other.record)) ?? [];
  if (name === undefined || !read) return undefined;
  return (
    `${one.file} and ${other.file} are shards of different runs: ` +
    `the ${name} is ${read(one.record)} in one and ${read(other.record)} in the other`
  );
}

function heldTwice(parts: readonly NamedRecord[]): string | undefined {
  const fileOf = new Map<number, string>();
  for (const { file, record } of parts) {
    for (const shard of record.selection.shards?.held ?? []) {
      const before = fileOf.get(shard);
      if (before !== undefined) return `shard ${shard} is in both ${before} and ${file}`;
      fileOf.set(shard, file);
    }
  }
  return undefined;
}

function merged(first: CheckRunRecord, records: readonly CheckRunRecord[]): CheckRunRecord {
  const of = first.selection.shards?.of ?? 1;
  const held = records.flatMap(({ selection }) => selection.shards?.held ?? []).toSorted((a, b) => a - b);
  const missing = missingShards({ ...first.selection, shards: { held, of } });
  const selection = { ...first.selection, shards: missing.length === 0 ? null : { held, of } };
  const deviations = mergedDeviations(records);
  const { checks, clauses, linkClauses } = concluded({
    checks: inOrderOfPlan(records),
    deviations,
    clauses: mergedClauses(
      first.clauses,
      records.map((record) => record.clauses),
    ),
    ...(first.linkClauses && {
      linkClauses: mergedClauses(
        first.linkClauses,
        records.map((record) => record.linkClauses ?? {}),
      ),
    }),
  });
  return {
    ...first,
    runId: first.runId.endsWith(MERGED) ? first.runId : `${first.runId.slice(0, LONGEST_ID)}${MERGED}`,
    startedAt: records.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    durationMs: Math.max(...records.map(({ durationMs }) => durationMs)),
    target: {
      ...first.target,
      capabilities: union(records.map(({ target }) => target.capabilities)),
      contradictions: union(records.map(({ target }) => target.contradictions)),
    },
    selection,
    summary: summaryOf(records, checks, clauses, missing.length > 0),
    clauses,
    ...(linkClauses && { linkClauses }),
    dialect: mergedDialect(records),
    gaps: mapRecord(first.gaps, (id, gap) => mergedGap(id, gap, records)),
    ...(deviations.length > 0 && { deviations }),
    checks,
  };
}

/** Each once, as the first shard met it, with the checks of all. */
function mergedDeviations(records: readonly CheckRunRecord[]): readonly DeviationRecord[] {
  const met = new Map<string, DeviationRecord>();
  for (const one of records.flatMap(({ deviations = [] }) => deviations)) {
    const known = met.get(one.id);
    met.set(one.id, known ? { ...known, checks: union([known.checks, one.checks]), ...placesOf(known, one) } : one);
  }
  return [...met.values()];
}

/** Where else either of them was met, each clause once. */
function placesOf(known: DeviationRecord, one: DeviationRecord): Pick<DeviationRecord, 'likewise'> {
  const all = [known, one].flatMap(({ at, clauses: [clause = ''], likewise = [] }) => [{ at, clause }, ...likewise]);
  const others = all.filter(({ clause }) => !known.clauses.includes(clause));
  const places = [...Map.groupBy(others, ({ clause }) => clause).values()].flatMap(([first]) => first ?? []);
  return places.length > 0 ? { likewise: places } : {};
}

const MERGED = '-merged';
const LONGEST_ID = 90;

function mapRecord<Value>(
  values: Readonly<Record<string, Value>>,
  change: (id: string, value: Value) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, change(id, value)]));
}

function union(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** Every n-th check is in a shard: dealt out in turn, they stand in the order of the plan again. */
function inOrderOfPlan(records: readonly CheckRunRecord[]): readonly CheckRecord[] {
  const rounds = Math.max(0, ...records.map(({ checks }) => checks.length));
  const checks = Array.from({ length: rounds }, (_, round) =>
    records.flatMap((record) => record.checks.slice(round, round + 1)),
  ).flat();
  // Beside others, another one may be what it follows from.
  return checks.map(({ followsFrom, ...check }) =>
    followsFrom !== undefined && check.verdict === 'flaky' ? { ...check, followsFrom } : check,
  );
}

type Clauses = Readonly<Record<string, ClauseRecord>>;

function mergedClauses(first: Clauses, all: readonly Clauses[]): Clauses {
  return mapRecord(first, (id, clause) => {
    const judged = all.flatMap((clauses) => (Object.hasOwn(clauses, id) ? (clauses[id] ?? []) : []));
    const seen = judged.map(({ since, outcome }) => (since === undefined ? outcome : 'broken'));
    // Broken in one shard is broken; of the others, the words begin with what says most.
    const outcome = seen.includes('broken') ? 'broken' : CLAUSE_OUTCOMES.find((one) => seen.includes(one));
    const { since: _since, ...plain } = clause;
    return { ...plain, outcome: outcome ?? 'not-judged' };
  });
}

function mergedGap(id: string, gap: GapRecord, records: readonly CheckRunRecord[]): GapRecord {
  const seen = records.map(({ gaps }) => (Object.hasOwn(gaps, id) ? (gaps[id]?.observations ?? []) : []));
  return { ...gap, observations: union(seen) };
}

/** Each question once; an answer before none. */
function mergedDialect(records: readonly CheckRunRecord[]): readonly DialectRecord[] {
  const lines = records.flatMap(({ dialect = [] }) => dialect);
  const answered = lines.filter(({ source }) => source !== 'not-found-out');
  const byQuestion = new Map([...lines, ...answered].map((line) => [line.question, line]));
  return [...byQuestion.values()].toSorted((left, right) => (left.question < right.question ? -1 : 1));
}

/** The worst part decides: the harness, a lost target, a failure, an interruption, something missing. */
const EXIT_CODES_WORST_FIRST = [70, 75, 1, 130, 2, 0];
const INCOMPLETE = 2;

export function worstExitCode(codes: readonly number[]): number {
  return EXIT_CODES_WORST_FIRST.find((code) => codes.includes(code)) ?? Math.max(0, ...codes);
}

function summaryOf(
  records: readonly CheckRunRecord[],
  checks: readonly CheckRecord[],
  clauses: Readonly<Record<string, ClauseRecord>>,
  isIncomplete: boolean,
): CheckSummary {
  const counts: Partial<Record<CheckRecord['verdict'], number>> = {};
  for (const { verdict } of checks) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const summaries = records.map(({ summary }) => summary);
  const lostIn = summaries.flatMap((summary) => summary.lostIn ?? [])[0];
  return {
    checks: { total: checks.length, ...counts },
    clauses: clauseCounts(clauses),
    baselineProblems: union(summaries.map(({ baselineProblems }) => baselineProblems)),
    known: checks.filter(({ known }) => known !== undefined).length,
    leftBehind: union(summaries.map(({ leftBehind }) => leftBehind)),
    requests: summaries.reduce((sum, { requests }) => sum + requests, 0),
    ...(lostIn !== undefined && { lostIn }),
    exitCode: worstExitCode([...summaries.map(({ exitCode }) => exitCode), ...(isIncomplete ? [INCOMPLETE] : [])]),
  };
}
