/**
 * Timeline: when the steps of a scenario began, on the clock of the service, as a strip and as a list.
 *
 *   ├──┬─┬──────────────────┬──┤
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import { formatDuration } from '../../common/duration.ts';
import type { ResultView } from '../view/run-view.ts';
import { clip, label, remark } from './pieces.ts';

const WIDTH = 600;
const STEP_MOST = 200;
const STEPS_MOST = 60;

interface TimelineProps {
  readonly result: ResultView;
}

/** The steps as marks on a line as long as the scenario. */
export function Strip({ result: { log, elapsedMs, id } }: TimelineProps): JSX.Element | null {
  if (log.length === 0 || elapsedMs === 0) return null;
  return h(
    'svg',
    {
      class: 'strip',
      viewBox: `0 0 ${WIDTH} 14`,
      role: 'img',
      'aria-label': `Steps of ${clip(id, STEP_MOST)} over ${formatDuration(elapsedMs)}`,
    },
    h('rect', { class: 'track', y: 6, width: WIDTH, height: 2 }),
    log.slice(0, STEPS_MOST).map(({ atMs }) => {
      const x = Math.min(WIDTH - 2, Math.max(0, Math.round((atMs / elapsedMs) * (WIDTH - 2))));
      return h('rect', { x, y: 2, width: 2, height: 10 });
    }),
  );
}

/** The steps with the time at which each began. */
export function Steps({ result: { log } }: TimelineProps): ComponentChildren {
  if (log.length === 0) return null;
  const left = log.length - STEPS_MOST;
  return [
    label('Timeline'),
    h(
      'ol',
      { class: 'log' },
      log
        .slice(0, STEPS_MOST)
        .map(({ atMs, what }) =>
          h(
            'li',
            null,
            h('span', { class: 'time' }, `+${formatDuration(Math.max(0, atMs))}`),
            ` ${clip(what, STEP_MOST)}`,
          ),
        ),
    ),
    left > 0 && remark(`and ${left} more`),
  ];
}
