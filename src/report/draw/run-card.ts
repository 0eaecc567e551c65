/**
 * Run card: the verdict of a run, its counts, and what was run on what.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import { countOf } from '../../common/count-of.ts';
import { formatDuration } from '../../common/duration.ts';
import type { Progress } from '../../record/fields.ts';
import { outcomeOf, STANDINGS, withStandings, WORD_OF, type RunView } from '../view/run-view.ts';
import { Causes } from './causes.ts';
import { aside, clip, fold } from './pieces.ts';

interface RunCardProps {
  readonly run: RunView;
  /** `1. ` where there are several. */
  readonly number?: string;
}

export function RunCard({ run, number = '' }: RunCardProps): JSX.Element {
  const { word, sentence, remarks, facts, seed, startedAt, durationMs, runId } = run;
  const all = [
    ...facts,
    ['Started', run.progress ? startedAt : `${startedAt}, took ${formatDuration(durationMs)}`],
    ['Seed', seed],
    ['Name', runId],
  ] as const;
  return h(
    'section',
    { class: `run ${outcomeOf(run)}`, 'aria-label': number + clip(run.title, 200) },
    h('p', { class: 'word' }, number, word),
    h('p', null, sentence),
    run.progress && h(Bar, { progress: run.progress }),
    run.results.length > 0 && h(Counts, { run }),
    h(Causes, { run }),
    remarks.length > 0 &&
      h(
        'ul',
        { class: 'remarks' },
        remarks.map((remark) => h('li', null, clip(remark, 500))),
      ),
    // What went wrong comes first: of a run that failed the facts are a press away.
    fold(
      { class: 'about', open: outcomeOf(run) !== 'bad' },
      'About this run',
      h(
        'dl',
        { class: 'facts' },
        all.map(([label, text]) => [h('dt', null, label), h('dd', null, clip(text, 500))]),
      ),
    ),
  );
}

function Bar({ progress: { done, total, doing } }: { readonly progress: Progress }): ComponentChildren {
  return [h('progress', { max: Math.max(1, total), value: done, 'aria-label': 'How far it is' }), aside(doing)];
}

function Counts({ run }: { readonly run: RunView }): JSX.Element[] {
  const counts = STANDINGS.map((standing) => ({
    standing,
    count: withStandings(run, [standing]).length,
  })).filter(({ count }) => count > 0);
  const total = run.results.length;
  let x = 0;
  const bars = counts.map(({ standing, count }) => {
    const width = (count / total) * 1_000;
    x += width;
    return h('rect', { class: standing, x: (x - width).toFixed(1), width: width.toFixed(1), height: 8 });
  });
  return [
    h(
      'ul',
      { class: 'counts' },
      h('li', null, h('b', null, total), ` ${countOf(total, run.noun).replace(/^\d+ /, '')}`),
      counts.map(({ standing, count }) => h('li', null, h('b', null, count), ` ${WORD_OF[standing]}`)),
    ),
    h('svg', { class: 'bar', viewBox: '0 0 1000 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, bars),
  ];
}
