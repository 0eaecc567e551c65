/**
 * Charts of a load run: rates, response times and jobs under way, over its seconds.
 */

import type { LoadRecord, SecondRecord } from '../../record/load-record.ts';
import type { ChartLine, ChartView, Tone } from './run-view.ts';

/** A run that ended within its first second has none. */
export function chartsOf({ series, disasters }: LoadRecord): readonly ChartView[] {
  if (series.length === 0) return [];
  const line = (name: string, tone: Tone, valueOf: (second: SecondRecord) => number | null): ChartLine => ({
    name,
    tone,
    values: series.map(valueOf),
  });
  const shared = {
    seconds: series.map(({ second }) => second),
    marks: disasters.map(({ what, atMs }) => ({ second: atMs / 1_000, what })),
  };
  return [
    {
      ...shared,
      title: 'Requests a second',
      note: 'How many were due, how many ended, and how many of those as errors.',
      measure: 'count',
      lines: [
        line('due', 'quiet', ({ arrivals }) => arrivals),
        line('ended', 'good', ({ ended }) => ended),
        line('errors', 'bad', ({ errors }) => errors),
      ],
    },
    {
      ...shared,
      title: 'Response time',
      note: 'From the moment a request was due, beside how late the generator itself was.',
      measure: 'duration',
      lines: [
        line('p99', 'bad', ({ response, ended }) => measured(response.p99Us, ended)),
        line('p50', 'good', ({ response, ended }) => measured(response.p50Us, ended)),
        line('lateness p99', 'quiet', ({ latenessP99Us, arrivals }) => measured(latenessP99Us, arrivals)),
      ],
    },
    {
      ...shared,
      title: 'Jobs under way',
      note: 'Accepted and not yet reported as printed, at the end of each second.',
      measure: 'count',
      lines: [line('waiting', 'odd', ({ jobs }) => Math.max(0, jobs.accepted - jobs.reported))],
    },
  ];
}

function measured(us: number, count: number): number | null {
  return count === 0 ? null : us;
}
