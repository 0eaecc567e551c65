/**
 * Judges a load run: facts in, verdict out.
 *
 *   aborted ─► incomplete ─► ledger, webhooks or responses broken: fail ─► generator late: invalid ─► …
 *
 * The first that applies decides. A lost job counts however late the generator was, but the percentiles of a late
 * generator mean nothing. Only the whole run is judged, never a shard.
 */

import { countOf } from '../../common/count-of.ts';
import { formatDuration, formatMicroseconds } from '../../common/duration.ts';
import { sumOf } from '../../common/sums.ts';
import { activeMsIn } from '../measure/active-time.ts';
import type { LoadFacts, LoadRecord, LossRecord, ThresholdResult } from '../../record/load-record.ts';
import {
  BAD_LEDGER_CLASSES,
  BAD_STRAYS,
  BAD_WEBHOOK_CLASSES,
  LEDGER_CLASSES,
  REQUEST_OUTCOMES,
  type LoadVerdict,
} from '../../record/words.ts';
import { measuresOf } from '../measure/measures.ts';
import { driftOf } from './drift.ts';
import { judgeThreshold, parseThreshold } from './thresholds.ts';

/** How late the generator may be at the 99th percentile, unless a threshold on `lateness` sets another limit. */
const MOST_LATENESS_US = 10_000;
/** The largest share of a stream's requests that may fail, unless a threshold sets another limit. */
const MOST_ERRORS_SHARE = 0.01;
/** Metrics of a stream that cover all its errors. */
const WORDS_FOR_ALL = ['ok', 'errors', 'rate'];
/** How precisely the time of a loss is known, from the last heartbeat. */
const LOSS_KNOWN_WITHIN_MS = 1_000;

export function judgeLoad(facts: LoadFacts): LoadRecord {
  const losses = declaredLosses(facts);
  const missingShards = missingOf(facts, losses);
  const thresholds = thresholdsOf(facts);
  const { verdict, reasons } = verdictOf(facts, missingShards, thresholds);
  const pass = thresholds.filter(({ kept }) => kept).length;
  const summary = {
    exitCode: exitCodeOfLoad({ verdict, ending: facts.ending }),
    thresholds: { total: thresholds.length, pass, fail: thresholds.length - pass },
  };
  const drift = driftOf(facts);
  const streams = facts.streams.map((stream) => ({ ...stream, activeMs: activeMsIn(facts, stream.name) }));
  const times = { streams, activeMs: activeMsIn(facts) };
  const judged = { ...facts, ...times, thresholds, verdict, reasons, missingShards, summary };
  return { ...judged, ...(losses && { losses }), ...(drift && { drift }) };
}

/** 1 where the target failed, 2 where nothing can be concluded. */
export function exitCodeOfLoad({ verdict, ending }: Pick<LoadRecord, 'verdict' | 'ending'>): number {
  if (ending === 'interrupted') return 130;
  if (verdict === 'pass') return 0;
  return verdict === 'fail' || verdict === 'aborted' ? 1 : 2;
}

interface Judged {
  readonly verdict: LoadVerdict;
  readonly reasons: readonly string[];
}

function verdictOf(facts: LoadFacts, missingShards: readonly number[], thresholds: readonly ThresholdResult[]): Judged {
  const broken = thresholds.filter(({ kept }) => !kept);
  const late = broken.filter(({ text }) => isAboutLateness(text));
  const questions: readonly Judged[] = [
    { verdict: 'aborted', reasons: facts.abortedBy === null ? [] : [`given up: ${facts.abortedBy}`] },
    { verdict: 'incomplete', reasons: incompleteness(facts, missingShards) },
    { verdict: 'fail', reasons: [...ledgerBreaks(facts), ...webhookBreaks(facts), ...responseBreaks(facts)] },
    { verdict: 'invalid', reasons: [...lateness(facts), ...late.map(brokenThreshold)] },
    { verdict: 'fail', reasons: [...broken.map(brokenThreshold), ...errors(facts)] },
  ];
  const found = questions.find(({ reasons }) => reasons.length > 0);
  return found ? { ...found, reasons: [...found.reasons, ...silenceOf(facts)] } : { verdict: 'pass', reasons: [] };
}

function missingOf({ plan: { shards, present } }: LoadFacts, losses: readonly LossRecord[] = []): readonly number[] {
  const lost = losses.map(({ shard }) => shard);
  return Array.from({ length: shards }, (_, index) => index + 1).filter(
    (shard) => !present.includes(shard) && !lost.includes(shard),
  );
}

/**
 * Which of the lost workers the scenario declares, undefined when it declares none: in order of time, each takes up a
 * declaration that covers it. What became of the jobs of a lost worker is unknown: they are no part of the account, and
 * are reported beside it. Without a declaration the run is incomplete.
 */
function declaredLosses({ plan, workers = [] }: LoadFacts): readonly LossRecord[] | undefined {
  if (!plan.losses) return undefined;
  const { submissions } = plan.losses;
  const open = plan.losses.declared
    .map(({ atMs, withinMs, workers: left }) => ({
      fromMs: atMs - LOSS_KNOWN_WITHIN_MS,
      untilMs: withinMs === null ? Infinity : atMs + withinMs + LOSS_KNOWN_WITHIN_MS,
      left,
    }))
    .toSorted((one, other) => one.untilMs - other.untilMs);
  return workers
    .flatMap(({ shard, name, lostAtMs }) => (lostAtMs === undefined ? [] : [{ shard, name, atMs: lostAtMs }]))
    .toSorted((one, other) => one.atMs - other.atMs)
    .flatMap((loss): LossRecord[] => {
      const fits = open.find(({ fromMs, untilMs, left }) => left > 0 && fromMs <= loss.atMs && loss.atMs <= untilMs);
      if (!fits) return [];
      fits.left--;
      return [{ ...loss, unknownJobs: submissions[loss.shard - 1] ?? 0 }];
    });
}

function thresholdsOf(facts: LoadFacts): readonly ThresholdResult[] {
  const measures = measuresOf(facts);
  const streams = facts.streams.map(({ name }) => name);
  return facts.plan.thresholds.map((text) => {
    const parsed = parseThreshold(text, streams);
    return parsed.ok ? judgeThreshold(parsed.value, measures) : { text, measured: null, kept: false };
  });
}

function incompleteness(facts: LoadFacts, missingShards: readonly number[]): readonly string[] {
  const reasons = (facts.workers ?? [])
    .filter(({ shard, finding }) => finding !== '' && missingShards.includes(shard))
    .map(({ finding }) => finding);
  if (missingShards.length > 0) {
    reasons.push(`missing of ${facts.plan.shards} shards: ${missingShards.join(', ')}`);
  }
  if (facts.ending === 'interrupted') reasons.push('it was interrupted before its end');
  const requests = facts.streams.flatMap(({ counts }) => Object.values(counts));
  const waiting = facts.ledger.totals.classes['said-waiting'];
  if (waiting > 0)
    reasons.push(`${countOf(waiting, 'job')} still on the way when the drain was over, by the word of the service`);
  if (requests.every((count) => count === 0)) reasons.push('not one request was made');
  return reasons;
}

function ledgerBreaks({ ledger: { totals } }: LoadFacts): readonly string[] {
  const reasons = BAD_LEDGER_CLASSES.filter((name) => totals.classes[name] > 0).map(
    (name) => `${countOf(totals.classes[name], 'job')} ${name}`,
  );
  const sum = sumOf(LEDGER_CLASSES, (name) => totals.classes[name]);
  if (sum !== totals.intents) reasons.push(`the classes add up to ${sum}, not to ${totals.intents} jobs`);
  if (totals.unreported > 0)
    reasons.push(`${countOf(totals.unreported, 'job')} printed, whose report the service never acknowledged`);
  if (totals.clashes > 0) reasons.push(`${totals.clashes} job ids were given to two submissions`);
  return reasons;
}

function webhookBreaks({ webhooks, disasters }: LoadFacts): readonly string[] {
  if (webhooks === null) return [];
  // A killed service has lost what it counted since its last commit.
  const wasKilled = disasters.some(({ what }) => what === 'service-killed');
  const disagreements = wasKilled ? [] : webhooks.reconciliation.filter(({ agrees }) => !agrees);
  return [
    ...BAD_WEBHOOK_CLASSES.filter((name) => webhooks.classes[name] > 0).map(
      (name) => `${webhooks.classes[name]} webhook events ${name}`,
    ),
    ...BAD_STRAYS.filter((kind) => webhooks.strays[kind] > 0).map(
      (kind) => `${webhooks.strays[kind]} webhook events beside the account: ${kind}`,
    ),
    ...disagreements.map(
      ({ counter, service, seen }) => `the service counts ${service} ${counter}, the receivers saw ${seen}`,
    ),
  ];
}

function responseBreaks({ responses }: LoadFacts): readonly string[] {
  return responses.broken.map(
    ({ clause, count, example }) =>
      `${count} responses broke ${clause}: expected ${example.expected}, got ${example.actual}`,
  );
}

/**
 * A run in which the service hardly answers is not a good one, even if its file says nothing about that. An outcome
 * that a threshold of the stream names is left to it; where something is switched off on purpose, all of them are.
 */
function errors({ streams, plan: { thresholds }, disasters }: LoadFacts): readonly string[] {
  if (disasters.length > 0) return [];
  return streams.flatMap(({ name, counts }) => {
    const judged = measuresNamed(thresholds, name);
    if (WORDS_FOR_ALL.some((word) => judged.has(word))) return [];
    const all = sumOf(REQUEST_OUTCOMES, (outcome) => counts[outcome]);
    const bad = REQUEST_OUTCOMES.filter((outcome) => outcome !== 'ok' && counts[outcome] > 0 && !judged.has(outcome));
    const count = sumOf(bad, (outcome) => counts[outcome]);
    if (count <= all * MOST_ERRORS_SHARE) return [];
    const kinds = bad.map((outcome) => `${outcome} ${counts[outcome]}`).join(', ');
    const advice = bad.includes('limited') ? `; ${MORE_SENDERS}` : '';
    return [
      `${name}: ${count} of ${all} requests were not answered well (${kinds}); a threshold on ${name}.errors may allow it${advice}`,
    ];
  });
}

const MORE_SENDERS = '--plan tells which traffic.accounts and traffic.sources stay below a limit';

/** `limited` of `neighbour.limited > 0`. */
function measuresNamed(thresholds: readonly string[], stream: string): ReadonlySet<string> {
  const words = thresholds.map((text) => text.trim().split(/[.\s<>=!]+/));
  return new Set(words.filter(([scope]) => scope === stream).flatMap(([, measure = '']) => measure));
}

function lateness({ self, plan }: LoadFacts): readonly string[] {
  if (plan.thresholds.some(isAboutLateness) || self.lateness.p99Us <= MOST_LATENESS_US) return [];
  return [
    `the generator itself was ${formatMicroseconds(self.lateness.p99Us)} late at the 99th percentile ` +
      `(at most ${formatMicroseconds(MOST_LATENESS_US)}): its figures are not those of the service`,
  ];
}

function isAboutLateness(text: string): boolean {
  return text.trimStart().startsWith('lateness.');
}

function brokenThreshold({ text, measured }: ThresholdResult): string {
  return `${text}: ${measured === null ? 'nothing was measured' : `measured ${measured}`}`;
}

/** One may be the end of a run. */
const LEAST_SILENT_SECONDS = 2;

/**
 * From when on the service answered nothing any more, although requests went on. The seconds do not tell which of their
 * errors were answers, so nothing is said of a run with such.
 */
function silenceOf({ streams, series }: Pick<LoadFacts, 'streams' | 'series'>): readonly string[] {
  if (streams.some(({ counts: { limited, refused, failed } }) => limited + refused + failed > 0)) return [];
  const last = series.findLast(({ arrivals, errors }) => arrivals > errors)?.second ?? -1;
  const silent = series.filter(({ second, errors }) => second > last && errors > 0);
  if (silent.length < LEAST_SILENT_SECONDS) return [];
  return [`the service answered nothing from ${formatDuration((last + 1) * 1_000)} into the run on`];
}
