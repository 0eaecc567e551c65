/**
 * Builds the record of judging an app, from which all reports are made.
 */

import { shellArgument, shellWord } from '../common/shell-word.ts';
import { CALLER_CLAUSES, type CallerBreak } from '../oracle/caller/traffic-rules.ts';
import type { CallerClauseRecord, CallerRecord, MomentRecord } from '../record/caller-record.ts';
import { headOfRun } from '../record/head-of-run.ts';
import { momentInWords, momentText } from '../record/moments.ts';
import { CALLER_VERDICTS, type CallerVerdict } from '../record/words.ts';
import { CLAUSES } from '../specification/clauses.ts';
import { mendingOf, storyOf } from './tell-moment.ts';
import type { JudgedMoment, Provoked } from './provoke.ts';

interface RecordOptions {
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The command of the app, and the flags beside it. */
  readonly words: readonly string[];
  readonly flags: readonly string[];
  readonly seed: number | string;
  /** What else is to be known of the run, a sentence each. */
  readonly remarks: readonly string[];
}

const OUTPUT_LINES = 8;
const MOST_BREAKS = 3;

export function buildCallerRecord(provoked: Provoked, options: RecordOptions): CallerRecord {
  const { unharmed, baseline, unreached, moments } = provoked;
  const command = options.words.map((word) => shellArgument(word)).join(' ');
  const clauses = clauseRecords(provoked);
  return {
    ...headOfRun('caller', { ...options, durationMs: Math.round(options.durationMs) }),
    seed: options.seed,
    target: { name: command },
    unharmed: {
      requests: unharmed.requests.length,
      jobs: unharmed.jobs.length,
      durationMs: Math.round(unharmed.end.durationMs),
      differences: baseline.differences,
    },
    unreached: [...unreached, ...options.remarks],
    moments: moments.map((judged) => momentRecord(judged, command, options.flags)),
    clauses,
    summary: { moments: countVerdicts(moments), exitCode: exitCodeOf(moments, clauses) },
  };
}

function momentRecord(judged: JudgedMoment, command: string, flags: readonly string[]): MomentRecord {
  const { moment, verdict, run } = judged;
  const id = momentText(moment);
  const written = flags.map((flag) => ` ${flag}`).join('');
  return {
    id,
    does: momentInWords(moment),
    verdict,
    story: storyOf(judged),
    advice: mendingOf(judged),
    exitCode: run.end.code,
    pictures: judged.pictures,
    output: lastLines(run.end.output),
    again: `platen exec${written} --provoke=${shellWord(id)} -- ${command}`,
    durationMs: Math.round(run.end.durationMs),
  };
}

/** The last lines that tell of an error, or else the last that say something. */
export function lastLines(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => TELLING.test(line));
  return (telling.length > 0 ? telling : lines).slice(-OUTPUT_LINES);
}

const TELLING = /error|fail|not ok|refuse|assert|platen:/i;

function clauseRecords({ moments, unharmedBreaks }: Provoked): readonly CallerClauseRecord[] {
  const all = [
    ...unharmedBreaks.map((broken) => ({ ...broken, moment: '' })),
    ...moments.flatMap(({ moment, breaks }) => breaks.map((broken) => ({ ...broken, moment: momentText(moment) }))),
  ];
  return CALLER_CLAUSES.flatMap((id) => {
    const breaks = all.filter(({ clause }) => clause === id);
    return breaks.length === 0 ? [] : [clauseRecord(id, breaks)];
  });
}

function clauseRecord(id: string, breaks: readonly (CallerBreak & { readonly moment: string })[]): CallerClauseRecord {
  const clause = CLAUSES.find((one) => one.id === id);
  const { statement = '', source = '' } = clause ?? {};
  return {
    id,
    level: clause?.level === 'must' ? 'must' : 'should',
    statement,
    source,
    breaks: breaks.slice(0, MOST_BREAKS).map(({ at, expected, actual, moment }) => ({ at, expected, actual, moment })),
    count: breaks.length,
  };
}

function countVerdicts(moments: readonly JudgedMoment[]): CallerRecord['summary']['moments'] {
  const counts = CALLER_VERDICTS.map(
    (name) => [name, moments.filter(({ verdict }) => verdict === name).length] as const,
  );
  const occurred = Object.fromEntries(counts.filter(([, count]) => count > 0));
  return { total: moments.length, ...occurred };
}

const FAILING: readonly CallerVerdict[] = ['printed-twice', 'lost'];
const UNJUDGED: readonly CallerVerdict[] = ['hung', 'nondeterministic', 'ended-too-early'];

function exitCodeOf(moments: readonly JudgedMoment[], clauses: readonly CallerClauseRecord[]): number {
  const has = (verdicts: readonly CallerVerdict[]): boolean =>
    moments.some(({ verdict }) => verdicts.includes(verdict));
  if (has(FAILING) || clauses.some(({ level }) => level === 'must')) return 1;
  return has(UNJUDGED) || moments.every(({ verdict }) => verdict === 'not-reached') ? 2 : 0;
}
