/**
 * Chart: lines over the seconds of a run, drawn beforehand: it is there without any script, and on paper.
 *
 *   100 ┤      ╭─╮   │ power-cut
 *       │ ─────╯ ╰───┼──            each line has its own dashes and its name, not only its colour
 *     0 └────────────┴───
 *       0s               30s
 *
 * What a run of hours has in seconds is put together to as many points as a screen can show: the mean of counts, the
 * longest of durations.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

import { formatDuration, formatMicroseconds } from '../../common/duration.ts';
import type { ChartLine, ChartView } from '../view/run-view.ts';
import { aside, clip } from './pieces.ts';
import { countScale, durationScale, timeTicks, type Scale } from './scale.ts';

const WIDTH = 960;
const HEIGHT = 244;
/** The area in which lines are drawn. */
const LEFT = 64;
const RIGHT = WIDTH - 12;
const TOP = 36;
const BOTTOM = HEIGHT - 26;
const POINTS_MOST = 400;
const MARKS_MOST = 20;
/** A label beyond this share of the width would be cut. */
const NEAR_END = 0.98;

export function Chart({ chart }: { readonly chart: ChartView }): JSX.Element {
  const { title, note, measure, marks } = chart;
  const seconds = thin(chart.seconds, (values) => values[0] ?? 0);
  const lines = chart.lines.map((line) => ({ ...line, values: thin(line.values, summed(measure)) }));
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null);
  const scale = measure === 'count' ? countScale(values) : durationScale(values);
  const [first = 0, last = 0] = [seconds[0], chart.seconds.at(-1)];
  // The last second has its length as well.
  const x = (second: number): number => LEFT + share(second - first, last + 1 - first) * (RIGHT - LEFT);
  const y = (value: number): number => BOTTOM - scale.shareOf(value) * (BOTTOM - TOP);
  return h(
    'figure',
    { class: 'chart' },
    h(
      'figcaption',
      null,
      h('b', null, title),
      ' ',
      aside(note, scale.isLogarithmic && ' Logarithmic.'),
      h(
        'ul',
        { class: 'legend' },
        lines.map((line, index) => h(Legend, { line, index, measure })),
      ),
    ),
    h(
      'div',
      { class: 'wide', role: 'group', tabIndex: 0, 'aria-label': `${title}, over the seconds of the run` },
      h(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': inWords(chart) },
        grid(scale, measure, y),
        times(first, last, x),
        marks.slice(0, MARKS_MOST).map((mark, index) => markOf(mark, index, x)),
        lines.map(({ tone, values: drawn }, index) =>
          h('path', { class: `line ${tone} dash-${index}`, d: pathOf(seconds, drawn, x, y) }),
        ),
        h('g', { class: 'readings' }, readings(seconds, lines, measure, x)),
      ),
    ),
  );
}

/** No more points than a screen shows: neighbours are put together. */
function thin<Value, Point>(values: readonly Value[], together: (values: readonly Value[]) => Point): Point[] {
  const size = Math.max(1, Math.ceil(values.length / POINTS_MOST));
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    together(values.slice(index * size, (index + 1) * size)),
  );
}

function summed(measure: ChartView['measure']): (values: readonly (number | null)[]) => number | null {
  return (values) => {
    const there = values.filter((value) => value !== null);
    if (there.length === 0) return null;
    if (measure === 'duration') return rangeOf(there)?.most ?? null;
    return there.reduce((sum, value) => sum + value, 0) / there.length;
  };
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
}

/** A line with gaps where nothing was measured; a point that stands alone is drawn as a dot. */
function pathOf(
  seconds: readonly number[],
  values: readonly (number | null)[],
  x: (second: number) => number,
  y: (value: number) => number,
): string {
  let isDrawing = false;
  const parts = values.map((value, index) => {
    if (value === null) {
      isDrawing = false;
      return '';
    }
    const place = `${x(seconds[index] ?? 0).toFixed(1)} ${y(value).toFixed(1)}`;
    const part = isDrawing ? `L${place}` : `M${place}h0.1`;
    isDrawing = true;
    return part;
  });
  return parts.join('') || 'M0 0';
}

function grid(scale: Scale, measure: ChartView['measure'], y: (value: number) => number): ComponentChildren {
  return scale.ticks.map((tick) => {
    const at = y(tick).toFixed(1);
    return [
      h('path', { class: 'grid', d: `M${LEFT} ${at}H${RIGHT}` }),
      h('text', { class: 'tick', x: LEFT - 8, y: at, dy: 4, 'text-anchor': 'end' }, shown(tick, measure)),
    ];
  });
}

function shown(value: number, measure: ChartView['measure']): string {
  return measure === 'count' ? value.toLocaleString('en') : formatMicroseconds(value);
}

function times(first: number, last: number, x: (second: number) => number): ComponentChildren {
  const length = last + 1 - first;
  return timeTicks(length).map((tick) => {
    const anchor = tick === 0 ? 'start' : tick > length * NEAR_END ? 'end' : 'middle';
    return h(
      'text',
      { class: 'tick', x: x(first + tick).toFixed(1), y: HEIGHT - 8, 'text-anchor': anchor },
      timeOf(first + tick),
    );
  });
}

function timeOf(second: number): string {
  return second === 0 ? '0s' : formatDuration(second * 1_000);
}

/** What a pointer reads: for each point a strip over the height of the chart, with its values as a tooltip. */
function readings(
  seconds: readonly number[],
  lines: readonly ChartLine[],
  measure: ChartView['measure'],
  x: (second: number) => number,
): ComponentChildren {
  return seconds.map((second, index) => {
    const width = x(seconds[index + 1] ?? second + 1) - x(second);
    const told = lines.map(({ name, values }) => {
      const value = values[index] ?? null;
      return `${name} ${value === null ? 'nothing' : shown(value, measure)}`;
    });
    return h(
      'rect',
      { x: x(second).toFixed(1), y: TOP, width: width.toFixed(1), height: BOTTOM - TOP },
      h('title', null, `${timeOf(second)}: ${told.join(', ')}`),
    );
  });
}

function markOf(
  { second, what }: ChartView['marks'][number],
  index: number,
  x: (second: number) => number,
): ComponentChildren {
  const at = x(second);
  // Neighbours do not write over each other.
  const height = TOP - 8 - (index % 2) * 13;
  const isRight = at > (LEFT + RIGHT) / 2;
  const place = {
    x: (isRight ? at - 5 : at + 5).toFixed(1),
    y: height,
    'text-anchor': isRight ? 'end' : 'start',
  };
  return [
    h('path', { class: 'mark', d: `M${at.toFixed(1)} ${height - 9}V${BOTTOM}` }),
    h('text', { class: 'tick', ...place }, clip(what, 40)),
  ];
}

interface LegendProps extends Pick<ChartView, 'measure'> {
  readonly line: ChartLine;
  readonly index: number;
}

function Legend({ line: { name, tone, values }, index, measure }: LegendProps): JSX.Element {
  const range = rangeOf(values);
  return h(
    'li',
    null,
    h(
      'svg',
      { class: 'swatch', viewBox: '0 0 28 8', 'aria-hidden': 'true' },
      h('path', { class: `line ${tone} dash-${index}`, d: 'M0 4H28' }),
    ),
    ` ${name} `,
    aside(range ? `at most ${shown(range.most, measure)}` : 'nothing'),
  );
}

function rangeOf(values: readonly (number | null)[]): { readonly least: number; readonly most: number } | undefined {
  const there = values.filter((value) => value !== null);
  const [first] = there;
  if (first === undefined) return undefined;
  return {
    least: there.reduce((least, value) => Math.min(least, value), first),
    most: there.reduce((most, value) => Math.max(most, value), first),
  };
}

/** The chart for a reader who hears it. */
function inWords({ title, lines, measure, marks }: ChartView): string {
  const told = lines.map(({ name, values }) => {
    const range = rangeOf(values);
    return range ? `${name}: ${shown(range.least, measure)} to ${shown(range.most, measure)}` : `${name}: nothing`;
  });
  const happened = marks.slice(0, MARKS_MOST).map(({ second, what }) => `${what} at ${second} s`);
  return clip([`${title}.`, [...told, ...happened].join('; ')].join(' '), 600);
}
