/**
 * Plot: a chart over time. Loaded when the first one is looked at: most runs have none.
 */

import UPlot from 'uplot';

export interface PlotLine {
  readonly name: string;
  /** A colour of the page, such as `--good`. */
  readonly colour: string;
  /** One a second; null where there was nothing to measure. */
  readonly values: readonly (number | null)[];
}

export interface PlotOptions {
  readonly seconds: readonly number[];
  readonly lines: readonly PlotLine[];
  readonly unit: string;
  readonly heightPx: number;
}

/** Draws into `place`, as wide as it is; returns what takes the chart away. */
export function drawPlot(place: HTMLElement, { seconds, lines, unit, heightPx }: PlotOptions): () => void {
  const colours = getComputedStyle(place);
  const colour = (name: string): string => colours.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--rule'), width: 1 },
    ticks: { show: false },
  };
  const plot = new UPlot(
    {
      width: place.clientWidth,
      height: heightPx,
      scales: { x: { time: false } },
      axes: [
        { ...axis, size: 30, values: (_, splits) => splits.map((second) => `${second} s`) },
        {
          ...axis,
          size: 64,
          values: (_, splits) => splits.map((value) => `${value.toLocaleString('en')} ${unit}`),
        },
      ],
      series: [
        { label: 'second' },
        ...lines.map((line) => ({
          label: line.name,
          stroke: colour(line.colour),
          width: 1.5,
          points: { show: false },
        })),
      ],
    },
    [[...seconds], ...lines.map(({ values }) => [...values])],
    place,
  );
  const observer = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: heightPx }));
  observer.observe(place);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}
