/**
 * Difference of two runs: what became worse or better first, then what else is known of them, side by side.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import type { DifferenceSection, RunDifference } from '../view/difference.ts';
import type { RunView } from '../view/run-view.ts';
import { aside, clip, heading, remark, table } from './pieces.ts';

const LINES_MOST = 200;
const LINE_MOST = 500;

/** How a section is coloured. */
const TONES: Readonly<Record<keyof RunDifference, string>> = {
  broken: 'bad',
  fixed: 'good',
  vanished: 'odd',
  appeared: 'good',
  clausesVanished: 'odd',
  gapsOtherwise: 'plain',
};

interface DifferenceProps {
  readonly before: RunView;
  readonly after: RunView;
  readonly sections: readonly DifferenceSection[];
  /** The name of a result, as a link to it where it is shown. */
  readonly linkTo: (result: string) => ComponentChildren;
}

export function Difference({ before, after, sections, linkTo }: DifferenceProps): JSX.Element {
  return h(
    'div',
    { class: 'difference' },
    remark(`From ${nameOf(before)} to ${nameOf(after)}.`),
    sections.length === 0 && h('p', null, 'Nothing was judged differently.'),
    sections.map((section) => h(Section, { section, linkTo })),
    h(SideBySide, { before, after }),
  );
}

function nameOf({ runId, target }: RunView): string {
  return clip(`${runId} (${target})`, LINE_MOST);
}

interface SectionProps extends Pick<DifferenceProps, 'linkTo'> {
  readonly section: DifferenceSection;
}

function Section({ section: { key, title, lines }, linkTo }: SectionProps): JSX.Element {
  const more = lines.length - LINES_MOST;
  const isOfResults = key !== 'gapsOtherwise' && key !== 'clausesVanished';
  return h(
    'section',
    { class: TONES[key] },
    h('h3', null, `${lines.length} ${title}`),
    h(
      'ul',
      null,
      lines.slice(0, LINES_MOST).map((line) => h('li', null, isOfResults ? linkTo(line) : clip(line, LINE_MOST))),
      more > 0 && h('li', null, aside(`and ${more} more`)),
    ),
  );
}

/** What the cards of both say, those lines first that differ. */
function SideBySide({ before, after }: Pick<DifferenceProps, 'before' | 'after'>): JSX.Element {
  const [was, is] = [factsOf(before), factsOf(after)];
  const labels = [...new Set([...was.keys(), ...is.keys()])];
  const differs = (label: string): boolean => was.get(label) !== is.get(label);
  const rows = [...labels.filter(differs), ...labels.filter((label) => !differs(label))];
  return h(
    'div',
    { class: 'wide', role: 'group', tabIndex: 0, 'aria-label': 'Both runs side by side' },
    table(
      'sides',
      [heading(''), heading('before'), heading('after')],
      rows.map((label) =>
        h(
          'tr',
          { class: differs(label) ? 'differs' : 'quiet' },
          h('th', { scope: 'row' }, label),
          [was, is].map((facts) => h('td', null, clip(facts.get(label) ?? '', LINE_MOST))),
        ),
      ),
    ),
  );
}

function factsOf({ word, sentence, facts, seed, startedAt }: RunView): ReadonlyMap<string, string> {
  return new Map([['Verdict', `${word}: ${sentence}`], ...facts, ['Seed', seed], ['Started', startedAt]]);
}
