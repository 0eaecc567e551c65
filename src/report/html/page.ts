/**
 * HTML: one file that opens from disk, needs no network and no script, and shows what failed first.
 *
 *   verdict and counts of each run
 *   failures with clause, expected, actual, wire log; then all other results
 *   figures of what was measured: charts, tables
 *   clause matrix, gap atlas: side by side when there are several runs
 *
 * It is drawn by the components that the page of the workbench uses (draw/), rendered here. Everything in it may come
 * from a target: the renderer escapes every text, and a policy forbids the document to fetch or run anything but the
 * style and the script below, which it knows by their digests.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { h, type ComponentChildren, type JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { mapStrings } from '../../common/map-strings.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { Clauses } from '../draw/clauses.ts';
import { clip, remark } from '../draw/pieces.ts';
import { Difference } from '../draw/difference.ts';
import { Figures, hasFigures } from '../draw/figures.ts';
import { GapAtlas } from '../draw/gaps.ts';
import { RunCard } from '../draw/run-card.ts';
import { differenceOfRuns, differenceSections, type DifferenceSection } from '../view/difference.ts';
import { STANDINGS, withStandings, WORD_OF, type RunView } from '../view/run-view.ts';
import { viewOf } from '../view/view-of.ts';
import { documentText } from '../xml-text.ts';
import { anchorOf, RunResults } from './run-results.ts';

/** The limit for evidence, so that a page of a thousand failures can be sent and opened. */
const EVIDENCE_CHARACTERS = 700_000;

export function renderHtml(records: readonly RunRecord[]): string {
  const runs = records.map((record) => mapStrings(viewOf(record), documentText));
  const sections = sectionsOf(records).map((section) => mapStrings(section, documentText));
  return `<!DOCTYPE html>\n${renderToString(h(Report, { runs, sections }))}\n`;
}

/** Two runs of one kind are compared, the first with the second. */
function sectionsOf([before, after, ...others]: readonly RunRecord[]): readonly DifferenceSection[] {
  if (!before || after?.kind !== before.kind || others.length > 0) return [];
  return differenceSections(differenceOfRuns(before, after));
}

interface RunsProps {
  readonly runs: readonly RunView[];
}

interface ReportProps extends RunsProps {
  /** How the second run differs from the first. */
  readonly sections: readonly DifferenceSection[];
}

function Report({ runs, sections }: ReportProps): JSX.Element {
  const title = runs.length === 1 ? (runs[0]?.title ?? '') : `${runs.length} runs`;
  const version = runs[0]?.platenVersion ?? '';
  const style = ['../draw/tokens.css', '../draw/run.css', './report.css'].map(sourceOf).join('');
  const script = sourceOf('./report.js');
  return h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { 'http-equiv': 'Content-Security-Policy', content: policy(style, script) }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'generator', content: `platen ${version}` }),
      h('title', null, clip(title, 100)),
      h('style', { dangerouslySetInnerHTML: { __html: style } }),
    ),
    h(
      'body',
      { class: 'run-view' },
      h('a', { class: 'skip', href: '#results' }, 'To the results'),
      h(
        'header',
        null,
        h('h1', null, clip(title, 200)),
        h(Comparison, { runs, sections }),
        runs.map((run, index) => h(RunCard, { run, number: numberOf(index, runs) })),
        h(Navigation, { runs }),
      ),
      h('main', null, h(Tools, { runs }), h(Parts, { runs })),
      h('footer', null, remark(`Made by platen ${version} from run.json, which has everything that is left out here.`)),
      h('script', { dangerouslySetInnerHTML: { __html: script } }),
    ),
  );
}

function Comparison({ runs, sections }: ReportProps): JSX.Element | null {
  const [before, after, ...others] = runs;
  if (!before || after?.kind !== before.kind || others.length > 0) return null;
  return h(
    'section',
    { 'aria-labelledby': 'difference' },
    h('h2', { id: 'difference' }, 'What changed'),
    h(Difference, { before, after, sections, linkTo: linksTo(runs) }),
  );
}

/** A file of style or script, as it lies beside the code that it belongs to. */
function sourceOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

function policy(style: string, script: string): string {
  return `default-src 'none'; img-src data:; style-src ${digest(style)}; script-src ${digest(script)}; base-uri 'none'; form-action 'none'`;
}

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function numberOf(index: number, runs: readonly RunView[]): string {
  return runs.length === 1 ? '' : `${index + 1}. `;
}

/** Parts beside the results, those that any of the runs has. */
const PARTS: readonly {
  readonly id: string;
  readonly name: string;
  readonly isIn: (run: RunView) => boolean;
  readonly draw: (runs: readonly RunView[]) => ComponentChildren;
}[] = [
  {
    id: 'results',
    name: 'Results',
    isIn: () => true,
    draw: (runs) => {
      const allowance = { characters: EVIDENCE_CHARACTERS };
      return runs.map((run, index) => [subheading(run, runs), h(RunResults, { run, runIndex: index, allowance })]);
    },
  },
  {
    id: 'figures',
    name: 'Figures',
    isIn: hasFigures,
    draw: (runs) => runs.filter(hasFigures).map((run) => [subheading(run, runs), h(Figures, { run })]),
  },
  {
    id: 'clauses',
    name: 'Clauses',
    isIn: ({ clauses }) => clauses.length > 0,
    draw: (runs) => h(Clauses, { runs, linkTo: linksTo(runs) }),
  },
  {
    id: 'gaps',
    name: 'Gap atlas',
    isIn: ({ gaps }) => gaps.length > 0,
    draw: (runs) => h(GapAtlas, { runs }),
  },
];

function partsOf(runs: readonly RunView[]): typeof PARTS {
  return PARTS.filter(({ isIn }) => runs.some(isIn));
}

function Parts({ runs }: RunsProps): ComponentChildren {
  return partsOf(runs).map(({ id, name, draw }) =>
    h('section', { 'aria-labelledby': id }, h('h2', { id }, name), draw(runs)),
  );
}

function subheading(run: RunView, runs: readonly RunView[]): ComponentChildren {
  if (runs.length === 1) return null;
  return h('h3', null, `${numberOf(runs.indexOf(run), runs)}${clip(run.title, 200)}`);
}

/** Where each check stands; of several runs that have it, in the first. */
function placesOf(runs: readonly RunView[]): ReadonlyMap<string, string> {
  const places = runs.flatMap(({ results }, runIndex) =>
    results.map(({ id }, index) => [id, anchorOf(runIndex, index)] as const),
  );
  return new Map(places.toReversed());
}

/** Names of results as links to where they stand. */
function linksTo(runs: readonly RunView[]): (check: string) => ComponentChildren {
  const places = placesOf(runs);
  return (check) => {
    const place = places.get(check);
    const name = clip(check, 120);
    return place === undefined ? name : h('a', { href: `#${place}` }, name);
  };
}

function Navigation({ runs }: RunsProps): JSX.Element {
  return h(
    'nav',
    { 'aria-label': 'Parts of the report' },
    h(
      'ul',
      null,
      partsOf(runs).map(({ id, name }) => h('li', null, h('a', { href: `#${id}` }, name))),
    ),
  );
}

/** Shown by the script, which makes them work. */
function Tools({ runs }: RunsProps): JSX.Element {
  const occurring = STANDINGS.filter((standing) => runs.some((run) => withStandings(run, [standing]).length > 0));
  return h(
    'div',
    { id: 'tools', role: 'search', hidden: true },
    h('label', { for: 'search' }, 'Search'),
    h('input', { id: 'search', type: 'search', autocomplete: 'off' }),
    occurring.map((standing) =>
      h('label', null, h('input', { type: 'checkbox', value: standing, checked: true }), ` ${WORD_OF[standing]}`),
    ),
    h('span', { id: 'found', role: 'status', class: 'quiet' }),
  );
}
