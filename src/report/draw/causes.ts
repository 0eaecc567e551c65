/**
 * Causes: what to fix first, each in three lines, and how the clauses of each chapter fared.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import { countOf } from '../../common/count-of.ts';
import { CAUSES_SHOWN, chapterTable, hangingOn, type CauseView, type RunView } from '../view/run-view.ts';
import { Command } from './exchanges.ts';
import { Table } from './figures.ts';
import { aside, clip, fold, remark } from './pieces.ts';

const TEXT_MOST = 400;
const CURL_MOST = 1_000;

export function Causes({ run: { causes, lacks, chapters } }: { readonly run: RunView }): ComponentChildren {
  const more = causes.length - CAUSES_SHOWN;
  return [
    lacks.length > 0 &&
      h(
        'ul',
        { class: 'not-offered' },
        lacks.map(({ label, text }) => h('li', null, h('b', null, `${label}: `), clip(text, TEXT_MOST))),
      ),
    causes.length > 0 && [
      h('h3', null, 'What to fix first'),
      h(
        'ol',
        { class: 'causes' },
        causes.slice(0, CAUSES_SHOWN).map((cause) => h(Cause, { cause })),
      ),
    ],
    more > 0 && remark(`and ${countOf(more, 'cause')} more, among the results`),
    chapters.length > 0 &&
      fold(
        { class: 'chapters', open: causes.length + lacks.length > 0 },
        'Clauses by chapter',
        h(Table, { view: { ...chapterTable(chapters), title: '' } }),
      ),
  ];
}

function Cause({ cause }: { readonly cause: CauseView }): JSX.Element {
  const { id, clause, says, did, curl } = cause;
  return h(
    'li',
    null,
    h('p', null, h('code', null, clip(clause || id, TEXT_MOST)), ' ', aside(`${hangingOn(cause)}, shown by ${id}`)),
    h('p', null, clip(says, TEXT_MOST)),
    h('p', { class: 'did' }, clip(did, TEXT_MOST)),
    curl !== '' && h(Command, { text: clip(curl, CURL_MOST) }),
  );
}
