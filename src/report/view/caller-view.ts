/**
 * View of judging an app: each thing that went wrong for it as a result, and each clause that its requests break.
 */

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import type { CallerClauseRecord, CallerRecord, MomentRecord } from '../../record/caller-record.ts';
import type { CallerVerdict, Verdict } from '../../record/words.ts';
import { defectsIn, groupOf, headOf, NO_EVIDENCE, type ResultView, type RunView, type Standing } from './run-view.ts';

const NOUN = 'moment';

interface Look {
  readonly standing: Standing;
  /** In the words of all other runs. */
  readonly verdict: Verdict;
  readonly words: string;
}

const LOOKS: Readonly<Record<CallerVerdict, Look>> = {
  'printed-once': { standing: 'passed', verdict: 'pass', words: 'printed once' },
  'printed-twice': { standing: 'failed', verdict: 'fail', words: 'printed twice' },
  lost: { standing: 'failed', verdict: 'fail', words: 'lost without a word' },
  'printed-said-failed': { standing: 'warned', verdict: 'warn', words: 'printed, and the app says it failed' },
  'taken-no-paper': { standing: 'passed', verdict: 'pass', words: 'taken, no paper yet' },
  told: { standing: 'passed', verdict: 'pass', words: 'not printed, and the app says so' },
  hung: { standing: 'error', verdict: 'inconclusive', words: 'the app did not end' },
  'not-reached': { standing: 'skipped', verdict: 'untestable', words: 'the tests never reached it' },
  'ended-too-early': {
    standing: 'skipped',
    verdict: 'inconclusive',
    words: 'the tests ended before what follows from it',
  },
  nondeterministic: { standing: 'skipped', verdict: 'inconclusive', words: 'differs from run to run on its own' },
};

export function viewOfCaller(record: CallerRecord): RunView {
  const { target, moments, clauses, unharmed, unreached, seed } = record;
  const { requests, jobs, differences, durationMs } = unharmed;
  return {
    ...headOf(record),
    title: `Judging ${target.name}`,
    seed: String(seed),
    ...verdictOf(record),
    noun: 'result',
    facts: [
      ['App', target.name],
      ['Unharmed', `${countOf(requests, 'request')}, ${countOf(jobs, 'print job')}, ${formatDuration(durationMs)}`],
    ],
    remarks: [...differences.map((difference) => `Two unharmed runs differ: ${difference}`), ...unreached],
    badge: { label: 'caller', text: `${countOf(moments.length, NOUN)}, ${failuresOf(record)} failed` },
    results: [...viewsOfMoments(moments), ...clauses.map(viewOfClause)],
    clauses: [],
    gaps: [],
    tables: [
      {
        title: 'What became of the paper',
        note: 'What went wrong for the app, one thing in each run, and what came of it.',
        isBrief: true,
        columns: [
          { name: 'moment', isNumber: false },
          { name: 'verdict', isNumber: false },
        ],
        rows: moments.map(({ id, verdict }) => ({
          cells: [id, LOOKS[verdict].words],
          tone: TONES[LOOKS[verdict].standing] ?? 'odd',
        })),
      },
    ],
    charts: [],
  };
}

const TONES: Readonly<Partial<Record<Standing, 'good' | 'bad' | 'quiet'>>> = {
  passed: 'good',
  failed: 'bad',
  skipped: 'quiet',
};

function failuresOf({ moments, clauses }: CallerRecord): number {
  const broken = clauses.filter(({ level }) => level === 'must').length;
  return defectsIn(viewsOfMoments(moments)).filter(({ standing }) => standing === 'failed').length + broken;
}

function verdictOf(record: CallerRecord): { readonly word: string; readonly sentence: string } {
  const { moments, summary } = record;
  const tried = countOf(moments.length, NOUN);
  if (summary.exitCode === 1) {
    const found = countOf(failuresOf(record), 'finding');
    return {
      word: 'FAILED',
      sentence: `${found} in ${tried}; the app's own tests saw none of it where they were green.`,
    };
  }
  if (summary.exitCode === 0)
    return { word: 'PASSED', sentence: `${tried}: nothing was printed twice, and nothing got lost.` };
  return { word: 'INCOMPLETE', sentence: 'Not every moment could be judged.' };
}

/** Each moment; those that show what an earlier one has shown follow from it. */
function viewsOfMoments(moments: readonly MomentRecord[]): readonly ResultView[] {
  return [...Map.groupBy(moments, shownBy).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const followers = others.map(viewOfMoment);
    return [
      { ...viewOfMoment(first), followers },
      ...followers.map((follower) => ({ ...follower, followsFrom: first.id })),
    ];
  });
}

/** The same for moments that show the same: at one place, with the same paper, whatever its number. */
function shownBy({ id, verdict, story }: MomentRecord): string {
  if (LOOKS[verdict].standing === 'passed' || story.length === 0) return id;
  return [id.replace(/#.*/, ''), verdict, story[0]?.replaceAll(/\d+/g, '#')].join(' ');
}

function viewOfMoment({
  id,
  does,
  verdict,
  story,
  advice,
  exitCode,
  pictures,
  output,
  again,
  durationMs,
}: MomentRecord): ResultView {
  const { standing, verdict: word, words } = LOOKS[verdict];
  const end = exitCode === null ? 'The app was killed' : `The app ended with exit code ${exitCode}`;
  const blind = standing === 'failed' && exitCode === 0 ? ': its tests saw nothing' : '';
  return {
    ...NO_EVIDENCE,
    id,
    title: words,
    group: '',
    standing,
    verdict: word,
    durationMs,
    pictures,
    message: standing === 'passed' ? '' : `${words}: ${does}`,
    stories: [
      ...(story.length === 0 ? [] : [{ title: story[0] ?? '', lines: story.slice(1) }]),
      ...(output.length === 0 || exitCode === 0 ? [] : [{ title: 'The app says', lines: output }]),
    ],
    notes: [...(advice === '' ? [] : [`Mend: ${advice}`]), `${end}${blind}.`],
    repeat: again,
  };
}

function viewOfClause({ id, level, statement, source, breaks, count }: CallerClauseRecord): ResultView {
  const isMust = level === 'must';
  return {
    ...NO_EVIDENCE,
    id,
    title: statement,
    group: groupOf(id),
    standing: isMust ? 'failed' : 'warned',
    verdict: isMust ? 'fail' : 'warn',
    durationMs: 0,
    message: breaks[0]?.actual ?? '',
    findings: breaks.map(({ at, expected, actual, moment }) => ({
      clause: id,
      level,
      statement,
      source,
      expected,
      actual,
      exchange: undefined,
      at: moment === '' ? at : `${at}, in the moment ${moment}`,
    })),
    notes: count > breaks.length ? [`${count} times in all.`] : [],
  };
}
