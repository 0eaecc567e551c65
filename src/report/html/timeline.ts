/**
 * Timeline: when the steps of a scenario began, on the clock of the service, as a strip and as a list.
 *
 *   ├──┬─┬──────────────────┬──┤
 */

import { formatDuration } from '../../common/duration.ts';
import type { ResultView } from '../view.ts';
import { clip } from './allowance.ts';
import { markup, NOTHING, type Markup } from './markup.ts';

const WIDTH = 600;
const STEP_MOST = 200;
const STEPS_MOST = 60;

/** The steps as marks on a line as long as the scenario. */
export function strip({ log, elapsedMs, id }: ResultView): Markup {
  if (log.length === 0 || elapsedMs === 0) return NOTHING;
  const marks = log.slice(0, STEPS_MOST).map(({ atMs }) => {
    const x = Math.min(WIDTH - 2, Math.max(0, Math.round((atMs / elapsedMs) * (WIDTH - 2))));
    return markup`<rect x="${x}" y="2" width="2" height="10" />`;
  });
  return markup`<svg
    class="strip"
    viewBox="0 0 ${WIDTH} 14"
    role="img"
    aria-label="Steps of ${clip(id, STEP_MOST)} over ${formatDuration(elapsedMs)}"
  >
    <rect class="track" y="6" width="${WIDTH}" height="2" />
    ${marks}
  </svg>`;
}

/** The steps with the time at which each began. */
export function steps({ log }: ResultView): Markup {
  if (log.length === 0) return NOTHING;
  const left = log.length - STEPS_MOST;
  return markup`<h5>Timeline</h5>
    <ol class="log">
      ${log.slice(0, STEPS_MOST).map(({ atMs, what }) => markup`<li><span class="time">+${formatDuration(Math.max(0, atMs))}</span> ${clip(what, STEP_MOST)}</li>`)}
    </ol>
    ${left > 0 ? markup`<p class="quiet">and ${left} more</p>` : NOTHING}`;
}
