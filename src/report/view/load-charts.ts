/**
 * Charts of a load run: rates, response times and jobs under way, over its seconds.
 */

import type { LoadRecord } from '../../record/load-record.ts';
import type { ChartView } from './run-view.ts';

/** What a run without a second has none of. */
export function chartsOf({ series, disasters }: LoadRecord): readonly ChartView[] {
  if (series.length === 0) return [];
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
        { name: 'due', tone: 'quiet', values: series.map(({ arrivals }) => arrivals) },
        { name: 'ended', tone: 'good', values: series.map(({ ended }) => ended) },
        { name: 'errors', tone: 'bad', values: series.map(({ errors }) => errors) },
      ],
    },
    {
      ...shared,
      title: 'Response time',
      note: 'From the moment a request was due, beside how late the generator itself was.',
      measure: 'duration',
      lines: [
        {
          name: 'p99',
          tone: 'bad',
          values: series.map(({ response, ended }) => measured(response.p99Us, ended)),
        },
        {
          name: 'p50',
          tone: 'good',
          values: series.map(({ response, ended }) => measured(response.p50Us, ended)),
        },
        {
          name: 'lateness p99',
          tone: 'quiet',
          values: series.map(({ latenessP99Us, arrivals }) => measured(latenessP99Us, arrivals)),
        },
      ],
    },
    {
      ...shared,
      title: 'Jobs under way',
      note: 'Accepted and not yet reported as printed, at the end of each second.',
      measure: 'count',
      lines: [
        {
          name: 'waiting',
          tone: 'odd',
          values: series.map(({ jobs }) => Math.max(0, jobs.accepted - jobs.reported)),
        },
      ],
    },
  ];
}

function measured(us: number, count: number): number | null {
  return count === 0 ? null : us;
}
