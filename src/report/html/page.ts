/**
 * HTML: one file that opens from disk, needs no network and no script, and shows what failed first.
 *
 *   verdict and counts of each run
 *   failures with clause, expected, actual, wire log; then all other results
 *   figures of what was measured: charts, tables
 *   clause matrix, gap atlas: side by side when there are several runs
 *
 * Everything in it may come from a target: see markup.ts. A policy forbids the page to fetch or run anything but the
 * style and the script below, which it knows by their digests.
 */

import { createHash } from 'node:crypto';

import { formatDuration } from '../../common/duration.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { countOf, outcomeOf, STANDINGS, withStandings, WORD_OF, type RunView } from '../view.ts';
import { viewOf } from '../views.ts';
import { Allowance, clip } from './allowance.ts';
import { clausesSection } from './clauses.ts';
import { figuresSection, hasFigures } from './figures.ts';
import { gapsSection } from './gaps.ts';
import { markup, Markup, NOTHING } from './markup.ts';
import { resultsSection } from './results.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** Of evidence, so that a page of a thousand failures is one that can be sent and opened. */
const EVIDENCE_CHARACTERS = 700_000;

/** The runs as one HTML document. */
export function renderHtml(records: readonly RunRecord[]): string {
  const runs = records.map(viewOf);
  const allowance = new Allowance(EVIDENCE_CHARACTERS);
  const title = runs.length === 1 ? (runs[0]?.title ?? '') : `${runs.length} runs`;
  return markup`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${policy()}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="generator" content="platen ${runs[0]?.platenVersion ?? ''}">
        <title>${clip(title, 100)}</title>
        ${new Markup(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#results">To the results</a>
        <header>
          <h1>${clip(title, 200)}</h1>
          ${runs.map((run, index) => card(run, runs.length === 1 ? '' : `${index + 1}. `))}
          ${navigation(runs)}
        </header>
        <main>
          ${tools(runs)}
          <section aria-labelledby="results">
            <h2 id="results">Results</h2>
            ${runs.map(
              (run, index) =>
                markup`${runs.length === 1 ? NOTHING : markup`<h3>${index + 1}. ${clip(run.title, 200)}</h3>`}
                ${resultsSection(run, index, allowance)}`,
            )}
          </section>
          ${figuresSection(runs)} ${clausesSection(runs)} ${gapsSection(runs)}
        </main>
        <footer>
          <p class="quiet">
            Made by platen ${runs[0]?.platenVersion ?? ''} from run.json, which has everything that is left
            out here.
          </p>
        </footer>
        ${new Markup(`<script>${SCRIPT}</script>`)}
      </body>
    </html> `.html;
}

function policy(): string {
  return `default-src 'none'; style-src ${digest(STYLE)}; script-src ${digest(SCRIPT)}; base-uri 'none'; form-action 'none'`;
}

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function card(run: RunView, number: string): Markup {
  const { word, sentence, remarks, facts, seed, startedAt, durationMs, runId } = run;
  return markup`<section class="run ${outcomeOf(run)}" aria-label="${number}${clip(run.title, 200)}">
    <p class="word">${number}${word}</p>
    <p>${sentence}</p>
    ${counts(run)}
    ${
      remarks.length === 0
        ? NOTHING
        : markup`<ul class="remarks">
            ${remarks.map((remark) => markup`<li>${clip(remark, 500)}</li>`)}
          </ul>`
    }
    <dl class="facts">
      ${facts.map(
        ([label, text]) =>
          markup`<dt>${label}</dt>
            <dd>${clip(text, 500)}</dd> `,
      )}
      <dt>Started</dt>
      <dd>${startedAt}, took ${formatDuration(durationMs)}</dd>
      <dt>Seed</dt>
      <dd>${clip(seed, 200)}</dd>
      <dt>Name</dt>
      <dd>${runId}</dd>
    </dl>
  </section> `;
}

function counts(run: RunView): Markup {
  const numbers = STANDINGS.map((standing) => ({
    standing,
    count: withStandings(run, [standing]).length,
  })).filter(({ count }) => count > 0);
  const total = Math.max(1, run.results.length);
  let x = 0;
  const bars = numbers.map(({ standing, count }) => {
    const width = (count / total) * 1000;
    const bar = markup`<rect class="${standing}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="8" />`;
    x += width;
    return bar;
  });
  return markup`<ul class="counts">
      <li><b>${run.results.length}</b> ${countOf(run.results.length, run.noun).replace(/^\d+ /, '')}</li>
      ${numbers.map(({ standing, count }) => markup`<li><b>${count}</b> ${WORD_OF[standing]}</li>`)}
    </ul>
    <svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`;
}

function navigation(runs: readonly RunView[]): Markup {
  const links = [
    ['results', 'Results'],
    ...(runs.some(hasFigures) ? [['figures', 'Figures']] : []),
    ...(runs.some(({ clauses }) => clauses.length > 0) ? [['clauses', 'Clauses']] : []),
    ...(runs.some(({ gaps }) => gaps.length > 0) ? [['gaps', 'Gap atlas']] : []),
  ] as const;
  return markup`<nav aria-label="Parts of the report">
    <ul>
      ${links.map(([id = '', label = '']) => markup`<li><a href="#${id}">${label}</a></li>`)}
    </ul>
  </nav>`;
}

/** Shown by the script, which makes them work. */
function tools(runs: readonly RunView[]): Markup {
  const occurring = STANDINGS.filter((standing) =>
    runs.some((run) => withStandings(run, [standing]).length > 0),
  );
  return markup`<div id="tools" role="search" hidden>
    <label for="search">Search</label><input id="search" type="search" autocomplete="off">
    ${occurring.map(
      (standing) =>
        markup`<label><input type="checkbox" value="${standing}" checked> ${WORD_OF[standing]}</label> `,
    )}
    <span id="found" role="status" class="quiet"></span>
  </div>`;
}
