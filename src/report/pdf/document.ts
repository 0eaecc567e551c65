/**
 * PDF: a run as a document to file or to hand on.
 *
 *   first page   target, date, version, seed; the verdict in words; what was run, and what was not
 *   then         counts by family, each failure with clause, expected and actual, and what was measured
 *
 * The same record gives the same bytes: its date is that of the run.
 */

import { PDFDocument } from 'pdf-lib';

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import type { RunRecord } from '../../record/run-record.ts';
import {
  byGroup,
  CAUSES_SHOWN,
  chapterTable,
  countsInWords,
  hangingOn,
  outcomeOf,
  defectsWith,
  TOLD_STANDINGS,
  withStandings,
  type Finding,
  type ResultView,
  type RunView,
  type TableView,
} from '../view/run-view.ts';
import { curlOf, followerLines } from '../view/story.ts';
import { viewOf } from '../view/view-of.ts';
import { BAD, GOOD, INK, ODD, Paper, QUIET, type Column } from './paper.ts';

/** Beyond these a reader turns to run.json. */
const MOST_TOLD = 100;
const MOST_FINDINGS = 4;
const MOST_REASONS = 12;
const MOST_REMARKS = 8;
const MOST_CHARACTERS = 2_000;

export async function renderPdf(records: readonly RunRecord[]): Promise<Uint8Array> {
  const runs = records.map(viewOf);
  const document = await PDFDocument.create({ updateMetadata: false });
  const paper = await Paper.of(document);
  for (const [index, run] of runs.entries()) {
    if (index > 0) paper.nextPage();
    writeCertificate(paper, run);
    if (run.chapters.length > 0) writeTable(paper, chapterTable(run.chapters));
    writeFamilies(paper, run);
    writeFailures(paper, run);
    writeTables(paper, run.tables);
  }
  const [first] = runs;
  paper.number(
    runs
      .map(({ runId }) => runId)
      .join(', ')
      .slice(0, 90),
  );
  describe(document, first);
  return document.save();
}

function describe(document: PDFDocument, run: RunView | undefined): void {
  if (!run) return;
  const date = new Date(run.startedAt);
  document.setTitle(run.title.slice(0, 200));
  document.setProducer(`platen ${run.platenVersion}`);
  document.setCreator('platen');
  document.setLanguage('en');
  document.setCreationDate(date);
  document.setModificationDate(date);
}

const COLOR_OF = { good: GOOD, bad: BAD, open: ODD } as const;

function writeCertificate(paper: Paper, run: RunView): void {
  const { word, sentence, title, startedAt, durationMs, seed, platenVersion, runId } = run;
  paper.write('platen, a test bench for remote printing services', { size: 9, color: QUIET });
  paper.gap(10);
  paper.write(title, { size: 20, face: 'bold', mostLines: 3 });
  paper.gap(12);
  paper.write(word, { size: 26, face: 'bold', color: COLOR_OF[outcomeOf(run)] });
  paper.write(sentence, { size: 12 });
  writeFirst(paper, run);
  paper.gap(6);
  paper.rule();
  paper.gap(4);
  for (const [label, text] of run.facts) paper.writeRow(label, text, { mostLines: 4 });
  paper.writeRow('Date', `${startedAt}, took ${formatDuration(durationMs)}`);
  paper.writeRow('Version', `platen ${platenVersion}`);
  paper.writeRow('Seed', seed, { mostLines: 2 });
  paper.writeRow('Name', runId);
  paper.rule();
  writeScope(paper, run);
}

/** What to fix first. */
function writeFirst(paper: Paper, { causes, lacks }: RunView): void {
  if (causes.length + lacks.length === 0) return;
  for (const { label, text } of lacks) paper.write(`${label}: ${text}`, { color: ODD, mostLines: 2 });
  if (causes.length > 0) heading(paper, 'What to fix first');
  for (const [index, cause] of causes.slice(0, CAUSES_SHOWN).entries()) {
    const { id, clause, says, did, curl } = cause;
    paper.needs(50);
    paper.write(`${index + 1}. ${clause || id}: ${hangingOn(cause)}, shown by ${id}`, { face: 'bold', mostLines: 1 });
    paper.write(says, { mostLines: 2 });
    paper.write(did.slice(0, MOST_CHARACTERS), { color: BAD, mostLines: 2 });
    if (curl !== '') paper.write(curl.slice(0, MOST_CHARACTERS), { face: 'code', size: 7.5, mostLines: 2 });
    paper.gap(3);
  }
}

/** What was run, what was not, and why. */
function writeScope(paper: Paper, run: RunView): void {
  heading(paper, 'What was run');
  paper.write(`${countOf(run.results.length, run.noun)}: ${countsInWords(run)}.`);
  for (const remark of run.remarks.slice(0, MOST_REMARKS)) paper.write(remark, { color: ODD, mostLines: 3 });
  heading(paper, 'What was not');
  const reasons = [...reasonsOf(run)];
  if (reasons.length === 0) paper.write('Nothing that was planned was left out.');
  for (const [reason, count] of reasons.slice(0, MOST_REASONS)) {
    paper.write(`${count}: ${reason}`, { mostLines: 2 });
  }
  if (reasons.length > MOST_REASONS) paper.write(`and ${reasons.length - MOST_REASONS} other reasons, in run.json`);
}

function reasonsOf(run: RunView): ReadonlyMap<string, string> {
  const skipped = Map.groupBy(
    withStandings(run, ['skipped', 'error', 'blocked']),
    ({ verdict, message }) => `${verdict}, ${message}`,
  );
  const excluded = Map.groupBy(
    run.clauses.filter(({ outcome }) => outcome === 'excluded'),
    ({ reason }) => `excluded, ${reason}`,
  );
  return new Map([
    ...[...skipped].map(([reason, results]) => [reason, countOf(results.length, run.noun)] as const),
    ...[...excluded].map(([reason, clauses]) => [reason, countOf(clauses.length, 'clause')] as const),
  ]);
}

function heading(paper: Paper, text: string): void {
  paper.needs(60);
  paper.gap(12);
  paper.write(text, { size: 12, face: 'bold' });
  paper.gap(2);
}

/** Two tables side by side: a name, and four numbers. */
const COLUMNS: readonly Column[] = [0, 250].flatMap((left) => [
  { at: left, isNumber: false },
  ...[135, 168, 200, 232].map((right) => ({ at: left + right, isNumber: true })),
]);
const HEAD = ['', 'all', 'passed', 'failed', 'other'];

function writeFamilies(paper: Paper, run: RunView): void {
  const rows = [...byGroup(run.results)].map(([family, results]) => familyRow(family, results));
  const half = Math.ceil(rows.length / 2);
  heading(paper, 'Counts by family');
  paper.writeCells(rows.length > 1 ? [...HEAD, ...HEAD] : HEAD, COLUMNS, { face: 'bold', size: 8 });
  for (let index = 0; index < half; index++) {
    paper.writeCells([...(rows[index] ?? []), ...(rows[index + half] ?? [])], COLUMNS, { size: 8 });
  }
}

function familyRow(family: string, results: readonly ResultView[]): readonly string[] {
  const count = (wanted: ResultView['standing']): number =>
    results.filter(({ standing }) => standing === wanted).length;
  const [all, passed, failed] = [results.length, count('passed'), count('failed')];
  const name = family.length > MOST_OF_NAME ? `...${family.slice(-MOST_OF_NAME)}` : family;
  return [name, ...[all, passed, failed, all - passed - failed].map((number) => (number === 0 ? '-' : String(number)))];
}

const MOST_OF_NAME = 20;

function writeFailures(paper: Paper, run: RunView): void {
  const wrong = defectsWith(run, TOLD_STANDINGS);
  if (wrong.length === 0) return;
  paper.nextPage();
  heading(paper, 'Failures');
  for (const result of wrong.slice(0, MOST_TOLD)) writeFailure(paper, result);
  if (wrong.length > MOST_TOLD) paper.write(`and ${wrong.length - MOST_TOLD} more, in run.json`);
}

function writeFailure(paper: Paper, result: ResultView): void {
  const { id, verdict, title, findings, message, repeat } = result;
  paper.needs(90);
  paper.rule();
  paper.write(`${id}: ${verdict}`, { size: 11, face: 'bold', mostLines: 2 });
  if (title !== '') paper.write(title, { mostLines: 3 });
  if (findings.length === 0) paper.write(message.slice(0, MOST_CHARACTERS), { mostLines: 6 });
  for (const finding of findings.slice(0, MOST_FINDINGS)) writeFinding(paper, finding);
  const left = findings.length - MOST_FINDINGS;
  if (left > 0) paper.write(`and ${left} more of this kind, in run.json`, { color: QUIET });
  paper.gap(3);
  for (const curl of [...curlOf(result), ...(repeat === '' ? [] : [repeat])]) {
    paper.write(curl.slice(0, MOST_CHARACTERS), { face: 'code', size: 7.5, mostLines: 6 });
  }
  for (const line of followerLines(result).slice(0, MOST_FOLLOWERS)) paper.write(line, { size: 8, mostLines: 1 });
}

const MOST_FOLLOWERS = 40;

function writeFinding(paper: Paper, { clause, level, statement, source, at, expected, actual }: Finding): void {
  paper.gap(4);
  if (clause !== '')
    paper.write(`${statement} (${[clause, level, source].filter(Boolean).join(', ')})`, { color: QUIET, mostLines: 4 });
  paper.writeRow('at', at.slice(0, MOST_CHARACTERS), { mostLines: 2 });
  paper.writeRow('expected', expected.slice(0, MOST_CHARACTERS), { color: GOOD, mostLines: 4 });
  paper.writeRow('actual', actual.slice(0, MOST_CHARACTERS), { color: BAD, mostLines: 4 });
}

/** Columns as wide as what stands in them, letters as small as they must be to fit. */
const ROWS_MOST = 60;
const LARGEST = 8.5;
const SMALLEST = 5;
const GAP = 9;
const COLORS = { plain: INK, good: GOOD, bad: BAD, odd: ODD, quiet: QUIET } as const;

/** What a run measured, from a page of its own on. */
function writeTables(paper: Paper, tables: readonly TableView[]): void {
  if (tables.length === 0) return;
  paper.nextPage();
  paper.write('Figures', { size: 14, face: 'bold' });
  for (const table of tables) writeTable(paper, table);
}

function writeTable(paper: Paper, { title, note, columns, rows }: TableView): void {
  paper.needs(90);
  paper.gap(12);
  paper.write(title, { size: 11, face: 'bold', mostLines: 1 });
  if (note !== '') paper.write(note, { size: 8, color: QUIET, mostLines: 3 });
  paper.gap(3);
  const shown = rows.slice(0, ROWS_MOST);
  const names = columns.map(({ name }) => name);
  const cells = [names, ...shown.map((row) => row.cells)];
  const { size, places } = fitted(paper, columns, cells);
  paper.writeCells(names, places, { size, face: 'bold' });
  for (const { cells: written, tone } of shown) {
    paper.writeCells(written, places, { size, color: COLORS[tone] });
  }
  if (rows.length > shown.length) paper.write(`and ${rows.length - shown.length} more, in run.json`);
}

function fitted(
  paper: Paper,
  columns: TableView['columns'],
  rows: readonly (readonly string[])[],
): { readonly size: number; readonly places: readonly Column[] } {
  const widest = columns.map((_, index) =>
    Math.max(...rows.map((cells) => paper.widthOfCell(cells[index] ?? '', LARGEST))),
  );
  const gaps = GAP * (columns.length - 1);
  const wanted = widest.reduce((sum, width) => sum + width, 0);
  const scale = Math.min(1, (paper.width - gaps) / Math.max(1, wanted));
  const size = Math.max(SMALLEST, LARGEST * scale);
  let left = 0;
  const places = columns.map(({ isNumber }, index): Column => {
    const width = ((widest[index] ?? 0) * size) / LARGEST;
    const place = { at: isNumber ? left + width : left, isNumber };
    left += width + GAP;
    return place;
  });
  return { size, places };
}
