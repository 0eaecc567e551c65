/**
 * View: what reporters need to know of a run, whatever its kind. A kind of run is shown by every reporter as soon as
 * there is one function that makes a view of its record.
 *
 *   check record ──────┐
 *   scenario record ───┼─► RunView ─► the page; html, pdf, github, junit, ctrf, ndjson, badge
 *   load record ───────┘
 */

import { countOf } from '../../common/count-of.ts';
import type { ExchangeRecord, UnansweredRecord } from '../../record/check-record.ts';
import type { Progress } from '../../record/fields.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Ending } from '../../record/words.ts';

/**
 * blocked  its setup did not work
 * failed   the target did something wrong           error    nothing could be said, and it should have been
 * warned   differs from what was only observed      skipped  could not be tried here
 * known    failed as is known                       passed   as it should be
 */
export const STANDINGS = ['failed', 'error', 'blocked', 'warned', 'skipped', 'known', 'passed'] as const;

export type Standing = (typeof STANDINGS)[number];

export interface RunView {
  readonly kind: string;
  readonly runId: string;
  /** `Conformance of https://service.example`. */
  readonly title: string;
  readonly target: string;
  readonly seed: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly platenVersion: string;
  readonly exitCode: number;
  /** One word: PASSED, FAILED, INCOMPLETE, INVALID, ABORTED, BROKEN. */
  readonly word: string;
  /** The same in a sentence. */
  readonly sentence: string;
  /** What was counted, as `258 checks`. */
  readonly noun: string;
  /** More to know, label and text. */
  readonly facts: readonly (readonly [label: string, text: string])[];
  /** What else is wrong with the run, a sentence each. */
  readonly remarks: readonly string[];
  /** How far a run is that goes on; the view shows what is known so far. */
  readonly progress: Progress | undefined;
  /** What is wrong, those first on which most hangs. */
  readonly causes: readonly CauseView[];
  /** Parts of the API that are not there, and what else keeps checks from being judged. */
  readonly lacks: readonly LackView[];
  /** How the clauses of each chapter fared. */
  readonly chapters: readonly ChapterView[];
  readonly badge: { readonly label: string; readonly text: string };
  readonly results: readonly ResultView[];
  readonly clauses: readonly ClauseView[];
  readonly gaps: readonly GapView[];
  /** What was measured, beside what was judged; a run that measures nothing has none. */
  readonly tables: readonly TableView[];
  readonly charts: readonly ChartView[];
}

export interface LackView {
  readonly label: 'Not offered' | 'Not judged';
  readonly text: string;
}

export interface CauseView {
  /** Id of the result that shows it. */
  readonly id: string;
  /** The clause that is broken, or an empty string. */
  readonly clause: string;
  readonly level: string;
  /** What the specification says, and where. */
  readonly says: string;
  /** What the service did. */
  readonly did: string;
  /** The request that shows it, or an empty string. */
  readonly curl: string;
  /** Checks that fail, or cannot be judged, for this. */
  readonly checks: number;
  /** Clauses that are broken, or not judged, in them. */
  readonly clauses: number;
}

/** Numbers of clauses by what became of them. */
export interface ChapterView {
  readonly name: string;
  readonly kept: number;
  readonly broken: number;
  readonly notOffered: number;
  readonly notJudged: number;
}

/** The chapters as a table. */
export function chapterTable(chapters: readonly ChapterView[]): TableView {
  const names = ['kept', 'broken', 'not offered', 'not judged'];
  return {
    title: 'Clauses by chapter',
    note: '',
    columns: [{ name: 'chapter', isNumber: false }, ...names.map((name) => ({ name, isNumber: true }))],
    rows: chapters.map(({ name, kept, broken, notOffered, notJudged }) => ({
      cells: [name, ...[kept, broken, notOffered, notJudged].map((count) => (count === 0 ? '-' : String(count)))],
      tone: broken > 0 ? 'bad' : 'plain',
    })),
  };
}

/** How many causes are shown before everything else. */
export const CAUSES_SHOWN = 10;

/** `12 checks and 3 clauses`, which hang on it. */
export function hangingOn({ checks, clauses, level }: CauseView): string {
  const ofClauses = clauses === 0 ? '' : ` and ${countOf(clauses, 'clause')}`;
  return `${countOf(checks, 'check')}${ofClauses}${level === 'should' ? ' of level should' : ''}`;
}

/** Figures in rows and columns. The first column names the row. */
export interface TableView {
  readonly title: string;
  /** Whether it belongs to what is shown in brief, as on a terminal. */
  readonly isBrief?: boolean;
  /** How to read it, in a sentence or two. */
  readonly note: string;
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly rows: readonly RowView[];
}

export interface RowView {
  readonly cells: readonly string[];
  readonly tone: Tone;
}

/** Tells a row or a line apart; what it says stands in words as well. */
export type Tone = 'plain' | 'good' | 'bad' | 'odd' | 'quiet';

/** Lines over the seconds of a run. */
export interface ChartView {
  readonly title: string;
  readonly note: string;
  /** Counts begin at zero; durations, in microseconds, stand on a logarithmic scale. */
  readonly measure: 'count' | 'duration';
  /** Where each value stands, in seconds since the start; ascending. */
  readonly seconds: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly marks: readonly { readonly second: number; readonly what: string }[];
}

export interface ChartLine {
  readonly name: string;
  readonly tone: Tone;
  /** The value of each second; null if nothing was measured. */
  readonly values: readonly (number | null)[];
}

export interface ResultView {
  readonly id: string;
  readonly title: string;
  /** Family, or folder. */
  readonly group: string;
  readonly standing: Standing;
  readonly verdict: string;
  readonly durationMs: number;
  readonly message: string;
  /** What ended it, or kept it from beginning, beside what it judged. */
  readonly endedBy?: Ending;
  readonly clauses: readonly string[];
  readonly findings: readonly Finding[];
  /** What the target did where the specification leaves it open, by clause or gap. */
  readonly observed: readonly { readonly clause: string; readonly what: string }[];
  readonly exchanges: readonly ExchangeRecord[];
  readonly unanswered: readonly UnansweredRecord[];
  /** The last frames of links and deliveries to webhooks before it went wrong, a line each. */
  readonly traffic: readonly string[];
  readonly notes: readonly string[];
  readonly stack: string;
  /** What went on, on the clock of the service. */
  readonly log: readonly { readonly atMs: number; readonly what: string }[];
  readonly elapsedMs: number;
  /** Paper that came out, each as a PNG in base64. */
  readonly pictures: readonly { readonly caption: string; readonly png: string }[];
  readonly stories: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** The file it was read from, the line it ended at, and the step there; empty when it came to its end. */
  readonly source?: { readonly file: string; readonly line: number; readonly step: string };
  /** The command that does the same again, or an empty string. */
  readonly repeat: string;
  /** The script beside the record that does the same again without platen, or an empty string. */
  readonly script: string;
  /** Id of the result that is shown for the defect that this one shares; empty where this one is shown itself. */
  readonly followsFrom: string;
  readonly followers: readonly Pick<ResultView, 'id' | 'verdict' | 'message'>[];
}

/** One thing that is not as it should be. */
export interface Finding {
  /** Clause it breaks; empty where the specification has none. */
  readonly clause: string;
  readonly level: string;
  readonly statement: string;
  /** Where it stands in the specification; empty where that is not known. */
  readonly source: string;
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  /** Position of the exchange that shows it. */
  readonly exchange: number | undefined;
}

export interface ClauseView {
  readonly id: string;
  readonly level: string;
  readonly statement: string;
  /** Where it stands in the specification; empty where that is not known. */
  readonly source: string;
  /**
   * kept, broken, observed, not judged, excluded, not yet; broken at the level should: warned; otherwise than the
   * specification observed: differs.
   */
  readonly outcome: string;
  /** Why it is excluded, or not judged. */
  readonly reason: string;
  readonly checks: readonly string[];
}

export interface GapView {
  readonly id: string;
  readonly question: string;
  readonly observations: readonly string[];
}

type RunHead = Pick<
  RunView,
  | 'kind'
  | 'runId'
  | 'target'
  | 'startedAt'
  | 'durationMs'
  | 'platenVersion'
  | 'exitCode'
  | 'progress'
  | 'causes'
  | 'lacks'
  | 'chapters'
>;

export function headOf(record: RunRecord): RunHead {
  const { kind, runId, target, startedAt, durationMs, platenVersion, summary, progress } = record;
  const { exitCode } = summary;
  const run = { kind, runId, target: target.name, startedAt, durationMs, platenVersion, exitCode, progress };
  return { ...run, causes: [], lacks: [], chapters: [] };
}

/** A result of which nothing more is known, for views to add to. */
export const NO_EVIDENCE = {
  clauses: [],
  findings: [],
  observed: [],
  exchanges: [],
  unanswered: [],
  traffic: [],
  notes: [],
  stack: '',
  log: [],
  elapsedMs: 0,
  pictures: [],
  stories: [],
  repeat: '',
  script: '',
  followsFrom: '',
  followers: [],
} as const satisfies Partial<ResultView>;

/** `print-jobs/created` → `print-jobs`. */
export function groupOf(id: string): string {
  const slash = id.lastIndexOf('/');
  return slash === -1 ? '' : id.slice(0, slash);
}

/** Things of one chapter or folder together, as their ids say. */
export function byGroup<Item extends { readonly id: string }>(items: Iterable<Item>): Map<string, Item[]> {
  return Map.groupBy(items, ({ id }) => groupOf(id));
}

/** Results with these standings, those first that matter most. */
export function withStandings(run: RunView, standings: readonly Standing[]): readonly ResultView[] {
  return standings.flatMap((standing) => run.results.filter((result) => result.standing === standing));
}

/** The same without those that follow from another one, in the order in which to fix them. */
export function defectsWith(run: RunView, standings: readonly Standing[]): readonly ResultView[] {
  const places = new Map(run.causes.map(({ id }, index) => [id, index]));
  const place = ({ id }: ResultView): number => places.get(id) ?? run.causes.length;
  const shown = withStandings(run, standings).filter(({ followsFrom }) => followsFrom === '');
  return shown.toSorted((left, right) => place(left) - place(right));
}

/** Standings that are shown in full, and first. */
export const TOLD_STANDINGS = ['failed', 'error', 'blocked', 'warned'] as const satisfies readonly Standing[];

const OF_SERVICE: ReadonlySet<Standing> = new Set(['failed', 'blocked', 'warned']);

/** Results that show a defect of the service which no other one shows. */
export function defectsIn(results: readonly ResultView[]): readonly ResultView[] {
  return results.filter(({ standing, followsFrom }) => OF_SERVICE.has(standing) && followsFrom === '');
}

/** Whether the run went well, went wrong, or leaves it open. */
export function outcomeOf({ exitCode, progress }: Pick<RunView, 'exitCode' | 'progress'>): 'good' | 'bad' | 'open' {
  if (exitCode === 0) return progress ? 'open' : 'good';
  return exitCode === INCOMPLETE || exitCode === INTERRUPTED ? 'open' : 'bad';
}

const INCOMPLETE = 2;
const INTERRUPTED = 130;

/** `165 passed, 24 failed`; what did not occur is left out. */
export function countsInWords(run: RunView): string {
  const counts = STANDINGS.map((standing) => [standing, withStandings(run, [standing]).length] as const);
  const told = counts.filter(([, count]) => count > 0).map(([standing, count]) => `${count} ${WORD_OF[standing]}`);
  return told.length === 0 ? 'nothing was run' : told.join(', ');
}

export const WORD_OF: Readonly<Record<Standing, string>> = {
  failed: 'failed',
  error: 'without a verdict',
  blocked: 'blocked',
  warned: 'with a warning',
  skipped: 'not judged',
  known: 'failed as known',
  passed: 'passed',
};
