/**
 * Difference of two runs: what fails now and did not, what is fixed, and what is no longer checked.
 */

import { countOf } from '../../common/count-of.ts';
import type { CheckRunRecord, ClauseRecord } from '../../record/check-record.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { gapAtlas } from './gap-atlas.ts';
import { viewOf } from './view-of.ts';

export interface RunDifference {
  /** Failing now, and not before. */
  readonly broken: readonly string[];
  /** Failing before, and passing now. */
  readonly fixed: readonly string[];
  /** Judged before, and now missing from the run or not judged. */
  readonly vanished: readonly string[];
  /** Judged now, and not before; one that fails is broken. */
  readonly appeared: readonly string[];
  /** Clauses that were judged before and are not now. */
  readonly clausesVanished: readonly string[];
  /** Gaps that both runs looked at and that are now answered differently, a line each: neither better nor worse. */
  readonly gapsOtherwise: readonly string[];
}

interface Judged {
  readonly id: string;
  readonly verdict: string;
}

interface ComparedRun extends Pick<CheckRunRecord, 'clauses' | 'gaps'> {
  readonly target: Pick<CheckRunRecord['target'], 'name'>;
  /** Or scenarios, or what is judged of a load. */
  readonly checks: readonly Judged[];
}

/** The same of two runs of any kind. */
export function differenceOfRuns(before: RunRecord, after: RunRecord): RunDifference {
  return differenceOf(comparedOf(before), comparedOf(after));
}

function comparedOf(record: RunRecord): ComparedRun {
  if (record.kind === 'check') return record;
  return { target: record.target, checks: viewOf(record).results, clauses: {}, gaps: {} };
}

/** Verdicts that say something about the service. */
const JUDGED: ReadonlySet<string> = new Set(['pass', 'fail', 'warn', 'observed', 'flaky']);
const GOOD: ReadonlySet<string> = new Set(['pass', 'warn', 'observed']);

function isJudged(check: Judged | undefined): boolean {
  return check !== undefined && JUDGED.has(check.verdict);
}

export function differenceOf(before: ComparedRun, after: ComparedRun): RunDifference {
  const old = new Map(before.checks.map((check) => [check.id, check]));
  const now = new Map(after.checks.map((check) => [check.id, check]));
  const ids = [...new Set([...old.keys(), ...now.keys()])];
  const having = (accepts: (was?: Judged, is?: Judged) => boolean): readonly string[] =>
    ids.filter((id) => accepts(old.get(id), now.get(id)));
  return {
    broken: having((was, is) => is?.verdict === 'fail' && was?.verdict !== 'fail'),
    fixed: having((was, is) => was?.verdict === 'fail' && is !== undefined && GOOD.has(is.verdict)),
    vanished: having((was, is) => isJudged(was) && !isJudged(is)),
    appeared: having((was, is) => !isJudged(was) && isJudged(is) && is?.verdict !== 'fail'),
    clausesVanished: Object.entries(before.clauses)
      .filter(([id, clause]) => !isSilent(clause) && isSilent(after.clauses[id]))
      .map(([id]) => id),
    gapsOtherwise: gapAtlas([before, after])
      .filter(({ differs }) => differs)
      .map(({ gap, observed }) => {
        const [was, is] = observed.map(({ observations }) => observations.join(', '));
        return `${gap}: ${was} → ${is}`;
      }),
  };
}

/** `3 fixed, 1 new failure, 214 as before`, and what was judged in one of the runs alone. */
export function differenceLine(
  { broken, fixed, vanished, appeared }: RunDifference,
  { checks }: { readonly checks: readonly Judged[] },
): string {
  const same = checks.filter(isJudged).length - broken.length - fixed.length - appeared.length;
  return [
    `${fixed.length} fixed`,
    countOf(broken.length, 'new failure'),
    `${same} as before`,
    ...(appeared.length > 0 ? [`${appeared.length} judged for the first time`] : []),
    ...(vanished.length > 0 ? [`${vanished.length} no longer judged`] : []),
  ].join(', ');
}

/** What is laid to a cause was seen. */
function isSilent(clause: ClauseRecord | undefined): boolean {
  if (clause?.since !== undefined) return false;
  return clause === undefined || clause.outcome === 'not-judged' || clause.outcome === 'not-offered';
}

/** Whether the second run is the worse one: something broke, or is looked at no more. */
export function isWorse({ broken, vanished, clausesVanished }: RunDifference): boolean {
  return broken.length + vanished.length + clausesVanished.length > 0;
}

/** Line by line, with an empty one between sections. */
export function renderDifference(difference: RunDifference): readonly string[] {
  const sections = differenceSections(difference);
  if (sections.length === 0) return ['no difference'];
  return sections.flatMap(({ title, lines }, index) => [
    ...(index === 0 ? [] : ['']),
    title,
    ...lines.map((line) => `    ${line}`),
  ]);
}

/** What there is of it, the worst first. */
export interface DifferenceSection {
  readonly key: keyof RunDifference;
  readonly title: string;
  /** Ids of checks or clauses; of gaps, what was answered. */
  readonly lines: readonly string[];
}

export function differenceSections(difference: RunDifference): readonly DifferenceSection[] {
  return SECTIONS.map(([key, title]) => ({ key, title, lines: difference[key] })).filter(
    ({ lines }) => lines.length > 0,
  );
}

const SECTIONS: readonly (readonly [keyof RunDifference, string])[] = [
  ['broken', 'failing now'],
  ['fixed', 'fixed'],
  ['vanished', 'no longer judged'],
  ['appeared', 'judged for the first time'],
  ['clausesVanished', 'clauses no longer judged'],
  ['gapsOtherwise', 'gaps answered differently'],
];
