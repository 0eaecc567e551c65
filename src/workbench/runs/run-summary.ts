/**
 * Run summary: a record in a line. Only the fields that the line needs are read, because another version may
 * have written the record.
 */

import { countOf } from '../../common/count-of.ts';
import type { RunSummaryView } from '../../record/control-types.ts';
import { VERDICTS } from '../../record/words.ts';

const LONGEST_WORDS = 100;

interface RecordHead {
  readonly tool?: unknown;
  readonly kind?: unknown;
  readonly runId?: unknown;
  readonly startedAt?: unknown;
  readonly progress?: RunSummaryView['progress'];
  readonly target?: { readonly name?: unknown };
  readonly summary?: { readonly exitCode?: unknown } & Readonly<Record<string, unknown>>;
  /** Set for a check. */
  readonly selection?: { readonly profile?: unknown; readonly grep?: unknown };
  /** Set for scenarios. */
  readonly scenarios?: readonly { readonly title?: unknown }[];
  /** Set for a load. */
  readonly plan?: { readonly title?: unknown };
  /** Set for an exploration. */
  readonly days?: unknown;
  readonly seed?: unknown;
  readonly findings?: readonly { readonly signature?: unknown }[];
  readonly ending?: unknown;
  readonly ledger?: { readonly totals?: { readonly classes?: unknown; readonly intents?: unknown } };
}

/** The headlines of kinds that do not count verdicts. */
const HEADLINES: Readonly<Record<string, (head: RecordHead) => string>> = {
  load: loadHeadline,
  explore: exploreHeadline,
};

/** Undefined for what is not a record. */
export function summaryOf(id: string, record: unknown): RunSummaryView | undefined {
  const head = record as RecordHead | undefined;
  if (head?.tool !== 'platen' || typeof head.startedAt !== 'string') return undefined;
  const { progress } = head;
  const counts = earlyEnd(head) === undefined ? countsOf(head.summary) : soFar(countsOf(head.summary));
  const exitCode = typeof head.summary?.exitCode === 'number' ? head.summary.exitCode : 70;
  const kind = String(head.kind);
  return {
    id,
    kind,
    startedAt: head.startedAt,
    target: wordOf(head.target?.name),
    about: aboutOf(head),
    exitCode: progress ? null : exitCode,
    headline: HEADLINES[kind]?.(head) ?? headlineOf(counts),
    counts,
    running: progress !== undefined,
    recorded: true,
    playable: true,
    ...(progress && { progress }),
  };
}

/** What a record calls itself. */
export function nameOf(record: unknown): string | undefined {
  const { runId } = record as RecordHead;
  return typeof runId === 'string' && runId !== '' ? runId : undefined;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LONGEST_WORDS) : '';
}

/** What was chosen of all there is. */
function aboutOf({ selection, scenarios = [], plan, days, seed }: RecordHead): string {
  if (plan) return wordOf(plan.title);
  if (days !== undefined) return `${Number(days)} days from seed ${Number(seed)}`;
  if (selection) {
    const grep = wordOf(selection.grep);
    return `${wordOf(selection.profile)}${grep === '' ? '' : `, matching ${grep}`}`;
  }
  const [first] = scenarios;
  return scenarios.length > 1 ? `${scenarios.length} scenarios` : wordOf(first?.title);
}

/** The numbers by verdict, wherever the kind of record has them. */
function countsOf(summary: RecordHead['summary']): Record<string, number> {
  const names = ['checks', 'scenarios', 'thresholds', 'findings', 'moments'];
  return numbersIn(names.map((name) => summary?.[name]).find((counts) => counts !== undefined));
}

function numbersIn(counts: unknown): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** `2 findings: print-jobs/one, print-jobs/two` */
function exploreHeadline({ findings = [] }: RecordHead): string {
  if (findings.length === 0) return 'nothing was found';
  return `${countOf(findings.length, 'finding')}: ${findings.map(({ signature }) => wordOf(signature)).join(', ')}`;
}

const ENDED_EARLY: Readonly<Record<string, string>> = { interrupted: 'stopped', aborted: 'given up' };

/** What ended a load whose thresholds were judged over a part of it; undefined of any other. */
function earlyEnd({ ending, progress }: RecordHead): string | undefined {
  return progress ? undefined : ENDED_EARLY[wordOf(ending)];
}

/** What was kept until then says nothing of the rest. */
function soFar({ pass = 0, ...counts }: Readonly<Record<string, number>>): Record<string, number> {
  return { ...counts, inconclusive: pass };
}

/** `100 jobs, 99 delivered once, 1 lost; 4 of 5 thresholds kept`, and that it was stopped where it was. */
function loadHeadline(head: RecordHead): string {
  const { ledger, summary } = head;
  const jobs = Object.entries(numbersIn(ledger?.totals?.classes)).filter(([, count]) => count > 0);
  const all = Number(ledger?.totals?.intents ?? 0);
  const { total = 0, pass = 0 } = countsOf(summary);
  const ended = earlyEnd(head);
  const [early, part] = ended === undefined ? ['', ''] : [`${ended} before its end: `, ' until then'];
  const kept = total === 0 ? '' : `; ${pass} of ${countOf(total, 'threshold')} kept${part}`;
  return `${early}${[`${all} jobs`, ...jobs.map(([name, count]) => `${count} ${name.replaceAll('-', ' ')}`)].join(', ')}${kept}`;
}

/** `24 fail, 165 pass`: what needs attention first. */
function headlineOf({ total = 0, ...verdicts }: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(verdicts).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  const parts = sorted.map(([verdict, count]) => `${count} ${verdict}`);
  return parts.length > 0 ? parts.join(', ') : `${total} in all`;
}

function rankOf(verdict: string): number {
  return VERDICTS.findIndex((one) => one === verdict);
}
