/**
 * Chart: lines over the seconds of a run. The table of the run has the same in figures.
 */

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Section } from '../parts/section.tsx';
import { attempt } from '../state/notices.ts';
import type { PlotLine } from './plot.ts';

interface ChartProps {
  readonly title: string;
  readonly seconds: readonly number[];
  readonly lines: readonly PlotLine[];
  readonly unit: string;
}

const HEIGHT_PX = 190;

export function Chart({ title, seconds, lines, unit }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isWanted = true;
    void attempt(import('./plot.ts')).then((module) => {
      if (!module || !isWanted || !place.current) return;
      remove = module.drawPlot(place.current, { seconds, lines, unit, heightPx: HEIGHT_PX });
    });
    return () => {
      isWanted = false;
      remove?.();
    };
  }, [seconds, lines, unit]);
  const names = lines.map(({ name }) => name).join(', ');
  return (
    <Section title={title}>
      <div class="chart" ref={place} role="img" aria-label={`${title}: ${names}, over time`} />
    </Section>
  );
}
