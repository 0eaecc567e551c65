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
import { styleText } from 'node:util';

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import { shellArgument } from '../../common/shell-word.ts';
import type { ExchangeRecord, UnansweredRecord } from '../../record/check-record.ts';
import type { PlayedTarget } from '../../record/fields.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { ScenarioRecord } from '../../record/scenario-record.ts';
import { isCutShort, VERDICTS, type Verdict } from '../../record/words.ts';
import {
  defectsWith,
  outcomeOf,
  TOLD_STANDINGS,
  withStandings,
  type Finding,
  type ResultView,
  type RunView,
  type TableView,
} from '../view/run-view.ts';
import { viewOfScenario } from '../view/scenario-view.ts';
import { followerLines, rulesOf, shownExchange, type BrokenRule } from '../view/story.ts';
import { viewOf } from '../view/view-of.ts';
import { printableDeep } from './printable.ts';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export interface TerminalOptions {
  readonly color: boolean;
}

/** Whether colours are wanted on this stream: a terminal, and neither NO_COLOR nor TERM=dumb. */
export function usesColor(stream: NodeJS.WriteStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}

export function painter({ color }: TerminalOptions): Paint {
  return color ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}

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
  blocked: { mark: 'block', style: 'yellow', word: 'blocked' },
  untestable: { mark: 'skip', style: 'yellow', word: 'not testable here' },
  inconclusive: { mark: 'open', style: 'yellow', word: 'inconclusive' },
  flaky: { mark: 'flaky', style: 'yellow', word: 'flaky' },
  'too-long': { mark: 'long', style: 'gray', word: 'not judged, for the time it takes' },
  warn: { mark: 'warn', style: 'yellow', word: 'with a warning' },
  observed: { mark: 'seen', style: 'cyan', word: 'observed' },
  'not-applicable': { mark: 'n/a', style: 'gray', word: 'not applicable' },
};

/** Of a load, a result may have no verdict. */
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

export function renderProgress(
  { outcome: { verdict, check }, position, total }: EndedCheck,
  options: TerminalOptions,
): string {
  const paint = painter(options);
  const { mark, style } = LOOKS[verdict];
  const counter = `${String(position).padStart(String(total).length)}/${total}`;
  return `${paint('gray', counter)} ${paint(style, mark.padEnd(5))} ${check.id}  ${paint('gray', check.title)}`;
}

/** What is shown once a scenario has been played. */
export function renderScenario(played: ScenarioRecord, target: PlayedTarget, options: TerminalOptions): string {
  return renderPlayed(printableDeep(viewOfScenario(played, target)), painter(options));
}

interface RunTerminalOptions extends TerminalOptions {
  /** Where the record is, for the commands that repeat a result. */
  readonly file?: string | undefined;
}

/** The whole report, ending in a line break. */
export function renderRun(record: RunRecord, options: RunTerminalOptions): string {
  const run = withFile(printableDeep(viewOf(record)), options.file);
  const paint = painter(options);
  const results =
    record.kind === 'run'
      ? [run.results.map((result) => renderPlayed(result, paint)).join('\n')]
      : defectsWith(run, TOLD_STANDINGS).map((result) => renderResult(result, paint));
  const sections = [
    ...results,
    ...(record.kind === 'run' ? [] : renderReasons(run, paint)),
    ...renderKnown(run, paint),
    ...run.tables.filter(({ isBrief }) => isBrief).map((table) => renderTable(table, paint)),
    ...(run.remarks.length > 0 ? [run.remarks.map((remark) => paint('yellow', remark)).join('\n')] : []),
    headline(run, paint),
  ];
  return `\n${sections.join('\n\n')}\n`;
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
export function renderQuietly(record: RunRecord, options: TerminalOptions): string {
  const run = printableDeep(viewOf(record));
  const paint = painter(options);
  const told = record.kind === 'check' ? withStandings(run, TOLD_STANDINGS) : [];
  const reasons = record.kind === 'check' ? reasonsOf(run) : [];
  return [
    ...told.map((result) => renderBriefly(result, paint)),
    ...reasons.map(({ title }) => paint('yellow', title)),
    verdictLine(run, paint),
  ].join('\n');
}

function renderBriefly({ id, title, verdict, message }: ResultView, paint: Paint): string {
  const { mark, style } = lookOf(verdict);
  return `${paint(style, mark)} ${id}  ${message === '' ? title : message}`;
}

function verdictLine(run: RunView, paint: Paint): string {
  return `${paint(OUTCOME_STYLES[outcomeOf(run)], run.word)}: ${run.sentence}`;
}

/** The last lines: the verdict and the counts. */
export function renderHeadline(record: RunRecord, options: TerminalOptions): string {
  return headline(printableDeep(viewOf(record)), painter(options));
}

const TITLE_COLUMNS = 76;

/** A scenario on one line; below it why, when it did not pass. */
function renderPlayed(result: ResultView, paint: Paint): string {
  const { mark, style } = lookOf(result.verdict);
  const time = `${formatDuration(result.elapsedMs)} in ${formatDuration(result.durationMs)}`;
  const line = `${paint(style, mark.padEnd(5))} ${result.title.padEnd(TITLE_COLUMNS)} ${paint('gray', time)}`;
  return result.standing === 'passed' ? line : [line, ...detailsOf(result, paint), ''].join('\n');
}

function renderResult(result: ResultView, paint: Paint): string {
  const { mark, style } = lookOf(result.verdict);
  const line = `${paint(style, mark)} ${paint('bold', result.id)}  ${result.title}`;
  return [line.trimEnd(), ...detailsOf(result, paint)].join('\n');
}

const MOST_FINDINGS = 10;
const MOST_LINES = 40;

function detailsOf(result: ResultView, paint: Paint): readonly string[] {
  const { findings, message, source, stories, unanswered, traffic, notes, stack, repeat } = result;
  const row = (label: string, text: string): string => renderRow(label, text, paint);
  const exchange = shownExchange(result);
  const more = findings.length - MOST_FINDINGS;
  return [
    ...(source ? [row('file', source.file)] : []),
    ...(source?.step ? [row('step', source.step)] : []),
    ...(findings.length === 0 && message !== '' ? [row('why', message)] : []),
    ...rulesOf(findings.slice(0, MOST_FINDINGS)).flatMap((rule) => renderRule(rule, paint)),
    ...(more > 0 ? [row('', `and ${more} more`)] : []),
    ...stories.flatMap(({ title, lines }) => [row('story', [title, ...lines.slice(0, MOST_LINES)].join('\n'))]),
    ...(exchange ? renderExchange(exchange, paint) : []),
    ...unanswered.flatMap((one) => renderUnanswered(one, paint)),
    ...repetitionOf(result).map((command) => row('repeat', command)),
    ...(traffic.length > 0 ? [row('traffic', traffic.map(clip).join('\n'))] : []),
    ...notes.map((note) => row('note', note)),
    ...(stack === '' ? [] : [row('stack', stack)]),
    ...(repeat === '' ? [] : [row('again', repeat)]),
    ...(result.followers.length === 0 ? [] : [row('also', followerLines(result).join('\n'))]),
  ];
}

/** A single request names what the check has removed since: it is shown only where no script makes that anew. */
function repetitionOf(result: ResultView): readonly string[] {
  if (result.script !== '') return [`sh ${shellArgument(result.script)}`];
  return [shownExchange(result), ...result.unanswered].flatMap((one) => one?.curl ?? []);
}

function renderRow(label: string, text: string, paint: Paint): string {
  const [first = '', ...others] = text.split('\n');
  const rest = others.map((line) => `             ${line}`);
  return [`    ${paint('gray', label.padEnd(8))} ${first}`, ...rest].join('\n');
}

function renderRule({ clause, remark, statement, source, broken }: BrokenRule, paint: Paint): readonly string[] {
  const rule = `${paint('bold', clause)}${statement === '' ? '' : `${remark}: ${statement}`}`;
  return [
    ...(clause === '' ? [] : [renderRow('clause', rule, paint)]),
    ...(source === '' ? [] : [renderRow('source', source, paint)]),
    ...broken.flatMap((finding) => renderFinding(finding, paint)),
  ];
}

function renderFinding({ at, expected, actual }: Finding, paint: Paint): readonly string[] {
  return [
    renderRow('expected', paint('green', expected), paint),
    renderRow('actual', paint('red', actual), paint),
    renderRow('at', at, paint),
  ];
}

/** Headers that are left to the record: long, the same each time, or of the connection. */
const RARELY_TELLING = /^(access-control-.*|date|connection|keep-alive|content-length)$/i;
const BODY_SHOWN_CHARACTERS = 400;

function renderExchange(exchange: ExchangeRecord, paint: Paint): readonly string[] {
  const { request, response, durationMs, sender } = exchange;
  const by = sender === undefined ? '' : `, sent by ${sender}`;
  const sent = `${request.method} ${request.path} → ${response.status} in ${formatDuration(durationMs)}${by}`;
  const headers = response.headers
    .filter(([name]) => !RARELY_TELLING.test(name))
    .map(([name, value]) => paint('gray', `< ${name}: ${value}`));
  const body = request.body === '' ? [] : [`> ${clip(request.body)}`];
  const dialogue = [sent, ...body, ...headers, `< ${clip(response.body)}`].join('\n');
  return [renderRow('exchange', dialogue, paint)];
}

function renderUnanswered({ request, kind, message }: UnansweredRecord, paint: Paint): readonly string[] {
  const sent = `${request.method} ${request.path} → no answer (${kind}: ${message})`;
  return [renderRow('exchange', sent, paint)];
}

function clip(text: string): string {
  return text.length > BODY_SHOWN_CHARACTERS ? `${text.slice(0, BODY_SHOWN_CHARACTERS)}…` : text;
}

function renderReasons(run: RunView, paint: Paint): readonly string[] {
  return reasonsOf(run).map(({ title, ids }) => [paint('yellow', title), ...ids.map((id) => `    ${id}`)].join('\n'));
}

interface Reason {
  readonly title: string;
  readonly ids: readonly string[];
}

/** Why results were not judged, each reason once. */
function reasonsOf(run: RunView): readonly Reason[] {
  // The verdict counts those that were cut short.
  const skipped = withStandings(run, ['skipped']).filter(({ message }) => !isCutShort(message));
  const reasons = Map.groupBy(skipped, ({ verdict, message }) => `${verdict}: ${message}`);
  return [...reasons].map(([reason, results]) => ({
    title: `${countOf(results.length, run.noun)} not judged, ${reason}`,
    ids: results.map(({ id }) => id),
  }));
}

function renderKnown(run: RunView, paint: Paint): readonly string[] {
  const known = withStandings(run, ['known']);
  if (known.length === 0) return [];
  const title = paint('yellow', `${countOf(known.length, 'failure')} known`);
  return [[title, ...known.map(({ id, message }) => `    ${id}: ${message}`)].join('\n')];
}

const TONES: Readonly<Partial<Record<string, Style>>> = {
  good: 'green',
  bad: 'red',
  odd: 'yellow',
  quiet: 'gray',
};

function renderTable({ title, columns, rows }: TableView, paint: Paint): string {
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
    paint('bold', title),
    paint('gray', `  ${aligned(columns.map(({ name }) => name))}`),
    ...rows.map(({ cells, tone }) => {
      const style = TONES[tone];
      return style === undefined ? `  ${aligned(cells)}` : paint(style, `  ${aligned(cells)}`);
    }),
  ].join('\n');
}

const OUTCOME_STYLES = { good: 'green', bad: 'red', open: 'yellow' } as const;

function headline(run: RunView, paint: Paint): string {
  const { results, noun, facts, target, durationMs, seed, tables } = run;
  const style = OUTCOME_STYLES[outcomeOf(run)];
  const known = withStandings(run, ['known']).length;
  const counts = [...verdictCounts(results), ...(known > 0 ? [`${known} of them known`] : [])];
  const ran = facts.find(([label]) => label === 'Run')?.[1];
  return [
    // What was measured is a part of the verdict: where it is, its facts come first.
    ...(tables.length > 0 ? facts.map(([label, text]) => `${label.padEnd(13)} ${text}`) : []),
    paint(['bold', style], [countOf(results.length, noun), counts.join(', ')].filter(Boolean).join(': ')),
    ...clauseLine(run),
    ...facts.filter(([label]) => label === 'Device link').map((fact) => fact.join(': ')),
    ...gapLine(run),
    verdictLine(run, paint),
    `${target}: ${ran === undefined ? '' : `${ran} in `}${formatDuration(durationMs)}, seed ${seed}`,
  ].join('\n');
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
  const [broken, warned, notJudged, excluded, notYet] = ['broken', 'warned', 'not judged', 'excluded', 'not yet'].map(
    count,
  );
  const parts = [
    `${clauses.length - (excluded ?? 0) - (notYet ?? 0)} covered`,
    ...(broken ? [`${broken} of them broken`] : []),
    ...(warned ? [`${warned} of them with a warning`] : []),
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
