/**
 * Builds the record of a run of checks: without secrets, each exchange as text of bounded length.
 */

import { mapStrings } from '../../common/map-strings.ts';
import type {
  CheckRecord,
  CheckRunRecord,
  CheckSummary,
  DeviationRecord,
  ClauseRecord,
  EvidenceRecord,
  ExchangeRecord,
  JudgementRecord,
  RequestRecord,
  SelectionRecord,
  UnansweredRecord,
} from '../../record/check-record.ts';
import { clauseCounts, concluded, type ConcludedRun } from '../../record/concluded-run.ts';
import { stalledWith } from '../../record/defects.ts';
import { headOfRun } from '../../record/head-of-run.ts';
import type { Verdict } from '../../record/words.ts';
import { LEVELS } from '../../specification/clause.ts';
import { curlCommand } from '../../wire/curl.ts';
import type { HttpRequest, WireFailure } from '../../wire/http-exchange.ts';
import type { Judgement } from '../context/judgement.ts';
import type { ConformanceResult } from '../run/run-conformance.ts';
import type { ClauseCoverage } from '../verdict/coverage.ts';
import type { RunDeviation } from '../verdict/deviations.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import { createRedaction, secretsOf, type Redact } from './redaction.ts';
import { exchangeTeller, type TellingExchange } from './telling-exchanges.ts';

/**
 * The record of a run, without secrets.
 *
 * @param runId - made of time and seed unless given
 */
export function buildRunRecord(result: ConformanceResult, runId = runIdOf(result)): CheckRunRecord {
  const { target, seed, startedAt } = result;
  const durationMs = Math.round(result.durationMs);
  const scribe = createScribe(result);
  const { checks, clauses, linkClauses } = concluded({
    ...judgedRun(result, scribe),
    deviations: result.deviations.map(({ deviation }) => deviation),
  });
  return {
    ...headOfRun('check', { runId, startedAt, durationMs }),
    seed,
    ...(result.strict && { strict: true as const }),
    target: {
      name: scribe.redact(target.name),
      kind: target.kind,
      baseUrl: scribe.redact(target.baseUrl),
      ...(target.linkName !== undefined && { link: scribe.redact(target.linkName) }),
      ...(target.given && { given: mapStrings(target.given, scribe.redact) }),
      capabilities: result.capabilities,
      ...(result.notOffered.length > 0 && { notOffered: result.notOffered }),
      contradictions: (target.contradictions ?? []).map(scribe.redact),
    },
    selection: selectionRecord(result),
    summary: summarize(result, clauses, scribe),
    clauses,
    ...(linkClauses && { linkClauses }),
    gaps: Object.fromEntries(
      result.gaps.map(({ gap, checks, observations }) => [
        gap.id,
        { question: gap.question, checks, observations: observations.map(scribe.redact) },
      ]),
    ),
    dialect: result.dialect.map(({ question, gap, source, words, answer = null }) => ({
      question,
      gap,
      source,
      words: scribe.redact(words),
      answer,
    })),
    ...(result.deviations.length > 0 && {
      deviations: result.deviations.map((one) => deviationRecord(one, result, scribe)),
    }),
    checks,
  };
}

function deviationRecord(
  { deviation: { id, clauses, at, expected, actual }, exchange: position, checks, likewise }: RunDeviation,
  { exchanges }: ConformanceResult,
  scribe: Scribe,
): DeviationRecord {
  const exchange = exchanges[position];
  const shown = exchange && scribe.exchange({ position, exchange, waitedMs: 0 }, exchange.sentMs);
  const evidence = { id, at, expected, actual, ...(shown && { exchange: shown }) };
  const places = likewise.map((place) => ({ at: place.at, clause: place.clauses[0] }));
  const others = places.length > 0 && { likewise: places };
  return { ...mapStrings(evidence, scribe.redact), clauses: [...clauses], checks, ...others };
}

function runIdOf({ startedAt, seed }: ConformanceResult): string {
  return `check-${startedAt.replaceAll(/[-:]|\.\d+/g, '')}-${(seed % 0x10000).toString(16).padStart(4, '0')}`;
}

/** With what follows from a stall, and nothing else: of that the judgements tell. */
function judgedRun({ outcomes, coverage, linkCoverage }: ConformanceResult, scribe: Scribe): ConcludedRun {
  const flaky = outcomes.filter(({ verdict, known }) => verdict === 'flaky' && known === undefined);
  const stalled = stalledWith(flaky.map((outcome) => ({ id: outcome.check.id, atMs: failedMs(outcome) })));
  return {
    checks: outcomes.map((outcome) => {
      const followsFrom = stalled.get(outcome.check.id);
      const check = checkRecord(outcome, [...coverage, ...linkCoverage], scribe);
      return followsFrom === undefined ? check : { ...check, followsFrom };
    }),
    clauses: clausesOf(coverage),
    ...(linkCoverage.length > 0 && { linkClauses: clausesOf(linkCoverage) }),
  };
}

function clausesOf(lines: readonly ClauseCoverage[]): ConcludedRun['clauses'] {
  return Object.fromEntries(lines.map((line) => [line.clause.id, clauseRecord(line)]));
}

/** When something was first found wrong. */
function failedMs({ judgements, wireFailures, startMs, durationMs }: CheckOutcome): number {
  const broken = judgements.flatMap(({ mismatch, atMs }) => (mismatch && atMs !== undefined ? [atMs] : []));
  return Math.min(...broken, ...wireFailures.map((failure) => failure.failedMs), startMs + durationMs);
}

function selectionRecord({ selection, planned }: ConformanceResult): SelectionRecord {
  const { profile = 'full', grep = null, ids, shard } = selection;
  const pattern = ids ? `^(${ids.join('|')})$` : grep;
  return { profile, grep: pattern, planned, shards: shard ? { held: [shard.index], of: shard.count } : null };
}

function summarize(result: ConformanceResult, clauses: ConcludedRun['clauses'], scribe: Scribe): CheckSummary {
  const { outcomes, requests, leftBehind, baselineProblems, exitCode, lack, lostIn } = result;
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of outcomes) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return {
    checks: { total: outcomes.length, ...counts },
    clauses: clauseCounts(clauses),
    baselineProblems,
    known: outcomes.filter(({ known }) => known !== undefined).length,
    leftBehind: leftBehind.map(scribe.redact),
    requests,
    ...(lack !== undefined && { lack }),
    ...(result.slowedTo !== undefined && { slowedTo: Math.round(result.slowedTo * 10) / 10 }),
    ...(lostIn !== undefined && { lostIn }),
    exitCode,
  };
}

function clauseRecord({ clause, status, outcome, checks, reason }: ClauseCoverage): ClauseRecord {
  const { level, statement, source } = clause;
  return {
    level,
    statement,
    ...(source === undefined ? {} : { source }),
    status,
    outcome,
    checks,
    ...(reason === undefined ? {} : { reason }),
  };
}

function checkRecord(outcome: CheckOutcome, coverage: readonly ClauseCoverage[], scribe: Scribe): CheckRecord {
  const { check, verdict, durationMs, waitedMs, message, judgements, exchanges, notes, stack } = outcome;
  const { signature, known, endedBy, unmet, unseen } = outcome;
  const levels = coverage
    .filter((line) => check.clauses.some((id) => id === line.clause.id))
    .map((line) => line.clause.level);
  const isGood = verdict === 'pass' || verdict === 'observed';
  return {
    id: check.id,
    title: check.title,
    clauses: check.clauses,
    needs: check.needs,
    level: LEVELS.find((level) => levels.includes(level)) ?? 'gap',
    verdict,
    durationMs: micros(durationMs),
    requests: exchanges.length,
    waitedMs: Math.round(waitedMs),
    message: scribe.redact(message),
    ...(endedBy && { endedBy }),
    ...(unmet && { unmet: mapStrings(unmet, scribe.redact) }),
    ...(signature !== undefined && { signature: scribe.redact(signature) }),
    ...(known && { known: { reason: known.reason, owner: known.owner, expires: known.expires } }),
    // Ids, titles and names of fields are ours; what came from outside may carry a key.
    evidence: mapStrings(
      {
        judgements: judgements.map((one) => scribe.judgement(one, outcome)),
        exchanges: isGood ? [] : scribe.exchanges(outcome),
        unanswered: outcome.wireFailures.map((one) => scribe.unanswered(one)),
        ...(!isGood && scribe.traffic(outcome)),
        notes,
        ...(unseen.length > 0 && { unseen }),
        ...(stack === undefined ? {} : { stack }),
      },
      scribe.redact,
    ),
  };
}

/** Writes exchanges down: as text, of bounded length, without secrets. */
interface Scribe {
  readonly redact: Redact;
  /** Those that show what was wrong. */
  exchanges(outcome: CheckOutcome): readonly ExchangeRecord[];
  /** One of them, of what began at `startMs`. */
  exchange(one: TellingExchange, startMs: number): ExchangeRecord;
  traffic(outcome: CheckOutcome): Pick<EvidenceRecord, 'frames' | 'deliveries'>;
  judgement(judgement: Judgement, outcome: CheckOutcome): JudgementRecord;
  unanswered(failure: WireFailure): UnansweredRecord;
}

const BODY_MAX_CHARACTERS = 2_000;
/** How many characters one of a secret may take: in JSON, six. */
const ENCODED_MOST = 6;
/** Frames, and deliveries, of one check. */
const TRAFFIC_KEPT = 200;

/** Milliseconds to the microsecond: many an answer takes less than one of them. */
function micros(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function createScribe(result: ConformanceResult): Scribe {
  const secrets = secretsOf(result);
  const redact = createRedaction(secrets);
  const telling = exchangeTeller(result);
  const searchedMost = BODY_MAX_CHARACTERS + Math.max(0, ...secrets.map(({ value }) => value.length)) * ENCODED_MOST;
  const bodyText = (body: Uint8Array | string | undefined): string => {
    const text = body === undefined ? '' : Buffer.from(body).toString('utf8');
    // Redacted before it is cut, and what may be half a key at the end of what was searched left out.
    const searched = redact(text.slice(0, searchedMost));
    const safe = searched.length - (searchedMost - BODY_MAX_CHARACTERS);
    return text.length <= searchedMost ? clip(searched, searched.length) : clip(searched.slice(0, safe), text.length);
  };
  const requestRecord = ({ method, path, headers, body }: HttpRequest): RequestRecord => ({
    method,
    path,
    headers,
    body: bodyText(body),
  });
  const exchangeRecord: Scribe['exchange'] = ({ position, waitedMs, sender, exchange }, startMs) => {
    const { request, response, sentMs, receivedMs } = exchange;
    return {
      position,
      ...(sender !== undefined && { sender }),
      atMs: micros(sentMs - startMs),
      request: requestRecord(request),
      waitedMs: Math.round(waitedMs),
      response: { status: response.status, headers: response.headers, body: bodyText(response.body) },
      durationMs: micros(receivedMs - sentMs),
      curl: curlCommand(request, secrets),
    };
  };
  return {
    redact,
    exchange: exchangeRecord,
    exchanges: (outcome) => telling(outcome).map((one) => exchangeRecord(one, outcome.startMs)),
    traffic: ({ traffic: { frames, deliveries }, startMs }) => ({
      ...(frames.length > 0 && {
        frames: frames.slice(-TRAFFIC_KEPT).map(({ atMs, computer, from, text }) => ({
          atMs: micros(atMs - startMs),
          computer,
          from,
          text: bodyText(text),
        })),
      }),
      ...(deliveries.length > 0 && {
        deliveries: deliveries.slice(-TRAFFIC_KEPT).map(({ arrivedMonotonicMs, method, path, ...delivery }) => ({
          atMs: micros(arrivedMonotonicMs - startMs),
          method,
          path,
          headers: delivery.rawHeaders,
          body: delivery.body.state === 'too-large' ? '' : bodyText(delivery.body.bytes),
          reply: delivery.reply.chosen?.name ?? 'none yet',
        })),
      }),
    }),
    judgement: ({ atMs, ...judgement }, { startMs }) =>
      atMs === undefined ? judgement : { ...judgement, atMs: micros(atMs - startMs) },
    unanswered: ({ kind, message, request, sentMs, failedMs }) => ({
      kind,
      message,
      request: requestRecord(request),
      durationMs: micros(failedMs - sentMs),
      curl: curlCommand(request, secrets),
    }),
  };
}

function clip(text: string, characters: number): string {
  if (characters <= BODY_MAX_CHARACTERS) return text;
  return `${text.slice(0, BODY_MAX_CHARACTERS)}… (${characters} characters)`;
}
