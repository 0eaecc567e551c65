/**
 * Run results: those first that went wrong, each in full, then the rest by family. How much evidence the document holds
 * is bounded: what no longer fits says where it stands.
 */

import { h, type ComponentChildren, type JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { formatDuration } from '../../common/duration.ts';
import { aside, clip, fold, remark } from '../draw/pieces.ts';
import { Evidence, Result } from '../draw/result.ts';
import { Strip } from '../draw/timeline.ts';
import {
  byGroup,
  defectsWith,
  STANDINGS,
  TOLD_STANDINGS,
  withStandings,
  WORD_OF,
  type ResultView,
  type RunView,
  type Standing,
} from '../view/run-view.ts';
import { followersTitle } from '../view/story.ts';

const ID_MOST = 160;
const TITLE_MOST = 240;
/** Failures that are open when the document opens. */
const OPEN_MOST = 3;

const SHOWN_FIRST: readonly Standing[] = TOLD_STANDINGS;

/** Where a result stands in the document; links come from the table of clauses. */
export function anchorOf(runIndex: number, resultIndex: number): string {
  return `r${runIndex}-${resultIndex}`;
}

/** Characters of evidence that there is still room for. */
interface Allowance {
  characters: number;
}

interface RunResultsProps {
  readonly run: RunView;
  readonly runIndex: number;
  readonly allowance: Allowance;
}

export function RunResults({ run, runIndex, allowance }: RunResultsProps): ComponentChildren {
  const indexOf = new Map(run.results.map((result, index) => [result, index]));
  const place = (result: ResultView): string => anchorOf(runIndex, indexOf.get(result) ?? 0);
  const rest = STANDINGS.filter((standing) => !SHOWN_FIRST.includes(standing));
  return [
    defectsWith(run, SHOWN_FIRST).map((result, index) =>
      h(
        Result,
        { result, anchor: place(result), isOpen: index < OPEN_MOST },
        evidenceOf(result, allowance),
        followersOf(result, run, (follower) => line(follower, place(follower), allowance)),
      ),
    ),
    rest.map((standing) => h(Group, { run, standing, place, allowance })),
  ];
}

/** What shows the same defect: a line each, which opens. */
function followersOf(
  result: ResultView,
  run: RunView,
  lineOf: (follower: ResultView) => JSX.Element,
): ComponentChildren {
  if (result.followers.length === 0) return null;
  const results = run.results.filter(({ followsFrom }) => followsFrom === result.id);
  return [remark(followersTitle(result)), h('ul', null, results.map(lineOf))];
}

function evidenceOf(result: ResultView, allowance: Allowance): JSX.Element {
  const html = allowance.characters === 0 ? '' : renderToString(h(Evidence, { result }));
  allowance.characters = Math.max(0, allowance.characters - html.length);
  return allowance.characters === 0
    ? remark('run.json has the rest.')
    : h('div', { dangerouslySetInnerHTML: { __html: html } });
}

interface GroupProps extends Pick<RunResultsProps, 'run' | 'allowance'> {
  readonly standing: Standing;
  readonly place: (result: ResultView) => string;
}

function Group({ run, standing, place, allowance }: GroupProps): ComponentChildren {
  const results = withStandings(run, [standing]);
  if (results.length === 0) return null;
  const families = [...byGroup(results)];
  return [
    h('h3', null, `${results.length} ${WORD_OF[standing]}`),
    families.map(([family, members]) =>
      fold(
        { class: `family ${standing}`, open: families.length === 1 },
        [`${clip(family, ID_MOST) || 'others'} `, aside(members.length)],
        h(
          'ul',
          null,
          members.map((result) => line(result, place(result), allowance)),
        ),
      ),
    ),
  ];
}

function line(result: ResultView, anchor: string, allowance: Allowance): JSX.Element {
  const { id, title, message, verdict, standing, durationMs } = result;
  const head = [
    h('strong', null, clip(id, ID_MOST)),
    ` ${clip(title, TITLE_MOST)} `,
    aside(durationMs === 0 ? verdict : `${verdict}, ${formatDuration(durationMs)}`),
    message !== '' && [' ', h('span', { class: 'why' }, clip(message, TITLE_MOST))],
  ];
  const hasMore = result.log.length > 0 || result.findings.length > 0;
  return h(
    'li',
    { class: `result ${standing}`, id: anchor, 'data-standing': standing },
    hasMore ? fold({}, [head, h(Strip, { result })], evidenceOf(result, allowance)) : head,
  );
}
