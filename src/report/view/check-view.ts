/**
 * View of a conformance run.
 */

import { countOf } from '../../common/count-of.ts';
import { shellArgument } from '../../common/shell-word.ts';
import type {
  CheckRecord,
  CheckRunRecord,
  ClauseRecord,
  DialectRecord,
  JudgementRecord,
} from '../../record/check-record.ts';
import { flagsAgain, flagWords, placeOfRun } from '../../record/flags-again.ts';
import { isCutShort } from '../../record/words.ts';
import { tellingTraffic } from './traffic.ts';
import { missingInWords, missingShards } from '../read/shards.ts';
import { causesOf } from './causes.ts';
import { lacksOf } from './lacks.ts';
import {
  byGroup,
  groupOf,
  headOf,
  NO_EVIDENCE,
  type ClauseView,
  type Finding,
  type ResultView,
  type RunView,
  type Standing,
} from './run-view.ts';

const NOUN = 'check';

const STANDING_OF: Readonly<Record<CheckRecord['verdict'], Standing>> = {
  fail: 'failed',
  'harness-error': 'error',
  'not-offered': 'skipped',
  blocked: 'blocked',
  flaky: 'error',
  warn: 'warned',
  untestable: 'skipped',
  inconclusive: 'skipped',
  'too-long': 'skipped',
  'not-applicable': 'skipped',
  observed: 'passed',
  pass: 'passed',
};

function standingOf(check: CheckRecord): Standing {
  // Nothing was wrong with it.
  const isNotRun = check.endedBy?.kind === 'process-lost' || isCutShort(check);
  return check.verdict === 'blocked' && isNotRun ? 'skipped' : STANDING_OF[check.verdict];
}

export function viewOfCheck(record: CheckRunRecord): RunView {
  const { summary, seed } = record;
  const { covered } = summary.clauses;
  const { judged, broken, warned, differs } = clauseCounts(record);
  const results = resultsOf(record);
  const { word, sentence } = verdictOf(record);
  const clauses = Object.entries(record.clauses).map(([id, clause]) => clauseOf(id, clause, record));
  return {
    ...headOf(record),
    causes: [...lossOf(record, results), ...causesOf(results, clauses, record.deviations)],
    lacks: lacksOf(record),
    chapters: chaptersOf(clauses),
    title: `Conformance of ${record.target.name}`,
    seed: String(seed),
    word,
    sentence: sentence + stopSentence(record),
    noun: NOUN,
    facts: factsOf(record),
    remarks: remarksOf(record),
    badge: { label: 'conformance', text: `${judged - broken - warned - differs}/${covered} clauses` },
    results,
    clauses,
    gaps: Object.entries(record.gaps).map(([id, { question, observations }]) => ({
      id,
      question,
      observations,
    })),
    tables: [],
    charts: [],
  };
}

/** A service that went away: nothing hides more. */
function lossOf({ summary: { lostIn }, checks }: CheckRunRecord, results: readonly ResultView[]): RunView['causes'] {
  if (lostIn === undefined) return [];
  const cutShort = checks.filter(isCutShort);
  const clauses = new Set(cutShort.flatMap((check) => check.clauses)).size;
  // Those after it were refused.
  const killers = results.flatMap(({ id, unanswered }) =>
    unanswered.filter(({ kind }) => kind !== 'refused').map(({ curl }) => ({ id, curl })),
  );
  const { id, curl } = killers[0] ?? { id: lostIn, curl: '' };
  const did = 'It went away, and nothing listens there any more; this request, or one beside it, was its last';
  const says = 'A service answers whatever it is sent, and goes on';
  return [{ id, clause: '', level: 'must', says, did, curl, checks: cutShort.length, clauses }];
}

function chaptersOf(clauses: readonly ClauseView[]): RunView['chapters'] {
  return [...byGroup(clauses)].map(([name, members]) => {
    const count = (...wanted: string[]): number => members.filter(({ outcome }) => wanted.includes(outcome)).length;
    return {
      name,
      kept: count('kept', 'observed'),
      broken: count('broken', 'warned', 'differs'),
      notOffered: count('not offered'),
      notJudged: count('not judged', 'not yet', 'excluded'),
    };
  });
}

function verdictOf(record: CheckRunRecord): { readonly word: string; readonly sentence: string } {
  const { summary } = record;
  const { broken } = clauseCounts(record);
  const failed = record.checks.filter(({ verdict, known }) => verdict === 'fail' && !known).length;
  if (summary.exitCode === 0) return { word: 'PASSED', sentence: passedSentence(record) };
  const isListAlone = failed === 0 && summary.baselineProblems.length > 0 && !record.deviations?.length;
  if (summary.exitCode === 1 && isListAlone) {
    return { word: 'FAILED', sentence: 'The list of known failures is out of date, and no other failure counts.' };
  }
  if (summary.exitCode === 1 && broken === 0 && linkCount(record, 'broken') > 0) {
    return { word: 'FAILED', sentence: `The service breaks ${linkCount(record, 'broken')} rules of the device link.` };
  }
  if (summary.exitCode === 1 && broken > 0) {
    return { word: 'FAILED', sentence: brokenSentence(record) + absenceSentence(record) };
  }
  if (summary.exitCode === 1 && undeclared(record).length > 0) {
    return { word: 'FAILED', sentence: `${passedSentence(record)}${absenceSentence(record)}` };
  }
  if (summary.exitCode === 1) {
    return { word: 'FAILED', sentence: `${countOf(failed, NOUN)} failed before judging anything.` };
  }
  if (summary.exitCode === 130) return { word: 'INTERRUPTED', sentence: cutShortSentence(record) };
  if (summary.lostIn !== undefined) {
    const sentence = `The service went away during ${summary.lostIn}: nothing listens there any more.`;
    return { word: 'CUT SHORT', sentence: `${sentence} ${cutShortSentence(record)}` };
  }
  if (summary.exitCode === 2) {
    return {
      word: 'INCOMPLETE',
      sentence: `No failure counts, but not everything could be judged.${remedyOf(record)}`,
    };
  }
  return { word: 'BROKEN', sentence: 'platen itself broke: this run says nothing about the service.' };
}

function undeclared({ target: { notOffered = [] } }: CheckRunRecord): readonly string[] {
  return notOffered.filter(({ isDeclared }) => !isDeclared).map(({ name }) => name);
}

/** Said of a service that has not built everything; empty for one that has. */
function absenceSentence(record: CheckRunRecord): string {
  const names = undeclared(record);
  return names.length === 0 ? '' : ` It does not offer ${names.join(', ')}, and its descriptor does not say so.`;
}

/** Said where --max-failures ended the run; empty elsewhere. */
function stopSentence({ checks }: CheckRunRecord): string {
  const stopped = checks.filter(({ endedBy }) => endedBy?.kind === 'failed-enough').length;
  if (stopped === 0) return '';
  return ` It stopped there, as -x or --max-failures says: ${stopped} of ${countOf(checks.length, NOUN)} did not run to the end.`;
}

function cutShortSentence(record: CheckRunRecord): string {
  const { checks } = record;
  const cutShort = checks.filter(isCutShort).length;
  const found = clauseCounts(record).broken > 0 ? brokenSentence(record) : 'No failure counts.';
  return `${cutShort} of ${countOf(checks.length, NOUN)} did not finish. ${found}`;
}

interface ClauseCounts {
  readonly judged: number;
  /** At a level that fails a run. */
  readonly broken: number;
  /** Broken at the level should, without --strict. */
  readonly warned: number;
  /** Otherwise than the specification observed: neither a breach nor a warning. */
  readonly differs: number;
}

function clauseCounts(record: CheckRunRecord): ClauseCounts {
  const { covered, notJudged, notOffered = 0 } = record.summary.clauses;
  const words = Object.values(record.clauses).map((clause) => outcomeInWords(clause, record));
  const [broken = 0, warned = 0, differs = 0] = ['broken', 'warned', 'differs'].map(
    (wanted) => words.filter((word) => word === wanted).length,
  );
  return { judged: covered - notJudged - notOffered, broken, warned, differs };
}

function passedSentence(record: CheckRunRecord): string {
  const { judged, broken, warned, differs } = clauseCounts(record);
  if (broken > 0) return `${brokenSentence(record)} The failures are known.`;
  if (warned > 0) {
    return `The service breaks no must among the ${judged} clauses that were judged, and ${warned} of level should.`;
  }
  const kept = `The service keeps the ${judged - differs} clauses that were judged`;
  return differs === 0 ? `${kept}.` : `${kept}, and differs in ${differs} from what was only observed.`;
}

function brokenSentence(record: CheckRunRecord): string {
  const { judged, broken, warned } = clauseCounts(record);
  const breaks = `The service breaks ${broken} of the ${judged} clauses that were judged`;
  return warned === 0 ? `${breaks}.` : `${breaks}, and ${warned} of level should, which only warns.`;
}

/** What makes a run whole that lacks nothing but time. */
function remedyOf({ checks, target }: CheckRunRecord): string {
  const open = checks.filter(({ verdict, known }) => known === undefined && LEAVES_OPEN.has(verdict));
  const isTime = open.every(({ verdict, needs }) => verdict === 'inconclusive' && needs.includes('virtual-clock'));
  if (open.length === 0 || !isTime || target.contradictions.length > 0) return '';
  const count = open.length === 1 ? '1 check takes' : `${open.length} checks take`;
  return ` ${count} longer than a run can wait: \`waits: 60s\` in the target descriptor declares that.`;
}

const LEAVES_OPEN: ReadonlySet<CheckRecord['verdict']> = new Set(['blocked', 'untestable', 'inconclusive', 'flaky']);

function dialectOf({ dialect = [] }: CheckRunRecord, sources: readonly DialectRecord['source'][]) {
  return dialect.filter(({ source }) => sources.includes(source));
}

function factsOf(record: CheckRunRecord): RunView['facts'] {
  const { target, selection, summary } = record;
  const spoken = dialectOf(record, ['asked', 'given']);
  const { profile, grep, shards, planned } = selection;
  const { clauses, checks } = summary;
  const { broken, warned, differs } = clauseCounts(record);
  return [
    ['Target', `${target.name} (${target.kind})`],
    ['Address', target.baseUrl],
    ['Brings', target.capabilities.join(', ') || 'nothing beyond its address and a key'],
    ['Plan', `${countOf(planned, NOUN)}, profile ${profile}${grep === null ? '' : `, matching ${grep}`}`],
    ...(shards ? [['Shards', `${shards.held.join(', ')} of ${shards.of}`] as const] : []),
    ...(spoken.length > 0 ? [['Dialect', spoken.map(({ words }) => words).join('; ')] as const] : []),
    ['Run', `${countOf(checks.total, NOUN)}, ${countOf(summary.requests, 'request')}${inOneLane(summary)}`],
    [
      'Clauses',
      `${clauses.total} in the specification: ${clauses.covered} with a check (${broken} broken, ${warned} with a ` +
        `warning, ${differs} otherwise than observed, ${clauses.notJudged} not judged here${clauses.notOffered ? `, ${clauses.notOffered} not offered` : ''}), ${clauses.excluded} excluded with a reason, ${clauses.notYet} not yet`,
    ],
    ...linkFact(record),
  ];
}

function linkCount({ linkClauses = {} }: CheckRunRecord, wanted: ClauseRecord['outcome']): number {
  return Object.values(linkClauses).filter(({ outcome }) => outcome === wanted).length;
}

/** Apart from the clauses of the specification: the link is no part of it. */
function linkFact(record: CheckRunRecord): RunView['facts'] {
  const { linkClauses } = record;
  if (!linkClauses) return [];
  const [kept, broken, notJudged] = (['kept', 'broken', 'not-judged'] as const).map((one) => linkCount(record, one));
  const total = Object.keys(linkClauses).length;
  if (notJudged === total) return [];
  return [
    ['Device link', `${total} rules of docs/device-link.md: ${kept} kept, ${broken} broken, ${notJudged} not judged`],
  ];
}

function inOneLane({ lack }: CheckRunRecord['summary']): string {
  return lack === undefined ? '' : `, in one lane (${lack})`;
}

function remarksOf(record: CheckRunRecord): readonly string[] {
  const isIncomplete = missingShards(record.selection).length > 0;
  return [
    ...(isIncomplete ? [`Not all of the plan was run: shard ${missingInWords(record.selection)} is missing.`] : []),
    ...slowLine(record.summary.slowedTo),
    ...record.summary.baselineProblems.map((problem) => `Known failures, ${problem}`),
    ...dialectOf(record, ['not-found-out']).map(({ gap, words }) => `Not found out, ${gap}: ${words}`),
    ...record.target.contradictions.map((line) => `Differs from its declaration: ${line}`),
    ...leftBehindLines(record.summary.leftBehind),
  ];
}

function slowLine(slowedTo: number | undefined): readonly string[] {
  if (slowedTo === undefined) return [];
  return [
    `The service answered 429 at the rate that the specification grants: the run went on at ${slowedTo} requests a second.`,
  ];
}

/** One line a cause: what stayed there for the same reason differs in ids and in the check that had made it. */
function leftBehindLines(lines: readonly string[]): readonly string[] {
  const causes = Map.groupBy(lines, (line) => line.replace(/^\S+: (?=not cleaned up)/, '').replaceAll(/\d+/g, '#'));
  return [...causes.values()].map(([first = '', ...others]) =>
    others.length === 0
      ? first
      : `${first.replace(/^\S+: (?=not cleaned up)/, '')} (and ${others.length} more like this)`,
  );
}

function resultsOf(record: CheckRunRecord): readonly ResultView[] {
  const ids = new Set(record.checks.map(({ id }) => id));
  // In a part of a run, what a result follows from may be elsewhere.
  const following = record.checks.filter(({ followsFrom = '' }) => ids.has(followsFrom));
  const followers = Map.groupBy(following, ({ followsFrom = '' }) => followsFrom);
  return record.checks.map((check) => ({
    ...resultOf(check, record),
    followsFrom: following.includes(check) ? (check.followsFrom ?? '') : '',
    followers: (followers.get(check.id) ?? []).map(({ id, verdict, message }) => ({ id, verdict, message })),
  }));
}

function resultOf(check: CheckRecord, record: CheckRunRecord): ResultView {
  const { evidence, known, id } = check;
  const standing = known ? 'known' : standingOf(check);
  return {
    ...NO_EVIDENCE,
    id,
    title: check.title,
    group: groupOf(id),
    standing,
    verdict: check.verdict,
    durationMs: check.durationMs,
    ...(check.endedBy && { endedBy: check.endedBy }),
    message: known ? `${check.message} Known: ${known.reason} (${known.owner}, until ${known.expires})` : check.message,
    clauses: check.clauses,
    findings: evidence.judgements.flatMap((judgement) => findingOf(judgement, record)),
    observed: evidence.judgements.flatMap(({ clause, observation }) =>
      observation === undefined ? [] : [{ clause, what: observation }],
    ),
    exchanges: evidence.exchanges,
    unanswered: evidence.unanswered,
    traffic: tellingTraffic(evidence),
    notes: evidence.notes,
    stack: evidence.stack ?? '',
    script: hasFailed(check) ? `${failureFolder(id)}/repro.sh` : '',
    repeat:
      standing === 'passed' || standing === 'skipped' ? '' : replayLine(['run.json', shellArgument(id)], record.target),
  };
}

/**
 * A line that repeats it at the same place, with what the record itself cannot say.
 *
 * @param what - words of a shell
 */
export function replayLine(what: readonly string[], target: CheckRunRecord['target']): string {
  return ['platen replay', ...what, ...flagWords(flagsAgain(placeOfRun(target)))].join(' ');
}

/** Whether the check failed: then it has a folder beside the record. */
export function hasFailed({ verdict }: CheckRecord): boolean {
  return verdict === 'fail' || verdict === 'flaky';
}

export function failureFolder(id: string): string {
  return `failures/${id.replaceAll('/', '-')}`;
}

function findingOf({ clause, mismatch }: JudgementRecord, record: CheckRunRecord): readonly Finding[] {
  if (!mismatch) return [];
  const known = clauseNamed(clause, record);
  const { at, expected, actual, exchange } = mismatch;
  return [
    {
      clause,
      level: known?.level ?? 'gap',
      statement: known?.statement ?? '',
      source: known?.source ?? '',
      at,
      expected,
      actual,
      exchange,
    },
  ];
}

/** Ids come from a file: one may be the name of something every object has. */
function clauseNamed(id: string, { clauses, linkClauses = {} }: CheckRunRecord): ClauseRecord | undefined {
  if (Object.hasOwn(clauses, id)) return clauses[id];
  return Object.hasOwn(linkClauses, id) ? linkClauses[id] : undefined;
}

function clauseOf(id: string, clause: ClauseRecord, record: CheckRunRecord): ClauseView {
  const { level, statement, source = '', checks } = clause;
  return { id, level, statement, source, outcome: outcomeInWords(clause, record), reason: reasonOf(clause), checks };
}

/** Why it is not judged; empty where that is no matter of its own. */
function reasonOf({ reason, since }: ClauseRecord): string {
  if (reason !== undefined) return `Excluded: ${reason}`;
  return since === undefined ? '' : `Not judged: all that was found of it comes of ${since} being broken`;
}

/** A clause that was broken is told by what that means: only a must, or with --strict a should, fails a run. */
function outcomeInWords({ level, status, outcome }: ClauseRecord, { strict }: CheckRunRecord): ClauseView['outcome'] {
  if (status !== 'covered') return status.replace('-', ' ');
  if (outcome !== 'broken') return outcome.replace('-', ' ');
  if (level === 'observed') return 'differs';
  return level === 'should' && strict !== true ? 'warned' : 'broken';
}
