/**
 * Clause matrix: every clause of the specification by chapter, and what became of it in each run.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import { byGroup, type ClauseView, type RunView } from '../view/run-view.ts';
import { aside, clip, fold, heading, remark, table } from './pieces.ts';

const STATEMENT_MOST = 400;
const CHECKS_MOST = 12;

interface ClausesProps {
  readonly runs: readonly RunView[];
  /** The name of a check, as a link to its result where there is one. */
  readonly linkTo: (check: string) => ComponentChildren;
}

interface Column {
  readonly heading: string;
  readonly clauses: ReadonlyMap<string, ClauseView>;
}

export function Clauses({ runs, linkTo }: ClausesProps): ComponentChildren {
  const judged = runs.filter(({ clauses }) => clauses.length > 0);
  const columns = judged.map(({ clauses, target }, index) => ({
    heading: judged.length === 1 ? 'Outcome' : `${index + 1}. ${clip(target, 60)}`,
    clauses: new Map(clauses.map((clause) => [clause.id, clause])),
  }));
  const all = new Map(columns.flatMap(({ clauses }) => [...clauses]));
  return [
    h(
      'p',
      null,
      `What the specification says, clause by clause, and what the ${runs.length === 1 ? 'run' : 'runs'} showed. `,
      aside(legend(judged)),
    ),
    [...byGroup(all.values())].map(([chapter, clauses]) => h(Chapter, { chapter, clauses, columns, linkTo })),
  ];
}

function legend(runs: readonly RunView[]): string {
  const byOutcome = Map.groupBy(
    runs.flatMap(({ clauses }) => clauses),
    ({ outcome }) => outcome,
  );
  return [...byOutcome].map(([outcome, clauses]) => `${clauses.length} ${outcome}`).join(', ');
}

interface ChapterProps extends Pick<ClausesProps, 'linkTo'> {
  readonly chapter: string;
  readonly clauses: readonly ClauseView[];
  readonly columns: readonly Column[];
}

function Chapter({ chapter, clauses, columns, linkTo }: ChapterProps): JSX.Element {
  const isBroken = ({ id }: ClauseView): boolean =>
    columns.some((column) => column.clauses.get(id)?.outcome === 'broken');
  const broken = clauses.filter(isBroken).length;
  return fold(
    { class: 'chapter' },
    [
      h('span', { class: 'name' }, chapter),
      ' ',
      aside(`${clauses.length} clauses`),
      broken > 0 && [' ', h('b', { class: 'broken' }, `${broken} broken`)],
      columns.length === 1 && h(Squares, { clauses }),
    ],
    table(
      'clauses',
      ['Clause', 'Level', ...columns.map((column) => column.heading), 'Checks'].map(heading),
      clauses.map((clause) => h(ClauseRow, { clause, columns, linkTo })),
    ),
  );
}

/** The clauses of a chapter at a glance. */
function Squares({ clauses }: Pick<ChapterProps, 'clauses'>): JSX.Element {
  return h(
    'span',
    { class: 'squares', 'aria-hidden': 'true' },
    clauses.map(({ outcome }) => h('i', { class: classOf(outcome) })),
  );
}

interface ClauseRowProps extends Pick<ChapterProps, 'columns' | 'linkTo'> {
  readonly clause: ClauseView;
}

function ClauseRow({ clause, columns, linkTo }: ClauseRowProps): JSX.Element {
  const { id, level, statement, source, reason, checks } = clause;
  const more = checks.length - CHECKS_MOST;
  return h(
    'tr',
    { 'data-row': '' },
    h(
      'th',
      { scope: 'row' },
      h('code', null, clip(id, 120)),
      source !== '' && remark(clip(source, STATEMENT_MOST)),
      h('p', null, clip(statement, STATEMENT_MOST)),
      reason !== '' && remark(clip(reason, STATEMENT_MOST)),
    ),
    h('td', null, level),
    columns.map(({ clauses }) => {
      const outcome = clauses.get(id)?.outcome ?? 'not in it';
      return h('td', { class: classOf(outcome) }, outcome);
    }),
    h(
      'td',
      null,
      checks.slice(0, CHECKS_MOST).map((check) => [linkTo(check), ' ']),
      more > 0 && `and ${more} more`,
    ),
  );
}

function classOf(outcome: string): string {
  return outcome.replaceAll(/[^a-z]/g, '-');
}
