/**
 * Run record: the one result format (`run.json`). It stands for itself: whoever reads it needs neither
 * the target nor the specification, and no secret is in it.
 */

import { packageVersion } from '../../common/package-version.ts';
import type { CheckOutcome } from '../../conformance/verdict/outcome.ts';
import type { NumberedExchange } from '../../conformance/context/judgement.ts';
import type { Profile } from '../../conformance/run/profiles.ts';
import type { ConformanceResult } from '../../conformance/run/run-conformance.ts';
import type { ClauseCoverage, ClauseOutcome, ClauseStatus } from '../../conformance/verdict/coverage.ts';
import type { Verdict } from '../../conformance/verdict/verdict.ts';
import type { Level } from '../../spec/clause.ts';
import { curlCommand } from '../../wire/curl.ts';
import type { HeaderPair, HttpRequest, WireFailure } from '../../wire/http-exchange.ts';
import { createRedaction, redactDeep, type Redact } from './redaction.ts';
import { secretsOf } from './run-secrets.ts';

export interface RunRecord {
  readonly tool: 'platen';
  readonly recordVersion: 1;
  /** Version of the platen that made the run. */
  readonly platenVersion: string;
  readonly kind: 'check';
  /** Names the folder of the run: `check-20260101T120000Z-5f3a`. */
  readonly runId: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly target: TargetRecord;
  readonly selection: SelectionRecord;
  readonly summary: RunSummary;
  /** Every clause of the specification, by id. */
  readonly clauses: Readonly<Record<string, ClauseRecord>>;
  /** Every gap of the specification, by id, with what the target did there. */
  readonly gaps: Readonly<Record<string, GapRecord>>;
  readonly checks: readonly CheckRecord[];
}

/** Which checks were meant. */
export interface SelectionRecord {
  readonly profile: Profile;
  readonly grep: string | null;
  /** Checks that are meant, those of other shards included. */
  readonly planned: number;
  /** The parts of the plan that this record holds, from 1; null when it was not divided. */
  readonly shards: { readonly held: readonly number[]; readonly of: number } | null;
}

export interface TargetRecord {
  readonly name: string;
  /** `embedded` or `remote`, and what else there may be. */
  readonly kind: string;
  readonly baseUrl: string;
  readonly capabilities: readonly string[];
  /** Where the target turned out otherwise than it is declared. */
  readonly contradictions: readonly string[];
}

export interface RunSummary {
  /** Number of checks by verdict; verdicts that did not occur are left out. */
  readonly checks: Readonly<Partial<Record<Verdict, number>>> & { readonly total: number };
  readonly clauses: {
    readonly total: number;
    readonly covered: number;
    readonly excluded: number;
    readonly notYet: number;
    /** Of those covered: broken, and not judged in this run. */
    readonly broken: number;
    readonly notJudged: number;
  };
  /** What is wrong with the list of known failures: reason enough for the run to fail. */
  readonly baselineProblems: readonly string[];
  /** Failures that are known and do not count. */
  readonly known: number;
  /** What could not be removed behind the run. */
  readonly leftBehind: readonly string[];
  readonly requests: number;
  readonly exitCode: number;
}

export interface ClauseRecord {
  readonly level: Level;
  readonly statement: string;
  readonly status: ClauseStatus;
  readonly outcome: ClauseOutcome;
  readonly checks: readonly string[];
  readonly reason?: string;
}

export interface GapRecord {
  readonly question: string;
  readonly checks: readonly string[];
  readonly observations: readonly string[];
}

export interface CheckRecord {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly needs: readonly string[];
  /** The strictest level among its clauses. */
  readonly level: Level;
  readonly verdict: Verdict;
  readonly durationMs: number;
  readonly requests: number;
  /** How long it let time go by, on the clock of the target. */
  readonly waitedMs: number;
  readonly message: string;
  /** Of a failure: what a list of known failures names it by. */
  readonly signature?: string;
  /** Why the failure does not count. */
  readonly known?: { readonly reason: string; readonly owner: string; readonly expires: string };
  readonly evidence: Evidence;
}

export interface Evidence {
  readonly judgements: readonly JudgementRecord[];
  /** Exchanges that show what was wrong, and the last ones before the end. None on a pass. */
  readonly exchanges: readonly ExchangeRecord[];
  readonly unanswered: readonly UnansweredRecord[];
  readonly notes: readonly string[];
  /** The moves of a stateful check that broke a clause: `platen replay` plays them again. */
  readonly sequence?: CheckOutcome['sequence'];
  readonly stack?: string;
}

/** What was found out about one clause; without a mismatch it was kept. */
export interface JudgementRecord {
  readonly clause: string;
  readonly mismatch?: MismatchRecord;
  /** What the service did, where the specification leaves it open. */
  readonly observation?: string;
}

export interface MismatchRecord {
  readonly expected: string;
  readonly actual: string;
  /** Where: `status of GET /ping`, `body[3].age`. */
  readonly at: string;
  /** Position of the exchange it was seen in. */
  readonly exchange?: number;
}

export interface ExchangeRecord {
  /** Position in the history of the run; a mismatch names it as `exchange`. */
  readonly position: number;
  readonly request: RequestRecord;
  /** How long the check had let time go by until then, on the clock of the target. */
  readonly waitedMs: number;
  readonly response: {
    readonly status: number;
    readonly headers: readonly HeaderPair[];
    readonly body: string;
  };
  readonly durationMs: number;
  /** Sends the request again. */
  readonly curl: string;
}

export interface UnansweredRecord {
  /** `refused`, `reset`, `timeout` and so on. */
  readonly kind: string;
  readonly message: string;
  readonly request: RequestRecord;
  readonly durationMs: number;
  readonly curl: string;
}

export interface RequestRecord {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly HeaderPair[];
  readonly body: string;
}

/** The record of a run, without secrets. */
export function buildRunRecord(result: ConformanceResult): RunRecord {
  const { target, seed, startedAt } = result;
  const scribe = createScribe(result);
  return {
    tool: 'platen',
    recordVersion: 1,
    platenVersion: packageVersion(),
    kind: 'check',
    runId: `check-${startedAt.replaceAll(/[-:]|\.\d+/g, '')}-${(seed % 0x10000).toString(16).padStart(4, '0')}`,
    seed,
    startedAt,
    durationMs: Math.round(result.durationMs),
    target: {
      name: scribe.redact(target.name),
      kind: target.kind,
      baseUrl: scribe.redact(target.baseUrl),
      capabilities: result.capabilities,
      contradictions: (target.contradictions ?? []).map(scribe.redact),
    },
    selection: selectionRecord(result),
    summary: summarize(result),
    clauses: Object.fromEntries(result.coverage.map((line) => [line.clause.id, clauseRecord(line)])),
    gaps: Object.fromEntries(
      result.gaps.map(({ gap, checks, observations }) => [
        gap.id,
        { question: gap.question, checks, observations: observations.map(scribe.redact) },
      ]),
    ),
    checks: result.outcomes.map((outcome) => checkRecord(outcome, result.coverage, scribe)),
  };
}

function selectionRecord({ selection, planned }: ConformanceResult): SelectionRecord {
  const { profile = 'full', grep = null, shard } = selection;
  return { profile, grep, planned, shards: shard ? { held: [shard.index], of: shard.count } : null };
}

function summarize({
  outcomes,
  coverage,
  requests,
  leftBehind,
  baselineProblems,
  exitCode,
}: ConformanceResult): RunSummary {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of outcomes) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const count = (accepts: (line: ClauseCoverage) => boolean): number => coverage.filter(accepts).length;
  return {
    checks: { total: outcomes.length, ...counts },
    clauses: {
      total: coverage.length,
      covered: count((line) => line.status === 'covered'),
      excluded: count((line) => line.status === 'excluded'),
      notYet: count((line) => line.status === 'not-yet'),
      broken: count((line) => line.outcome === 'broken'),
      notJudged: count((line) => line.status === 'covered' && line.outcome === 'not-judged'),
    },
    baselineProblems,
    known: outcomes.filter(({ known }) => known !== undefined).length,
    leftBehind,
    requests,
    exitCode,
  };
}

function clauseRecord({ clause, status, outcome, checks, reason }: ClauseCoverage): ClauseRecord {
  const { level, statement } = clause;
  return { level, statement, status, outcome, checks, ...(reason === undefined ? {} : { reason }) };
}

const LEVELS_BY_STRICTNESS: readonly Level[] = ['must', 'should', 'observed', 'gap'];

function checkRecord(
  outcome: CheckOutcome,
  coverage: readonly ClauseCoverage[],
  scribe: Scribe,
): CheckRecord {
  const { check, verdict, durationMs, waitedMs, message, judgements, exchanges, notes, stack } = outcome;
  const { signature, known } = outcome;
  const levels = coverage
    .filter((line) => check.clauses.some((id) => id === line.clause.id))
    .map((line) => line.clause.level);
  const isGood = verdict === 'pass' || verdict === 'observed';
  return {
    id: check.id,
    title: check.title,
    clauses: check.clauses,
    needs: check.needs,
    level: LEVELS_BY_STRICTNESS.find((level) => levels.includes(level)) ?? 'gap',
    verdict,
    durationMs: Math.round(durationMs),
    requests: exchanges.length,
    waitedMs: Math.round(waitedMs),
    message: scribe.redact(message),
    ...(signature !== undefined && { signature: scribe.redact(signature) }),
    ...(known && { known: { reason: known.reason, owner: known.owner, expires: known.expires } }),
    // Ids, titles and names of fields are ours; what came from outside may carry a key.
    evidence: redactDeep(
      {
        judgements,
        exchanges: isGood ? [] : tellingExchanges(outcome, scribe),
        unanswered: outcome.wireFailures.map((one) => scribe.unanswered(one)),
        notes,
        ...(outcome.sequence && { sequence: outcome.sequence }),
        ...(stack === undefined ? {} : { stack }),
      },
      scribe.redact,
    ),
  };
}

/** Exchanges kept of a check beside those that a mismatch names. */
const LAST_EXCHANGES_KEPT = 5;
/** Of a failure: all of it, unless it sent very many. */
const FAILURE_EXCHANGES_KEPT = 150;

function tellingExchanges(
  { verdict, exchanges, judgements }: CheckOutcome,
  scribe: Scribe,
): readonly ExchangeRecord[] {
  const named = new Set(judgements.map(({ mismatch }) => mismatch?.exchange));
  const kept = verdict === 'fail' || verdict === 'flaky' ? FAILURE_EXCHANGES_KEPT : LAST_EXCHANGES_KEPT;
  const last = new Set(exchanges.slice(-kept));
  return exchanges
    .filter((one) => named.has(one.position) || last.has(one))
    .map((one) => scribe.exchange(one));
}

/** Writes exchanges down: as text, of bounded length, without secrets. */
interface Scribe {
  readonly redact: Redact;
  exchange(numbered: NumberedExchange): ExchangeRecord;
  unanswered(failure: WireFailure): UnansweredRecord;
}

const BODY_MAX_CHARACTERS = 2_000;

function createScribe(result: ConformanceResult): Scribe {
  const secrets = secretsOf(result);
  const redact = createRedaction(secrets);
  // Redacted before it is cut: half a key is a secret as well.
  const bodyText = (body: Uint8Array | string | undefined): string =>
    clip(redact(body === undefined ? '' : Buffer.from(body).toString('utf8')));
  const requestRecord = ({ method, path, headers, body }: HttpRequest): RequestRecord => ({
    method,
    path,
    headers,
    body: bodyText(body),
  });
  return {
    redact,
    exchange: ({ position, waitedMs, exchange: { request, response, sentMs, receivedMs } }) => ({
      position,
      request: requestRecord(request),
      waitedMs: Math.round(waitedMs),
      response: { status: response.status, headers: response.headers, body: bodyText(response.body) },
      durationMs: Math.round(receivedMs - sentMs),
      curl: curlCommand(request, secrets),
    }),
    unanswered: ({ kind, message, request, sentMs, failedMs }) => ({
      kind,
      message,
      request: requestRecord(request),
      durationMs: Math.round(failedMs - sentMs),
      curl: curlCommand(request, secrets),
    }),
  };
}

function clip(text: string): string {
  if (text.length <= BODY_MAX_CHARACTERS) return text;
  return `${text.slice(0, BODY_MAX_CHARACTERS)}… (${text.length} characters)`;
}
