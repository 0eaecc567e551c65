/**
 * Load run: what a service bore: its verdict and why, percentiles, the course of the run as charts, and
 * what became of the jobs.
 */

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { RunRecord } from '../../record/run-record.ts';
import { formatSpan } from '../parts/format.ts';
import { Section } from '../parts/section.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { Chart } from './chart.tsx';
import { JobAccount } from './job-account.tsx';
import type { PlotLine } from './plot.ts';
import { RunFacts } from './run-facts.tsx';

type LoadRun = Extract<RunRecord, { readonly kind: 'load' }>;
type LoadSecond = LoadRun['series'][number];
type LoadDuration = LoadRun['legs'][number]['duration'];

export function LoadView({ record }: { readonly record: LoadRun }): JSX.Element {
  const { plan, runId, target, startedAt, durationMs, summary, reasons, thresholds, ledger } = record;
  return (
    <>
      <RunFacts
        title={plan.title}
        runId={runId}
        target={target.name}
        startedAt={startedAt}
        durationMs={durationMs}
        seed={plan.seed}
        exitCode={summary.exitCode}
        counts={summary.thresholds}
      />
      <p class="why">{plan.why}</p>
      {reasons.map((reason) => (
        <p key={reason} class="failure">
          {reason}
        </p>
      ))}
      <Section title="Thresholds">
        <ul class="thresholds">
          {thresholds.map(({ text, measured, kept: isKept }) => (
            <li key={text}>
              <StateChip state={isKept ? 'kept' : 'broken'} />
              <code>{text}</code>
              <span class="hint">{measured ?? 'nothing to measure'}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Course series={record.series} />
      <Section title="How long it took">
        <Durations record={record} />
      </Section>
      <Section title="What became of the jobs">
        <JobAccount totals={ledger.totals} />
      </Section>
    </>
  );
}

function Course({ series }: { readonly series: readonly LoadSecond[] }): JSX.Element {
  const { seconds, rates, times, jobs } = useMemo(() => linesOf(series), [series]);
  return (
    <>
      <Chart title="Requests a second" seconds={seconds} lines={rates} unit="/s" />
      <Chart title="Response time, from the intended start" seconds={seconds} lines={times} unit="ms" />
      <Chart title="Jobs" seconds={seconds} lines={jobs} unit="" />
    </>
  );
}

const JOB_LINES = [
  ['intended', '--hard-rule'],
  ['accepted', '--blue'],
  ['delivered', '--warn'],
  ['printed', '--good'],
  ['reported', '--ink'],
] as const satisfies readonly (readonly [keyof LoadSecond['jobs'], string])[];

function linesOf(series: readonly LoadSecond[]): Readonly<
  Record<'rates' | 'times' | 'jobs', readonly PlotLine[]>
> & {
  readonly seconds: readonly number[];
} {
  const line = (name: string, colour: string, read: (second: LoadSecond) => number): PlotLine => ({
    name,
    colour,
    values: series.map(read),
  });
  return {
    seconds: series.map(({ second }) => second),
    rates: [
      line('intended', '--hard-rule', ({ arrivals }) => arrivals),
      line('ended', '--blue', ({ ended }) => ended),
      line('errors', '--bad', ({ errors }) => errors),
    ],
    times: [
      line('p50', '--blue', ({ response }) => response.p50Us / 1_000),
      line('p99', '--bad', ({ response }) => response.p99Us / 1_000),
      line('own lateness p99', '--hard-rule', ({ latenessP99Us }) => latenessP99Us / 1_000),
    ],
    jobs: JOB_LINES.map(([stage, colour]) => line(stage, colour, ({ jobs }) => jobs[stage])),
  };
}

const PERCENTILES = [
  ['p50', 'p50Us'],
  ['p90', 'p90Us'],
  ['p99', 'p99Us'],
  ['p99.9', 'p999Us'],
  ['most', 'maxUs'],
] as const satisfies readonly (readonly [string, keyof LoadDuration])[];

function Durations({ record: { streams, legs } }: { readonly record: LoadRun }): JSX.Element {
  const rows = [
    ...streams.map(({ name, response }) => ({ name, duration: response })),
    ...legs.map(({ name, duration }) => ({ name: `job: ${name}`, duration })),
  ];
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Number</th>
          {PERCENTILES.map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, duration }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{duration.count.toLocaleString('en')}</td>
            {PERCENTILES.map(([percentile, member]) => (
              <td key={percentile}>{formatSpan(duration[member] / 1_000)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
