/**
 * Result: one line that opens, and below it everything that shows why the verdict is what it is.
 */

import { createContext, h, type ComponentChildren, type JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';

import { formatDuration } from '../../common/duration.ts';
import type { Finding, ResultView } from '../view/run-view.ts';
import { aside, clip, fold, label, remark } from './pieces.ts';
import { Command, WireLog } from './exchanges.ts';
import { Steps, Strip } from './timeline.ts';

const ID_MOST = 160;
const TITLE_MOST = 240;
const MESSAGE_MOST = 1_000;
const FINDINGS_MOST = 10;
const LINES_MOST = 60;

interface ResultProps {
  readonly result: ResultView;
  /** Id of the element, for links to it. */
  readonly anchor?: string;
  readonly isOpen: boolean;
  /** What stands below the line; without it, the evidence is drawn when the line is first opened. */
  readonly children?: ComponentChildren;
}

export function Result({ result, anchor, isOpen, children }: ResultProps): JSX.Element {
  const [isDrawn, setDrawn] = useState(isOpen);
  return fold(
    {
      class: `result ${result.standing}`,
      id: anchor,
      'data-standing': result.standing,
      open: isOpen,
      onToggle: () => setDrawn(true),
    },
    h(ResultLine, { result }),
    children || (isDrawn && h(Evidence, { result })),
  );
}

function ResultLine({ result }: { readonly result: ResultView }): ComponentChildren {
  const { id, title, verdict, durationMs } = result;
  return [
    h('span', { class: 'verdict' }, verdict),
    ' ',
    h('strong', null, clip(id, ID_MOST)),
    ' ',
    h('span', { class: 'title' }, clip(title, TITLE_MOST)),
    durationMs > 0 && [' ', aside(formatDuration(durationMs))],
    h(Strip, { result }),
  ];
}

/** What does the same again at a press, on a page that can. */
export const AgainContext = createContext<(result: ResultView) => ComponentChildren>(() => null);

export function Evidence({ result }: { readonly result: ResultView }): JSX.Element {
  const { findings, message, observed, notes, stories, stack, repeat, source, clauses } = result;
  const again = useContext(AgainContext);
  const more = findings.length - FINDINGS_MOST;
  return h(
    'div',
    { class: 'evidence' },
    findings.length === 0 && message !== '' && h('p', null, clip(message, MESSAGE_MOST)),
    source !== undefined &&
      result.standing !== 'passed' &&
      quiet([source.file, source.step].filter(Boolean).join(', ')),
    findings.slice(0, FINDINGS_MOST).map((finding) => h(FindingView, { finding })),
    again(result),
    more > 0 && quiet(`and ${more} more of this kind, in run.json`),
    observed
      .slice(0, LINES_MOST)
      .map(({ clause, what }) => h('p', null, h('code', null, clause), ' ', clip(what, MESSAGE_MOST))),
    stories.map(({ title, lines }) => [
      label(clip(title, TITLE_MOST)),
      h('pre', null, lines.slice(0, LINES_MOST).join('\n')),
    ]),
    h(Pictures, { result }),
    h(Steps, { result }),
    notes.slice(0, LINES_MOST).map(quiet),
    h(WireLog, { result }),
    stack !== '' && [label('Stack'), h('pre', null, clip(stack, MESSAGE_MOST * 4))],
    repeat !== '' && [label('Do it again'), h(Command, { text: repeat })],
    clauses.length > 0 && quiet(`Judges ${clauses.join(', ')}`),
  );
}

function Pictures({ result: { pictures } }: Pick<ResultProps, 'result'>): JSX.Element | null {
  if (pictures.length === 0) return null;
  return h(
    'div',
    { class: 'papers' },
    pictures.map(({ caption, png }) =>
      h(
        'figure',
        null,
        h('img', { src: `data:image/png;base64,${png}`, alt: clip(caption, TITLE_MOST) }),
        h('figcaption', null, clip(caption, TITLE_MOST)),
      ),
    ),
  );
}

function quiet(text: string): JSX.Element {
  return remark(clip(text, MESSAGE_MOST));
}

/** The clause on one side, expected and actual on the other. */
function FindingView({ finding }: { readonly finding: Finding }): JSX.Element {
  const { clause, level, statement, source, at, expected, actual } = finding;
  return h(
    'div',
    { class: 'finding' },
    clause !== '' &&
      h(
        'blockquote',
        null,
        h('p', null, clip(statement, MESSAGE_MOST)),
        h('footer', null, h('code', null, clause), ` ${[level, clip(source, TITLE_MOST)].filter(Boolean).join(', ')}`),
      ),
    h(
      'dl',
      null,
      h('dt', null, 'at'),
      h('dd', null, clip(at, TITLE_MOST)),
      h('dt', null, 'expected'),
      h('dd', { class: 'expected' }, clip(expected, MESSAGE_MOST)),
      h('dt', null, 'actual'),
      h('dd', { class: 'actual' }, clip(actual, MESSAGE_MOST)),
    ),
  );
}
