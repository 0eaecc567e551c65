/**
 * A run of any kind on a terminal: what went wrong in full, what could not be judged by reason, what was measured, and
 * in the end the verdict.
 *
 *   FAIL misc/noop  GET /noop answers with its Request-Id
 *       clause   misc/noop-body-is-request-id (must): The body of GET /noop …
 *       expected …
 *       actual   …
 *       exchange GET /noop → 200 in 3ms
 *       repeat   sh …/repro.sh, or curl … where there is no script
 *   258 checks: 250 passed, 1 failed, 7 not testable here
 */

import path from 'node:path';

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import { clip } from '../../common/markdown.ts';
import { shellArgument } from '../../common/shell-word.ts';
import type { ExchangeRecord, UnansweredRecord } from '../../record/check-record.ts';
import type { PlayedTarget } from '../../record/fields.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { ScenarioRecord } from '../../record/scenario-record.ts';
import { isCutShort, VERDICTS, type Verdict } from '../../record/words.ts';
import {
  CAUSES_SHOWN,
  chapterTable,
  defectsWith,
  hangingOn,
  outcomeOf,
  TOLD_STANDINGS,
  withStandings,
  type CauseView,
  type Finding,
  type ResultView,
  type RunView,
  type TableView,
} from '../view/run-view.ts';
import { viewOfScenario } from '../view/scenario-view.ts';
import { followerLines, rulesOf, shownExchange, type BrokenRule } from '../view/story.ts';
import { viewOf } from '../view/view-of.ts';
import { line, styled, type Line, type Style } from './line.ts';

interface VerdictLook {
  readonly mark: string;
  readonly style: Style;
  /** After a number, in the headline. */
  readonly word: string;
}

const LOOKS: Readonly<Record<Verdict, VerdictLook>> = {
  pass: { mark: 'ok', style: 'green', word: 'passed' },
  fail: { mark: 'FAIL', style: 'red', word: 'failed' },
  'harness-error': { mark: 'BUG', style: 'magenta', word: 'broken by the harness' },
  'not-offered': { mark: 'none', style: 'yellow', word: 'not offered' },
  blocked: { mark: 'block', style: 'yellow', word: 'blocked' },
  untestable: { mark: 'skip', style: 'yellow', word: 'not testable here' },
  inconclusive: { mark: 'open', style: 'yellow', word: 'inconclusive' },
  flaky: { mark: 'flaky', style: 'yellow', word: 'flaky' },
  'too-long': { mark: 'long', style: 'gray', word: 'not judged, for the time it takes' },
  warn: { mark: 'warn', style: 'yellow', word: 'with a warning' },
  observed: { mark: 'seen', style: 'cyan', word: 'observed' },
  'not-applicable': { mark: 'n/a', style: 'gray', word: 'not applicable' },
};

/** The look of a verdict; results of a load may have none. */
function lookOf(verdict: string): VerdictLook {
  const known = VERDICTS.find((one) => one === verdict);
  return known ? LOOKS[known] : { mark: 'open', style: 'yellow', word: 'without a verdict' };
}

/** A check that has ended, as one of those of the run, from 1. */
export interface EndedCheck {
  readonly outcome: {
    readonly verdict: Verdict;
    readonly check: { readonly id: string; readonly title: string };
  };
  readonly position: number;
  readonly total: number;
}

export function renderProgress({ outcome: { verdict, check }, position, total }: EndedCheck): Line {
  const { mark, style } = LOOKS[verdict];
  const counter = `${String(position).padStart(String(total).length)}/${total}`;
  return line`${styled('gray', counter)} ${styled(style, mark.padEnd(5))} ${check.id}  ${styled('gray', check.title)}`;
}

/** What is shown once a scenario has been played. */
export function renderScenario(played: ScenarioRecord, target: PlayedTarget): readonly Line[] {
  return renderPlayed(viewOfScenario(played, target));
}

/**
 * The whole report, with an empty line before it and after it.
 *
 * @param file - where the record is, for the commands that repeat a result
 */
export function renderRun(record: RunRecord, file?: string): readonly Line[] {
  const run = withFile(viewOf(record), file);
  const results = record.kind === 'run' ? [run.results.flatMap(renderPlayed)] : renderDefects(run);
  const sections = [
    ...renderFirst(run),
    ...results,
    ...(record.kind === 'run' ? [] : renderReasons(run)),
    ...renderKnown(run),
    ...run.tables.filter(({ isBrief }) => isBrief).map((table) => renderTable(table)),
    ...(run.remarks.length > 0 ? [run.remarks.map((remark) => styled('yellow', remark))] : []),
    headline(run),
  ];
  return [...sections.flatMap((section) => ['', ...section]), ''];
}

/** What to fix first, and how much of the specification is kept by then. */
function renderFirst(run: RunView): readonly (readonly Line[])[] {
  const { causes, lacks, chapters } = run;
  if (causes.length + lacks.length === 0) return [];
  const more = causes.length - CAUSES_SHOWN;
  return [
    lacks.map(({ label, text }) => styled('yellow', `${label}: ${text}`)),
    causes.length === 0 ? [] : [styled('bold', 'What to fix first')],
    ...causes.slice(0, CAUSES_SHOWN).map(renderCause),
    more > 0 ? [`and ${countOf(more, 'cause')} more`] : [],
    renderTable(chapterTable(chapters)),
  ].filter((section) => section.length > 0);
}

const RANK_COLUMNS = 3;
/** A command is there to be pasted; one with a large document stands in the reports. */
const CURL_MOST = 1_200;

function renderCause(cause: CauseView, index: number): readonly Line[] {
  const { id, clause, says, did, curl } = cause;
  const rank = `${index + 1}.`.padEnd(RANK_COLUMNS);
  return [
    line`${rank} ${styled('bold', clause || id)}  ${styled('gray', `${hangingOn(cause)}, shown by ${id}`)}`,
    ...row('says', says),
    ...row('did', styled('red', clipped(did))),
    ...(curl === '' ? [] : row('request', ...clip(curl, CURL_MOST).split('\n'))),
  ];
}

/** Those in full that are to be fixed first; the others stand in report.html, and in their own folders. */
function renderDefects(run: RunView): readonly (readonly Line[])[] {
  const defects = defectsWith(run, TOLD_STANDINGS);
  const brief = defects.slice(CAUSES_SHOWN).map((result) => renderBriefly(result));
  return [
    ...defects.slice(0, CAUSES_SHOWN).map((result) => renderResult(result)),
    ...(brief.length > 0 ? [brief] : []),
  ];
}

/** With commands that can be pasted where the run was started; a script only where it is known to stand. */
function withFile(run: RunView, file: string | undefined): RunView {
  const results = run.results.map((result) => ({
    ...result,
    script: result.script === '' || file === undefined ? '' : path.join(path.dirname(file), result.script),
    repeat: result.repeat.replace('platen replay run.json', `platen replay ${shellArgument(file ?? 'run.json')}`),
  }));
  return { ...run, results };
}

/**
 * The verdict, and before it a line for each check that did not pass, and for each reason that kept some from being
 * judged; scenarios and days have had theirs by then.
 */
export function renderQuietly(record: RunRecord): readonly Line[] {
  const run = viewOf(record);
  const told = record.kind === 'check' ? withStandings(run, TOLD_STANDINGS) : [];
  const reasons = record.kind === 'check' ? reasonsOf(run) : [];
  return [
    ...told.map((result) => renderBriefly(result)),
    ...reasons.map(({ title }) => styled('yellow', title)),
    verdictLine(run),
  ];
}

function renderBriefly({ id, title, verdict, message }: ResultView): Line {
  const { mark, style } = lookOf(verdict);
  return line`${styled(style, mark)} ${id}  ${message === '' ? title : message}`;
}

function verdictLine(run: RunView): Line {
  return line`${styled(OUTCOME_STYLES[outcomeOf(run)], run.word)}: ${run.sentence}`;
}

/** The last lines: the verdict and the counts. */
export function renderHeadline(record: RunRecord): readonly Line[] {
  return headline(viewOf(record));
}

const TITLE_COLUMNS = 76;

/** A scenario on one line; below it why, when it did not pass. */
function renderPlayed(result: ResultView): readonly Line[] {
  const { mark, style } = lookOf(result.verdict);
  const time = `${formatDuration(result.elapsedMs)} in ${formatDuration(result.durationMs)}`;
  const head = line`${styled(style, mark.padEnd(5))} ${result.title.padEnd(TITLE_COLUMNS)} ${styled('gray', time)}`;
  return result.standing === 'passed' ? [head] : [head, ...detailsOf(result), ''];
}

function renderResult(result: ResultView): readonly Line[] {
  const { id, title, verdict } = result;
  const { mark, style } = lookOf(verdict);
  const head = line`${styled(style, mark)} ${styled('bold', id)}${title === '' ? '' : `  ${title}`}`;
  return [head, ...detailsOf(result)];
}

const MOST_FINDINGS = 10;
const MOST_LINES = 40;

function detailsOf(result: ResultView): readonly Line[] {
  const { findings, message, source, stories, unanswered, traffic, notes, stack, repeat } = result;
  const exchange = shownExchange(result);
  const more = findings.length - MOST_FINDINGS;
  return [
    ...(source ? row('file', source.file) : []),
    ...(source?.step ? row('step', source.step) : []),
    ...(findings.length === 0 && message !== '' ? row('why', ...message.split('\n')) : []),
    ...rulesOf(findings.slice(0, MOST_FINDINGS)).flatMap(renderRule),
    ...(more > 0 ? row('', `and ${more} more`) : []),
    ...stories.flatMap(({ title, lines }) => row('story', title, ...lines.slice(0, MOST_LINES))),
    ...(exchange ? renderExchange(exchange) : []),
    ...unanswered.flatMap(renderUnanswered),
    ...repetitionOf(result).flatMap((command) => row('repeat', ...command.split('\n'))),
    ...(traffic.length > 0 ? row('traffic', ...traffic.map(clipped)) : []),
    ...notes.flatMap((note) => row('note', ...note.split('\n'))),
    ...(stack === '' ? [] : row('stack', ...stack.split('\n'))),
    ...(repeat === '' ? [] : row('again', repeat)),
    ...(result.followers.length === 0 ? [] : row('also', ...followerLines(result))),
  ];
}

/** A single request names what the check has removed since: it is shown only where no script makes that anew. */
function repetitionOf(result: ResultView): readonly string[] {
  if (result.script !== '') return [`sh ${shellArgument(result.script)}`];
  return [shownExchange(result), ...result.unanswered].flatMap((one) => one?.curl.split('\n') ?? []);
}

/** What is said under a label; lines after the first stand below it. */
function row(label: string, first: Line = '', ...others: readonly Line[]): readonly Line[] {
  return [line`    ${styled('gray', label.padEnd(8))} ${first}`, ...others.map((other) => line`             ${other}`)];
}

function renderRule({ clause, remark, statement, source, broken }: BrokenRule): readonly Line[] {
  const rule = line`${styled('bold', clause)}${statement === '' ? '' : `${remark}: ${statement}`}`;
  return [
    ...(clause === '' ? [] : row('clause', rule)),
    ...(source === '' ? [] : row('source', source)),
    ...broken.flatMap(renderFinding),
  ];
}

function renderFinding({ at, expected, actual }: Finding): readonly Line[] {
  return [
    ...row('expected', ...inStyle('green', expected)),
    ...row('actual', ...inStyle('red', actual)),
    ...row('at', at),
  ];
}

/** Text of several lines, each in the style. */
function inStyle(style: Style, text: string): readonly Line[] {
  return text.split('\n').map((part) => styled(style, part));
}

/** Headers that are left to the record: long, the same each time, or of the connection. */
const RARELY_TELLING = /^(access-control-.*|date|connection|keep-alive|content-length)$/i;
const BODY_SHOWN_CHARACTERS = 400;

function renderExchange(exchange: ExchangeRecord): readonly Line[] {
  const { request, response, durationMs, sender } = exchange;
  const by = sender === undefined ? '' : `, sent by ${sender}`;
  const sent = `${request.method} ${request.path} → ${response.status} in ${formatDuration(durationMs)}${by}`;
  const headers = response.headers
    .filter(([name]) => !RARELY_TELLING.test(name))
    .map(([name, value]) => styled('gray', `< ${name}: ${value}`));
  const body = request.body === '' ? [] : `> ${clipped(request.body)}`.split('\n');
  return row('exchange', sent, ...body, ...headers, ...`< ${clipped(response.body)}`.split('\n'));
}

function renderUnanswered({ request, kind, message }: UnansweredRecord): readonly Line[] {
  return row('exchange', `${request.method} ${request.path} → no answer (${kind}: ${message})`);
}

const clipped = (text: string): string => clip(text, BODY_SHOWN_CHARACTERS);

function renderReasons(run: RunView): readonly (readonly Line[])[] {
  return reasonsOf(run).map(({ title, ids }) => [styled('yellow', title), ...ids.map((id) => `    ${id}`)]);
}

interface Reason {
  readonly title: string;
  readonly ids: readonly string[];
}

/** Why results were not judged, each reason once. */
function reasonsOf(run: RunView): readonly Reason[] {
  // The verdict counts those that were cut short.
  const skipped = withStandings(run, ['skipped']).filter((result) => !isCutShort(result));
  const reasons = Map.groupBy(skipped, ({ verdict, message }) => `${verdict}: ${message}`);
  return [...reasons].map(([reason, results]) => ({
    title: `${countOf(results.length, run.noun)} not judged, ${reason}`,
    ids: results.map(({ id }) => id),
  }));
}

function renderKnown(run: RunView): readonly (readonly Line[])[] {
  const known = withStandings(run, ['known']);
  if (known.length === 0) return [];
  const title = styled('yellow', `${countOf(known.length, 'failure')} known`);
  return [[title, ...known.map(({ id, message }) => `    ${id}: ${message}`)]];
}

const TONES: Readonly<Partial<Record<string, Style>>> = {
  good: 'green',
  bad: 'red',
  odd: 'yellow',
  quiet: 'gray',
};

function renderTable({ title, columns, rows }: TableView): readonly Line[] {
  const lines = [columns.map(({ name }) => name), ...rows.map(({ cells }) => cells)];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => (cells[index] ?? '').length)));
  const aligned = (cells: readonly string[]): string =>
    columns
      .map(({ isNumber }, index) => {
        const [cell = '', width = 0] = [cells[index], widths[index]];
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [
    styled('bold', title),
    styled('gray', `  ${aligned(columns.map(({ name }) => name))}`),
    ...rows.map(({ cells, tone }) => styled(TONES[tone], `  ${aligned(cells)}`)),
  ];
}

const OUTCOME_STYLES = { good: 'green', bad: 'red', open: 'yellow' } as const;

function headline(run: RunView): readonly Line[] {
  const { results, noun, facts, target, durationMs, seed, tables } = run;
  const style = OUTCOME_STYLES[outcomeOf(run)];
  const known = withStandings(run, ['known']).length;
  const counts = [...verdictCounts(results), ...(known > 0 ? [`${known} of them known`] : [])];
  const ran = facts.find(([label]) => label === 'Run')?.[1];
  return [
    // What was measured is a part of the verdict: where it is, its facts come first.
    ...(tables.length > 0 ? facts.map(([label, text]) => `${label.padEnd(13)} ${text}`) : []),
    styled(['bold', style], [countOf(results.length, noun), counts.join(', ')].filter(Boolean).join(': ')),
    ...clauseLine(run),
    ...facts.filter(([label]) => label === 'Device link').map((fact) => fact.join(': ')),
    ...gapLine(run),
    verdictLine(run),
    `${target}: ${ran === undefined ? '' : `${ran} in `}${formatDuration(durationMs)}, seed ${seed}`,
  ];
}

/** `250 passed`, `1 failed`: what did not occur is left out. */
function verdictCounts(results: readonly ResultView[]): readonly string[] {
  const byWord = Map.groupBy(results, ({ verdict }) => lookOf(verdict).word);
  const words = new Set([...Object.values(LOOKS).map(({ word }) => word), ...byWord.keys()]);
  return [...words].flatMap((word) => (byWord.has(word) ? [`${byWord.get(word)?.length} ${word}`] : []));
}

function clauseLine({ clauses }: RunView): readonly string[] {
  if (clauses.length === 0) return [];
  const count = (wanted: string): number => clauses.filter(({ outcome }) => outcome === wanted).length;
  const [broken, warned, notOffered, notJudged, excluded, notYet] = [
    'broken',
    'warned',
    'not offered',
    'not judged',
    'excluded',
    'not yet',
  ].map(count);
  const parts = [
    `${clauses.length - (excluded ?? 0) - (notYet ?? 0)} covered`,
    ...(broken ? [`${broken} of them broken`] : []),
    ...(warned ? [`${warned} of them with a warning`] : []),
    ...(notOffered ? [`${notOffered} of them not offered`] : []),
    ...(notJudged ? [`${notJudged} of them not judged here`] : []),
    `${excluded} excluded with a reason`,
    `${notYet} not yet`,
  ];
  return [`${countOf(clauses.length, 'clause')}: ${parts.join(', ')}`];
}

/** Only where any was looked at. */
function gapLine({ gaps }: RunView): readonly string[] {
  const seen = gaps.filter(({ observations }) => observations.length > 0).length;
  if (seen === 0) return [];
  return [`${countOf(gaps.length, 'gap')}: ${seen} looked at; gap-atlas.md has the answers`];
}
