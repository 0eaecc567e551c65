/**
 * Evidence: a folder for each failure, for a developer who fixes the service and knows nothing of platen.
 *
 *   failures/paging-any-page/
 *     failure.md       which clause, what was expected, what came, how to repeat it
 *     transcript.txt   all that was sent and answered, frames of links and deliveries to webhooks included, with the
 *                      time the check let go by between
 *     repro.sh         does it again, and ends with 1 for as long as it is broken
 */

import { formatDuration } from '../../common/duration.ts';
import type { CheckRecord, CheckRunRecord, ExchangeRecord } from '../../record/check-record.ts';
import { code, text } from '../../common/markdown.ts';
import { shellArgument } from '../../common/shell-word.ts';
import { written } from '../terminal/written.ts';
import { failureFolder, hasFailed, replayLine } from '../view/check-view.ts';
import { trafficOf } from '../view/traffic.ts';
import { renderRepro } from './repro.ts';

/** Paths below the folder of the run, and what stands there. */
export function renderEvidence(record: CheckRunRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(
    record.checks.filter(hasFailed).flatMap((check) => {
      const folder = failureFolder(check.id);
      return [
        [`${folder}/failure.md`, failureOf(check, record)],
        [`${folder}/transcript.txt`, transcriptOf(check)],
        [`${folder}/repro.sh`, renderRepro(check, record)],
      ];
    }),
  );
}

function failureOf(check: CheckRecord, record: CheckRunRecord): string {
  const broken = check.evidence.judgements.flatMap(({ clause, mismatch }) => {
    if (!mismatch) return [];
    const known = record.clauses[clause];
    return [
      `## ${clause}${known ? ` (${known.level})` : ''}`,
      '',
      ...(known ? [`> ${text(known.statement)}`, ''] : []),
      ...(known?.source === undefined ? [] : [`- specification: ${text(known.source)}`]),
      `- at: ${code(mismatch.at)}`,
      `- expected: ${code(mismatch.expected)}`,
      `- actual: ${code(mismatch.actual)}`,
      ...(mismatch.exchange === undefined ? [] : [`- seen in exchange ${mismatch.exchange} of transcript.txt`]),
      '',
    ];
  });
  return [
    `# ${check.id}: ${check.verdict}`,
    '',
    text(check.title),
    '',
    text(check.message),
    '',
    ...broken,
    ...check.evidence.notes.map((note) => `- ${text(note)}`),
    '',
    `Seed ${record.seed}, on ${text(record.target.name)}. Where platen was started, in a project with npx before it:`,
    '',
    `    ${replayLine(['PATH/run.json', shellArgument(check.id)], record.target)}`,
    '',
  ].join('\n');
}

/** All that happened, in order: requests, frames, deliveries to webhooks, and where a clause was found broken. */
function transcriptOf({ evidence }: CheckRecord): string {
  const { exchanges, judgements, unanswered } = evidence;
  const sent = exchanges.map((exchange, index) => ({
    // A record of an older version has no times: its order is kept.
    atMs: exchange.atMs ?? index,
    told: [
      ...waitBefore(exchange, exchanges[index - 1]).map((ms) => `… ${formatDuration(ms)} go by …\n`),
      exchangeText(exchange),
    ].join('\n'),
  }));
  const traffic = trafficOf(evidence).map(({ atMs, line }) => ({ atMs, told: `${line}\n` }));
  const broken = judgements.flatMap(({ clause, mismatch, atMs = Number.POSITIVE_INFINITY }) =>
    mismatch ? [{ atMs, told: `!! ${clause} is broken: ${describe(mismatch)}\n` }] : [],
  );
  const silent = unanswered.map(
    ({ request, kind, message }) => `${request.method} ${request.path}\nno answer (${kind}: ${message})\n`,
  );
  const inOrder = [...sent, ...traffic, ...broken].toSorted((left, right) => left.atMs - right.atMs);
  const lines = [...inOrder.map(({ told }) => told), ...silent].join('\n').split('\n');
  return written(lines, { color: false });
}

function describe({ at, expected, actual }: { at: string; expected: string; actual: string }): string {
  return `${at}: expected ${expected}, got ${actual}`;
}

function exchangeText({ position, sender, request, response, durationMs }: ExchangeRecord): string {
  const lines = [
    `[${position}] ${request.method} ${request.path}${sender === undefined ? '' : ` (sent by ${sender})`}`,
    ...request.headers.map(([name, value]) => `> ${name}: ${value}`),
    ...(request.body === '' ? [] : ['>', ...linesOf(request.body, '>')]),
    `< ${response.status} after ${formatDuration(durationMs)}`,
    ...response.headers.map(([name, value]) => `< ${name}: ${value}`),
    '<',
    ...linesOf(response.body, '<'),
    '',
  ];
  return lines.join('\n');
}

function linesOf(body: string, mark: string): readonly string[] {
  return body.split('\n').map((line) => `${mark} ${line}`);
}

/** Time the check let pass before an exchange; polling is not worth a line. */
function waitBefore(exchange: ExchangeRecord, before: ExchangeRecord | undefined): readonly number[] {
  const ms = exchange.waitedMs - (before?.waitedMs ?? 0);
  return ms >= WAIT_TOLD_MS ? [ms] : [];
}

const WAIT_TOLD_MS = 100;
