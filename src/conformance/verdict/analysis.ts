/**
 * Analysis: judges a stored run again, without its target. What the run says about itself must follow from
 * what it stored; where it does not, either the record was tampered with or a judge has changed since.
 *
 *   judgements ─► verdicts ─► counts, coverage, exit code     compared with those that stand in the record
 *   exchanges  ─► rules of every response and exchange        compared with what the checks of them said
 */

import { EXCHANGE_RULES } from '../../oracle/exchange-rules.ts';
import type { ObservedExchange } from '../../oracle/invariant.ts';
import { INVARIANTS, judgeHistory } from '../../oracle/invariants.ts';
import { describeMismatch } from '../../oracle/mismatch.ts';
import { consequencesOf, type JudgedCheck } from '../../record/consequences.ts';
import type { Verdict } from '../../record/words.ts';
import { verdictOf } from './conclude.ts';
import { outcomeOf } from './coverage.ts';
import { levelOf, strictLevelOf } from './levels.ts';
import { unsaidVerdicts } from './deviations.ts';
import { exitCodeOf, worstOf } from './verdict.ts';

const RULES = [...INVARIANTS, ...EXCHANGE_RULES];

/** What of a record is looked at. */
export interface StoredRun {
  readonly strict?: true;
  readonly checks: readonly StoredCheck[];
  readonly clauses: Readonly<Record<string, StoredClause>>;
  readonly linkClauses?: Readonly<Record<string, { readonly level: string }>>;
  readonly summary: {
    readonly checks: Readonly<Partial<Record<Verdict, number>>> & { readonly total: number };
    readonly clauses: { readonly broken: number };
    readonly baselineProblems: readonly string[];
    readonly exitCode: number;
  };
  readonly target: {
    readonly contradictions: readonly string[];
    readonly notOffered?: readonly { readonly isDeclared: boolean }[];
  };
  readonly deviations?: readonly { readonly clauses: readonly string[] }[];
}

interface StoredClause {
  readonly level: string;
  readonly outcome: string;
  readonly since?: string;
}

interface StoredCheck extends JudgedCheck {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly evidence: JudgedCheck['evidence'] & {
    readonly unanswered: readonly unknown[];
    readonly unseen?: readonly string[];
  };
}

/** An exchange of the log; of an altered one only the headers can be judged. */
export interface StoredExchange extends ObservedExchange {
  readonly isAltered: boolean;
}

export interface Analysis {
  /** Where what is stored does not follow from what is stored, a sentence each. */
  readonly contradictions: readonly string[];
  /** Rules of every response that the run did not judge, and that its responses break. */
  readonly findings: readonly string[];
  readonly checks: number;
  /** Judgements that were counted again, and exchanges and invariants that were judged again. */
  readonly judgements: number;
  readonly exchanges: number;
  readonly invariants: number;
}

/** @param exchanges - none where the log is missing */
export function analyzeRun(run: StoredRun, exchanges: readonly StoredExchange[]): Analysis {
  const invariants = exchanges.length === 0 ? [] : RULES;
  // Checks judged them as they were read.
  const broken = run.deviations ? [] : brokenInvariants(exchanges);
  const wasJudged = ({ clause }: BrokenInvariant): boolean => outcomeIn(run, clause) !== 'not-judged';
  return {
    contradictions: [
      ...run.checks.flatMap((check) => verdictContradictions(check, run.strict ? strictLevelOf : levelOf)),
      ...silenceContradictions(run),
      ...countContradictions(run),
      ...coverageContradictions(run),
      ...broken
        .filter((one) => wasJudged(one) && outcomeIn(run, one.clause) !== 'broken')
        .map(({ clause, told }) => `${clause} is stored as ${outcomeIn(run, clause)}, and ${told}`),
    ],
    findings: broken.filter((one) => !wasJudged(one)).map(({ clause, told }) => `${clause}: ${told}`),
    checks: run.checks.length,
    judgements: run.checks.reduce((sum, { evidence }) => sum + evidence.judgements.length, 0),
    exchanges: exchanges.length,
    invariants: invariants.length,
  };
}

/** Verdicts that say what the worst judgement says; others than these and `fail` have reasons that are not stored. */
const FOLLOWING: ReadonlySet<Verdict> = new Set(['pass', 'observed', 'warn']);

function verdictContradictions({ id, verdict, evidence }: StoredCheck, levelIn: typeof levelOf): readonly string[] {
  const { judgements, unanswered } = evidence;
  const worst = worstOf(judgements.map((judgement) => verdictOf(judgement, levelIn)));
  const found: string[] = [];
  const isBetter = worst === 'fail' && !['fail', 'flaky', 'harness-error'].includes(verdict);
  if (isBetter) found.push(`${id} is stored as ${verdict}, and a judgement of it says fail`);
  if (verdict === 'fail' && worst !== 'fail' && unanswered.length === 0) {
    found.push(`${id} is stored as fail, and no judgement of it says so`);
  }
  if (FOLLOWING.has(verdict) && !isBetter && worst !== verdict) {
    found.push(`${id} is stored as ${verdict}, and its judgements say ${worst}`);
  }
  return found;
}

/** A check that passed has judged all its clauses, but for what the target does not offer or show. */
function silenceContradictions({ checks, target }: StoredRun): readonly string[] {
  if (target.notOffered?.length) return [];
  return checks.flatMap(({ id, verdict, clauses, evidence: { judgements, unseen = [] } }) => {
    if (verdict !== 'pass' && verdict !== 'observed') return [];
    const told = new Set([...judgements.map(({ clause }) => clause), ...unseen]);
    const silent = clauses.filter((clause) => !told.has(clause));
    return silent.length > 0 ? [`${id} is stored as ${verdict}, and did not judge ${silent.join(', ')}`] : [];
  });
}

/** Exit codes of a run whose target went away, and of one that was interrupted: no verdict says so. */
const ENDED_EARLY: ReadonlySet<number> = new Set([75, 130]);

function countContradictions({ checks, summary, target, deviations = [], strict }: StoredRun): readonly string[] {
  const found: string[] = [];
  const { total, ...stored } = summary.checks;
  if (total !== checks.length) found.push(`${total} checks are counted, and ${checks.length} are there`);
  for (const [verdict, ofVerdict] of Map.groupBy(checks, (check) => check.verdict)) {
    const count = stored[verdict] ?? 0;
    if (count !== ofVerdict.length) {
      found.push(`${count} checks are counted as ${verdict}, and ${ofVerdict.length} are there`);
    }
  }
  const counting = checks.filter(({ known }) => known === undefined).map(({ verdict }) => verdict);
  const exitCode = exitCodeOf([
    ...counting,
    ...summary.baselineProblems.map(() => 'fail' as const),
    ...target.contradictions.map(() => 'untestable' as const),
    ...(target.notOffered ?? []).flatMap(({ isDeclared }) => (isDeclared ? [] : ['not-offered' as const])),
    ...unsaidVerdicts(
      deviations,
      checks.map(({ evidence }) => evidence),
      strict ? strictLevelOf : levelOf,
    ),
  ]);
  if (exitCode !== summary.exitCode && !ENDED_EARLY.has(summary.exitCode)) {
    found.push(`the exit code is stored as ${summary.exitCode}, and the verdicts say ${exitCode}`);
  }
  return found;
}

function coverageContradictions(run: StoredRun): readonly string[] {
  const { checks, clauses, summary } = run;
  const counting = checks.filter(({ verdict }) => verdict !== 'flaky');
  const judgements = Map.groupBy(
    counting.flatMap(({ evidence }) => evidence.judgements.filter(({ countedIn }) => countedIn === undefined)),
    ({ clause }): string => clause,
  );
  const consequences = consequencesOf(run);
  const recount = (id: string): string => (consequences.has(id) ? 'not-judged' : outcomeOf(judgements.get(id) ?? []));
  const found = Object.entries(clauses).flatMap(([id, { outcome }]) => {
    const recounted = recount(id);
    const isUnjudged = recounted === 'not-judged' && outcome === 'not-offered';
    return isUnjudged || recounted === outcome
      ? []
      : [`${id} is stored as ${outcome}, and its judgements say ${recounted}`];
  });
  const broken = Object.keys(clauses).filter((id) => recount(id) === 'broken').length;
  if (broken !== summary.clauses.broken) {
    found.push(`${summary.clauses.broken} clauses are counted as broken, and ${broken} are`);
  }
  return found;
}

/** What a changed body would be blamed for. */
const OF_BODY = /^(body|id of|[a-z ]+ \d+\.)|^header (Content-MD5|Records-)/;

interface BrokenInvariant {
  readonly clause: string;
  readonly told: string;
}

function outcomeIn({ clauses }: StoredRun, clause: string): string {
  const { outcome, since } = clauses[clause] ?? {};
  // It was seen, and laid to its cause.
  return since === undefined ? (outcome ?? 'not-judged') : 'broken';
}

function brokenInvariants(exchanges: readonly StoredExchange[]): readonly BrokenInvariant[] {
  const isAltered = (position: number | undefined): boolean =>
    position !== undefined && exchanges[position]?.isAltered === true;
  return judgeHistory(exchanges, RULES).flatMap(({ clause, mismatches }) => {
    const first = mismatches.find(({ at, exchange }) => !(isAltered(exchange) && OF_BODY.test(at)));
    if (!first) return [];
    return [{ clause, told: `exchange ${first.exchange} breaks it: ${describeMismatch(first)}` }];
  });
}
