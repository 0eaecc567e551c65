/**
 * Results: those first that went wrong, each with what was expected beside what came, the rest by family.
 */

import { formatDuration } from '../../common/duration.ts';
import { byGroup } from '../check/check-view.ts';
import {
  STANDINGS,
  withStandings,
  WORD_OF,
  type Finding,
  type ResultView,
  type RunView,
  type Standing,
} from '../view.ts';
import { clip, type Allowance } from './allowance.ts';
import { command, wireLog } from './exchanges.ts';
import { markup, NOTHING, OPEN, type Markup } from './markup.ts';
import { steps, strip } from './timeline.ts';

const ID_MOST = 160;
const TITLE_MOST = 240;
const MESSAGE_MOST = 1_000;
const FINDINGS_MOST = 10;
const LINES_MOST = 60;
/** So many failures are open when the page opens. */
const OPEN_MOST = 3;

const TOLD_FIRST: readonly Standing[] = ['failed', 'error', 'warned'];

/** Where a result stands on the page; links come from the table of clauses. */
export function anchorOf(runIndex: number, resultIndex: number): string {
  return `r${runIndex}-${resultIndex}`;
}

export function resultsSection(run: RunView, runIndex: number, allowance: Allowance): Markup {
  const indexOf = new Map(run.results.map((result, index) => [result, index]));
  const place = (result: ResultView): string => anchorOf(runIndex, indexOf.get(result) ?? 0);
  const wrong = withStandings(run, TOLD_FIRST);
  const rest = STANDINGS.filter((standing) => !TOLD_FIRST.includes(standing));
  return markup`${wrong.map((result, index) => inFull(result, place(result), index < OPEN_MOST, allowance))}
  ${rest.map((standing) => group(run, standing, place, allowance))}`;
}

function inFull(result: ResultView, anchor: string, isOpen: boolean, allowance: Allowance): Markup {
  const { id, title, standing, verdict, durationMs } = result;
  return markup`<details
    class="result ${standing}"
    id="${anchor}"
    data-standing="${standing}"
    ${isOpen ? OPEN : NOTHING}
  >
    <summary>
      <span class="verdict">${verdict}</span> <strong>${clip(id, ID_MOST)}</strong>
      <span class="title">${clip(title, TITLE_MOST)}</span>
      ${durationMs === 0 ? NOTHING : markup`<span class="quiet">${formatDuration(durationMs)}</span>`}${strip(result)}
    </summary>
    ${allowance.take(evidence(result))}
  </details> `;
}

function evidence(result: ResultView): Markup {
  const { findings, message, notes, stories, stack, repeat, source } = result;
  const more = findings.length - FINDINGS_MOST;
  return markup`<div class="evidence">
    ${findings.length === 0 && message !== '' ? markup`<p>${clip(message, MESSAGE_MOST)}</p>` : NOTHING}
    ${source && result.standing !== 'passed' ? markup`<p class="quiet">${clip([source.file, source.step].filter(Boolean).join(', '), MESSAGE_MOST)}</p>` : NOTHING}
    ${findings.slice(0, FINDINGS_MOST).map(finding)}
    ${more > 0 ? markup`<p class="quiet">and ${more} more of this kind, in run.json</p>` : NOTHING}
    ${stories.map(
      ({ title, lines }) =>
        markup`<h5>${clip(title, TITLE_MOST)}</h5>
          <pre>${lines.slice(0, LINES_MOST).join('\n')}</pre>`,
    )}
    ${steps(result)}
    ${notes.slice(0, LINES_MOST).map((note) => markup`<p class="quiet">${clip(note, MESSAGE_MOST)}</p>`)}
    ${wireLog(result)}
    ${
      stack === ''
        ? NOTHING
        : markup`<h5>Stack</h5>
            <pre>${clip(stack, MESSAGE_MOST * 4)}</pre>`
    }
    ${
      repeat === ''
        ? NOTHING
        : markup`<h5>Do it again</h5>
            ${command(repeat)}`
    }
  </div>`;
}

/** The clause on one side, expected and actual on the other. */
function finding({ clause, level, statement, at, expected, actual }: Finding): Markup {
  const rule =
    clause === ''
      ? NOTHING
      : markup`<blockquote>
          <p>${clip(statement, MESSAGE_MOST)}</p>
          <footer><code>${clause}</code> ${level}</footer>
        </blockquote>`;
  return markup`<div class="finding">
    ${rule}
    <dl>
      <dt>at</dt>
      <dd>${clip(at, TITLE_MOST)}</dd>
      <dt>expected</dt>
      <dd class="expected">${clip(expected, MESSAGE_MOST)}</dd>
      <dt>actual</dt>
      <dd class="actual">${clip(actual, MESSAGE_MOST)}</dd>
    </dl>
  </div> `;
}

function group(
  run: RunView,
  standing: Standing,
  place: (result: ResultView) => string,
  allowance: Allowance,
): Markup {
  const results = withStandings(run, [standing]);
  if (results.length === 0) return NOTHING;
  const families = [...byGroup(results)];
  return markup`<h4>${results.length} ${WORD_OF[standing]}</h4>
    ${families.map(
      ([family, members]) =>
        markup`<details class="family ${standing}" ${families.length === 1 ? OPEN : NOTHING}>
          <summary>${clip(family, ID_MOST) || 'others'} <span class="quiet">${members.length}</span></summary>
          <ul>
            ${members.map((result) => line(result, place(result), allowance))}
          </ul>
        </details> `,
    )}`;
}

function line(result: ResultView, anchor: string, allowance: Allowance): Markup {
  const { id, title, message, verdict, standing, durationMs } = result;
  const why = message === '' ? NOTHING : markup` <span class="why">${clip(message, TITLE_MOST)}</span>`;
  const head = markup`<strong>${clip(id, ID_MOST)}</strong> ${clip(title, TITLE_MOST)}
    <span class="quiet">${durationMs === 0 ? verdict : `${verdict}, ${formatDuration(durationMs)}`}</span>${why}`;
  const hasMore = result.log.length > 0 || result.findings.length > 0;
  const whole = hasMore
    ? markup`<details>
        <summary>${head}${strip(result)}</summary>
        ${allowance.take(evidence(result))}
      </details>`
    : head;
  return markup`<li class="result ${standing}" id="${anchor}" data-standing="${standing}">${whole}</li> `;
}
