/**
 * View of a run of exploring: each finding as a result, with the shortest day that shows it.
 */

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import { shellArgument } from '../../common/shell-word.ts';
import type { ExploreRecord, FindingRecord } from '../../record/explore-record.ts';
import { groupOf, headOf, NO_EVIDENCE, type ResultView, type RunView, type TableView } from './run-view.ts';
import { placeOf } from './scenario-view.ts';

const NOUN = 'finding';

export function viewOfExplore(record: ExploreRecord): RunView {
  const { target, findings, days, without, known, unplayed, unplayedBecause } = record;
  return {
    ...headOf(record),
    title: `Exploring ${target.name}`,
    seed: String(record.seed),
    ...verdictOf(record),
    noun: NOUN,
    facts: [
      ['Target', `${target.name} (${target.kind})`],
      ...(target.baseUrl === null ? [] : [['Address', target.baseUrl] as const]),
      ...(target.unseen === undefined ? [] : [['Not seen', target.unseen] as const]),
      ['Days', `${days}, from seed ${record.seed}`],
      ['Seen', seenIn(record)],
      ...(without.length === 0 ? [] : [['Without', without.join(', ')] as const]),
    ],
    remarks: [
      ...known.map(({ signature, count }) => `Known: ${signature}, on ${countOf(count, 'day')}.`),
      ...(unplayed === 0 ? [] : [`${countOf(unplayed, 'day')} could not be played: ${unplayedBecause}`]),
    ],
    badge: { label: 'explored', text: `${countOf(days, 'day')}, ${countOf(findings.length, NOUN)}` },
    results: findings.map((finding) => viewOfFinding(finding, placeOf(record.target))),
    clauses: [],
    gaps: [],
    tables: [coverageTable(record)],
    charts: [],
  };
}

function seenIn({ target, events, elapsedMs }: ExploreRecord): string {
  const time = formatDuration(elapsedMs);
  if (target.kind === 'pipeline') return `${events} jobs and pieces of paper in ${time}`;
  return `${events} answers, deliveries and reports in ${time} of the service's time`;
}

function verdictOf(record: ExploreRecord): { readonly word: string; readonly sentence: string } {
  const { summary, days, findings } = record;
  const stopped = `Stopped after ${countOf(days, 'day')}.`;
  if (summary.exitCode === 130) return { word: 'INTERRUPTED', sentence: stopped };
  if (findings.length > 0) {
    return { word: 'FAILED', sentence: `${countOf(findings.length, NOUN)} on ${countOf(days, 'day')}.` };
  }
  if (summary.exitCode === 0) return { word: 'PASSED', sentence: `${countOf(days, 'day')}, and nothing was found.` };
  if (summary.exitCode === 2) return { word: 'INCOMPLETE', sentence: 'No day could be played.' };
  return { word: 'CUT SHORT', sentence: stopped };
}

function viewOfFinding(finding: FindingRecord, place: string): ResultView {
  const { signature, statement, source = '', count, seed, steps, message, breaks, scenario, happened, file } = finding;
  return {
    ...NO_EVIDENCE,
    id: signature,
    title: statement,
    group: groupOf(signature),
    standing: 'failed',
    verdict: 'fail',
    durationMs: 0,
    message,
    findings: breaks.map(({ at, expected, actual }) => ({
      clause: statement === '' ? '' : signature,
      level: '',
      statement,
      source,
      at,
      expected,
      actual,
      exchange: undefined,
    })),
    notes: [
      `Met on ${countOf(count, 'day')}, one of them with seed ${seed}. The fewest steps with it: ${steps}.`,
      ...(happened ? ['In the folder of the scenario: story.md, and what came out of the printers.'] : []),
    ],
    stories: [
      { title: file, lines: scenario.trimEnd().split('\n') },
      ...(happened ? [{ title: 'What happened', lines: happened }] : []),
    ],
    source: { file, line: 1, step: '' },
    repeat: `platen run ${shellArgument(file)}${place}`,
  };
}

function coverageTable({ coverage }: ExploreRecord): TableView {
  return {
    title: 'What was tried',
    note: 'Each operation under each condition that it met, and how often. What is not here was not tried.',
    columns: [
      { name: 'operation', isNumber: false },
      { name: 'condition', isNumber: false },
      { name: 'times', isNumber: true },
    ],
    rows: coverage.map(({ pair, count }) => ({ cells: [...pair.split(' × '), String(count)], tone: 'plain' })),
  };
}
