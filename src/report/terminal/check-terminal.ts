/**
 * Terminal: what a person wants to see of a run. A pure function of the record.
 *
 *   each failure: which rule, what was expected and came instead, the exchange, how to repeat it
 *   what could not be tried, by reason
 *   one headline: checks, clauses, seed
 */

import { styleText } from 'node:util';

import { formatDuration } from '../../common/duration.ts';
import type {
  CheckRecord,
  CheckRunRecord,
  ExchangeRecord,
  JudgementRecord,
  UnansweredRecord,
} from '../../record/check-record.ts';
import type { Verdict } from '../../record/words.ts';
import { printableDeep } from './printable.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

export interface TerminalOptions {
  readonly color: boolean;
}

/** Whether colours are wanted on this stream: a terminal, and neither NO_COLOR nor TERM=dumb. */
export function usesColor(stream: NodeJS.WriteStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}

const MARKS: Readonly<Record<Verdict, readonly [mark: string, style: Style]>> = {
  pass: ['ok', 'green'],
  fail: ['FAIL', 'red'],
  warn: ['warn', 'yellow'],
  observed: ['seen', 'cyan'],
  'not-applicable': ['n/a', 'gray'],
  untestable: ['skip', 'yellow'],
  inconclusive: ['open', 'yellow'],
  blocked: ['stop', 'yellow'],
  flaky: ['flaky', 'yellow'],
  'harness-error': ['BUG', 'magenta'],
};

/** Verdicts that are told in full. */
const TOLD_IN_FULL: readonly Verdict[] = ['harness-error', 'fail', 'blocked', 'flaky', 'warn'];
/** Verdicts that are told as a reason and how many checks it concerns. */
const TOLD_BY_REASON: readonly Verdict[] = ['untestable', 'inconclusive', 'not-applicable'];

/** A check that has ended, as one of those of the run, from 1. */
export interface EndedCheck {
  readonly outcome: {
    readonly verdict: Verdict;
    readonly check: { readonly id: string; readonly title: string };
  };
  readonly position: number;
  readonly total: number;
}

/** One line for a check that has ended. */
export function renderProgress(
  { outcome: { verdict, check }, position, total }: EndedCheck,
  options: TerminalOptions,
): string {
  const paint = painter(options);
  const [mark, style] = MARKS[verdict];
  const counter = `${String(position).padStart(String(total).length)}/${total}`;
  const line = `${paint('gray', counter)} ${paint(style, mark.padEnd(5))} ${check.id}`;
  return `${line}  ${paint('gray', check.title)}`;
}

/** The whole report, ending in a line break. */
export function renderTerminal(made: CheckRunRecord, options: TerminalOptions): string {
  const record = printableDeep(made);
  const paint = painter(options);
  const told = record.checks.filter(
    ({ verdict, known }) => TOLD_IN_FULL.includes(verdict) && known === undefined,
  );
  const sections = [
    ...told.map((check) => renderCheck(check, record, paint)),
    ...renderReasons(record, paint),
    ...renderKnown(record, paint),
    ...record.summary.baselineProblems.map((line) => paint('red', `known failures, ${line}`)),
    ...record.target.contradictions.map((line) => paint('yellow', `declared otherwise: ${line}`)),
    ...record.summary.leftBehind.map((line) => paint('yellow', line)),
    renderHeadline(record, paint),
  ];
  return `\n${sections.join('\n\n')}\n`;
}

function painter({ color }: TerminalOptions): Paint {
  return color ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}

function renderCheck(check: CheckRecord, record: CheckRunRecord, paint: Paint): string {
  const [mark, style] = MARKS[check.verdict];
  const broken = check.evidence.judgements.filter(({ mismatch }) => mismatch);
  const lines = [`${paint(style, mark)} ${paint('bold', check.id)}  ${check.title}`];
  if (broken.length === 0) lines.push(row('why', check.message, paint));
  for (const judgement of broken) lines.push(...renderJudgement(judgement, record, paint));
  const shown = shownExchange(check, broken);
  if (shown) lines.push(...renderExchange(shown, paint));
  for (const unanswered of check.evidence.unanswered) lines.push(...renderUnanswered(unanswered, paint));
  for (const note of check.evidence.notes) lines.push(row('note', note, paint));
  if (check.evidence.stack) lines.push(row('stack', check.evidence.stack, paint));
  return lines.join('\n');
}

function row(label: string, text: string, paint: Paint): string {
  const [first = '', ...others] = text.split('\n');
  const rest = others.map((line) => `             ${line}`);
  return [`    ${paint('gray', label.padEnd(8))} ${first}`, ...rest].join('\n');
}

function renderJudgement(
  { clause, mismatch }: JudgementRecord,
  record: CheckRunRecord,
  paint: Paint,
): readonly string[] {
  if (!mismatch) return [];
  const known = record.clauses[clause];
  const statement = known ? ` (${known.level}): ${known.statement}` : '';
  return [
    row('clause', `${paint('bold', clause)}${statement}`, paint),
    row('expected', paint('green', mismatch.expected), paint),
    row('actual', paint('red', mismatch.actual), paint),
    row('at', mismatch.at, paint),
  ];
}

/** The exchange that shows the first mismatch, or the last one that was kept. */
function shownExchange(check: CheckRecord, broken: readonly JudgementRecord[]): ExchangeRecord | undefined {
  const { exchanges } = check.evidence;
  const position = broken[0]?.mismatch?.exchange;
  return exchanges.find((exchange) => exchange.position === position) ?? exchanges.at(-1);
}

/** Headers that are left to the record: long, the same each time, or of the connection. */
const RARELY_TELLING = /^(access-control-.*|date|connection|keep-alive|content-length)$/i;
const BODY_SHOWN_CHARACTERS = 400;

function renderExchange(
  { request, response, durationMs, curl }: ExchangeRecord,
  paint: Paint,
): readonly string[] {
  const sent = `${request.method} ${request.path} → ${response.status} in ${formatDuration(durationMs)}`;
  const headers = response.headers
    .filter(([name]) => !RARELY_TELLING.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  const dialogue = [sent, ...(request.body ? [`> ${clip(request.body)}`] : [])];
  dialogue.push(...headers.map((header) => paint('gray', `< ${header}`)), `< ${clip(response.body)}`);
  return [row('exchange', dialogue.join('\n'), paint), row('repeat', curl, paint)];
}

function renderUnanswered(
  { request, kind, message, curl }: UnansweredRecord,
  paint: Paint,
): readonly string[] {
  const sent = `${request.method} ${request.path} → no answer (${kind}: ${message})`;
  return [row('exchange', sent, paint), row('repeat', curl, paint)];
}

function clip(text: string): string {
  return text.length > BODY_SHOWN_CHARACTERS ? `${text.slice(0, BODY_SHOWN_CHARACTERS)}…` : text;
}

function renderReasons(record: CheckRunRecord, paint: Paint): readonly string[] {
  const checks = record.checks.filter((check) => TOLD_BY_REASON.includes(check.verdict));
  const reasons = Map.groupBy(checks, (check) => `${check.verdict}: ${check.message}`);
  return [...reasons].map(([reason, concerned]) =>
    [
      paint('yellow', `${countOf(concerned.length, 'check')} not judged, ${reason}`),
      ...concerned.map((check) => `    ${check.id}`),
    ].join('\n'),
  );
}

function renderKnown({ checks }: CheckRunRecord, paint: Paint): readonly string[] {
  const lines = checks.flatMap(({ id, known }) =>
    known ? [`    ${id}: ${known.reason} (${known.owner}, until ${known.expires})`] : [],
  );
  if (lines.length === 0) return [];
  return [[paint('yellow', `${countOf(lines.length, 'failure')} known`), ...lines].join('\n')];
}

function renderHeadline(record: CheckRunRecord, paint: Paint): string {
  const { summary, target, seed, durationMs } = record;
  const { total, ...verdicts } = summary.checks;
  const style: Style = summary.exitCode === 0 ? 'green' : summary.exitCode === 1 ? 'red' : 'yellow';
  const results = VERDICT_WORDS.filter(([verdict]) => verdicts[verdict]).map(
    ([verdict, word]) => `${verdicts[verdict]} ${word}`,
  );
  const known = summary.known > 0 ? [`${summary.known} of them known`] : [];
  const { clauses } = summary;
  const covered = [
    `${clauses.covered} covered`,
    ...(clauses.broken > 0 ? [`${clauses.broken} of them broken`] : []),
    ...(clauses.notJudged > 0 ? [`${clauses.notJudged} of them not judged here`] : []),
    `${clauses.excluded} excluded with a reason`,
    `${clauses.notYet} not yet`,
  ];
  return [
    paint(['bold', style], `${countOf(total, 'check')}: ${[...results, ...known].join(', ')}`),
    `${countOf(clauses.total, 'clause')}: ${covered.join(', ')}`,
    ...gapLine(record),
    `${target.name}, ${countOf(summary.requests, 'request')} in ${formatDuration(durationMs)}, seed ${seed}`,
  ].join('\n');
}

/** Only where any was looked at. */
function gapLine({ gaps }: CheckRunRecord): readonly string[] {
  const all = Object.values(gaps);
  const seen = all.filter(({ observations }) => observations.length > 0).length;
  return seen === 0 ? [] : [`${countOf(all.length, 'gap')}: ${seen} looked at; gap-atlas.md has the answers`];
}

const VERDICT_WORDS: readonly (readonly [Verdict, string])[] = [
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['harness-error', 'broken by the harness'],
  ['blocked', 'blocked'],
  ['untestable', 'not testable here'],
  ['inconclusive', 'inconclusive'],
  ['flaky', 'flaky'],
  ['warn', 'with a warning'],
  ['observed', 'observed'],
  ['not-applicable', 'not applicable'],
];

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
