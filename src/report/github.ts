/**
 * GitHub: annotations that stand beside the steps of a workflow, and a summary of the run in Markdown.
 *
 * All texts may come from the target: in Markdown nothing of it is markup, a link or a mention.
 */

import { countOf } from '../common/count-of.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { Annotation } from './terminal/written.ts';
import {
  CAUSES_SHOWN,
  chapterTable,
  countsInWords,
  defectsWith,
  hangingOn,
  outcomeOf,
  TOLD_STANDINGS,
  withStandings,
  type Finding,
  type ResultView,
  type RunView,
  type TableView,
} from './view/run-view.ts';
import { curlOf, followersTitle, storyOf } from './view/story.ts';
import { viewOf } from './view/view-of.ts';
import { clip, code, fenced, text } from '../common/markdown.ts';

/** A step shows no more than ten of each kind. */
const MOST_ANNOTATIONS = 10;

/** Failures first. */
export function annotationsOf(records: readonly RunRecord[]): readonly Annotation[] {
  const runs = records.map(viewOf);
  const errors = runs.flatMap((run) => defectsWith(run, ['failed', 'error', 'blocked']));
  const warnings = runs.flatMap((run) => defectsWith(run, ['warned']));
  return [
    ...annotations('error', errors),
    ...annotations('warning', warnings),
    ...runs.map((run) => ({
      level: LEVEL_OF[outcomeOf(run)],
      properties: { title: run.title },
      message: `${run.word}: ${run.sentence}`,
    })),
  ];
}

const LEVEL_OF = { good: 'notice', open: 'warning', bad: 'error' } as const;

function annotations(level: Annotation['level'], results: readonly ResultView[]): readonly Annotation[] {
  // The last one is of the run as a whole.
  return results.slice(0, MOST_ANNOTATIONS - 1).map((result) => ({
    level,
    properties: { title: result.id, ...placeOf(result) },
    message: clip(storyOf(result), MOST_ANNOTATED),
  }));
}

const MOST_ANNOTATED = 4_000;

function placeOf({ source }: ResultView): Readonly<Record<string, string>> {
  return source ? { file: source.file, line: String(source.line) } : {};
}

/** The page of a step has room for a mebibyte. */
const SUMMARY_MAX_BYTES = 900_000;
const MOST_TOLD = 50;

export function renderGithubSummary(records: readonly RunRecord[]): string {
  const text = records.map((record) => summaryOf(viewOf(record))).join('\n');
  const bytes = Buffer.from(text);
  if (bytes.length <= SUMMARY_MAX_BYTES) return text;
  const cut = bytes.subarray(0, SUMMARY_MAX_BYTES).toString('utf8');
  return `${cut.slice(0, cut.lastIndexOf('\n### '))}\nrun.json has the rest.\n`;
}

function summaryOf(run: RunView): string {
  const told = defectsWith(run, TOLD_STANDINGS);
  const skipped = withStandings(run, ['skipped']);
  return [
    `## ${text(run.title)}: ${run.word}`,
    '',
    `${text(run.sentence)} ${countOf(run.results.length, run.noun)}: ${countsInWords(run)}.`,
    '',
    ...firstLines(run),
    ...run.remarks.map((remark) => `- ${text(remark)}`),
    '',
    ...(told.length > MOST_TOLD ? [`The first ${MOST_TOLD} of ${told.length}:`, ''] : []),
    ...told.slice(0, MOST_TOLD).flatMap(resultLines),
    ...(skipped.length > 0
      ? [
          `<details><summary>${skipped.length} not judged</summary>`,
          '',
          ...skipped.map(({ id, message }) => `- ${code(id)}: ${text(message)}`),
          '',
          '</details>',
          '',
        ]
      : []),
    '| | |',
    '| --- | --- |',
    ...[...run.facts, ['Seed', run.seed] as const].map(([label, value]) => `| ${label} | ${text(value)} |`),
    '',
    ...run.tables.flatMap(tableLines),
  ].join('\n');
}

/** What to fix first, and how the clauses of each chapter fared. */
function firstLines({ causes, lacks, chapters }: RunView): readonly string[] {
  if (causes.length + lacks.length === 0) return [];
  return [
    ...lacks.map((one) => `- **${one.label}**: ${text(one.text)}`),
    '',
    ...(causes.length === 0 ? [] : ['### What to fix first', '']),
    ...causes
      .slice(0, CAUSES_SHOWN)
      .flatMap((cause, index) => [
        `${index + 1}. ${code(cause.clause || cause.id)}: ${hangingOn(cause)}, shown by ${code(cause.id)}`,
        `   - ${text(cause.says)}`,
        `   - ${text(cause.did)}`,
        ...(cause.curl === '' ? [] : [`   - ${code(clip(cause.curl, MOST_CURL))}`]),
      ]),
    '',
    ...markdownTable(chapterTable(chapters)),
    '',
  ];
}

function resultLines(result: ResultView): readonly string[] {
  const { id, verdict, title, message, findings, repeat } = result;
  return [
    `### ${code(id)}: ${text(verdict)}`,
    '',
    ...(title === '' ? [] : [text(title), '']),
    ...(findings.length === 0 ? [text(message), ''] : []),
    ...findings.slice(0, MOST_FINDINGS).flatMap(findingLines),
    ...curlOf(result).flatMap((curl) => fenced(clip(curl, MOST_CURL), 'sh')),
    ...(repeat === '' ? [] : [`Again: ${code(repeat)}`, '']),
    ...followersOf(result),
  ];
}

function followersOf(result: ResultView): readonly string[] {
  const { followers } = result;
  if (followers.length === 0) return [];
  return [
    followersTitle(result),
    '',
    ...followers.map(({ id, verdict, message }) => `- ${code(id)} ${text(verdict)}: ${text(clip(message, 200))}`),
    '',
  ];
}

/** Folded: the figures are there to open. */
function tableLines({ title, note, columns, rows }: TableView): readonly string[] {
  const more = rows.length - MOST_ROWS;
  return [
    `<details><summary>${text(title)}</summary>`,
    '',
    ...(note === '' ? [] : [text(note), '']),
    ...markdownTable({ columns, rows: rows.slice(0, MOST_ROWS) }),
    ...(more > 0 ? ['', `and ${more} more, in run.json`] : []),
    '',
    '</details>',
    '',
  ];
}

function markdownTable({ columns, rows }: Pick<TableView, 'columns' | 'rows'>): readonly string[] {
  return [
    `| ${columns.map(({ name }) => text(name)).join(' | ')} |`,
    `| ${columns.map(({ isNumber }) => (isNumber ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(({ cells }) => `| ${cells.map(text).join(' | ')} |`),
  ];
}

const MOST_ROWS = 50;
const MOST_FINDINGS = 5;
const MOST_CURL = 2_000;

function findingLines({ clause, level, statement, source, at, expected, actual }: Finding): readonly string[] {
  return [
    ...(clause === ''
      ? []
      : [
          `> **${code(clause)}**${level && ` (${text(level)})`}: ${text(statement)}${source && ` (${text(source)})`}`,
          '',
        ]),
    `- at: ${text(at)}`,
    `- expected: ${text(expected)}`,
    `- actual: ${text(actual)}`,
    '',
  ];
}
