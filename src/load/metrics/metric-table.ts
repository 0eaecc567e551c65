/**
 * Metric table: what is exported of a load while it runs, by its names in OpenTelemetry.
 *
 *   platen.request.duration, s ─► OTLP as it is; in Prometheus platen_request_duration_seconds
 *
 * Labels are names of a scenario and words of a run: never a computer, a job or a key.
 */

import type { DurationBuckets } from '../measure/histogram.ts';
import type { LiveFigures, LiveStream } from '../measure/live-figures.ts';
import type { ShardProgress } from '../shard/shard-monitor.ts';

/** What one shard has reported: its latest progress, and the latest figures in it. */
export interface ShardState {
  readonly progress: ShardProgress;
  readonly figures: LiveFigures | null;
  readonly self: NonNullable<ShardProgress['second']>['self'] | null;
}

export type Labels = Readonly<Record<string, string>>;
export type Point<Value> = readonly [labels: Labels, value: Value];

interface Described {
  /** Without the unit. */
  readonly name: string;
  readonly about: string;
  /** The unit in UCUM. */
  readonly unit: '' | 's' | 'By' | '1' | '{request}' | '{job}' | '{computer}' | '{shard}';
}

export interface NumberMetric extends Described {
  /** A counter only rises during a run. */
  readonly kind: 'counter' | 'gauge';
  readonly points: (state: ShardState) => readonly Point<number>[];
}

export interface DurationMetric extends Described {
  readonly kind: 'durations';
  readonly unit: 's';
  readonly points: (state: ShardState) => readonly Point<DurationBuckets>[];
}

const US_PER_SECOND = 1e6;

export const METRICS: readonly (NumberMetric | DurationMetric)[] = [
  {
    name: 'platen.requests',
    about: 'Requests by outcome.',
    unit: '{request}',
    kind: 'counter',
    points: ofStreams(({ counts }) => Object.entries(counts).map(([outcome, count]) => [{ outcome }, count])),
  },
  {
    name: 'platen.request.duration',
    about: 'From when a request was due to its end: what a caller waits.',
    unit: 's',
    kind: 'durations',
    points: ofStreams(({ response }) => [[{}, response]]),
  },
  {
    name: 'platen.request.service.duration',
    about: 'From sending a request to its end: what the service needs.',
    unit: 's',
    kind: 'durations',
    points: ofStreams(({ service }) => [[{}, service]]),
  },
  {
    name: 'platen.generator.lateness',
    about: 'How long after it was due the generator handed out a request.',
    unit: 's',
    kind: 'durations',
    points: ofStreams(({ lateness }) => [[{}, lateness]]),
  },
  {
    name: 'platen.requests.in_flight',
    about: 'Requests sent and not yet answered.',
    unit: '{request}',
    kind: 'gauge',
    points: ({ progress }) => [[{}, progress.inFlight]],
  },
  {
    name: 'platen.jobs',
    about: 'Jobs that have come at least to this phase.',
    unit: '{job}',
    kind: 'counter',
    points: ofFigures(({ jobs }) => Object.entries(jobs).map(([stage, count]) => [{ stage }, count])),
  },
  {
    name: 'platen.job.phase.duration',
    about: 'Duration of the phases of a job.',
    unit: 's',
    kind: 'durations',
    points: ofFigures(({ phases }) => phases.map(({ name, durations }) => [{ phase: name }, durations])),
  },
  {
    name: 'platen.ledger.jobs',
    about: 'Jobs by class; until the end of the drain those under way are unknown.',
    unit: '{job}',
    kind: 'gauge',
    points: ofFigures(({ ledger }) => Object.entries(ledger).map(([name, count]) => [{ class: name }, count])),
  },
  {
    name: 'platen.computers.connected',
    about: 'Virtual computers that are connected.',
    unit: '{computer}',
    kind: 'gauge',
    points: ({ progress }) => [[{}, progress.connected]],
  },
  {
    name: 'platen.shards',
    about: 'Processes of the load by state.',
    unit: '{shard}',
    kind: 'gauge',
    points: ({ progress }) => [[{ phase: progress.phase }, 1]],
  },
  {
    name: 'platen.generator.cpu',
    about: "The generator's use of one core.",
    unit: '1',
    kind: 'gauge',
    points: ({ self }) => (self ? [[{}, self.cpu]] : []),
  },
  {
    name: 'platen.generator.memory',
    about: "The generator's resident memory.",
    unit: 'By',
    kind: 'gauge',
    points: ({ self }) => (self ? [[{}, self.rssBytes]] : []),
  },
  {
    name: 'platen.generator.event_loop.delay',
    about: "The generator's event loop: its delay in the last second, 99th percentile.",
    unit: 's',
    kind: 'gauge',
    points: ({ self }) => (self ? [[{}, self.eventLoopDelayP99Us / US_PER_SECOND]] : []),
  },
];

function ofFigures<Value>(
  points: (figures: LiveFigures) => readonly Point<Value>[],
): (state: ShardState) => readonly Point<Value>[] {
  return ({ figures }) => (figures ? points(figures) : []);
}

function ofStreams<Value>(
  points: (stream: LiveStream) => readonly Point<Value>[],
): (state: ShardState) => readonly Point<Value>[] {
  return ofFigures(({ streams }) =>
    streams.flatMap((stream) =>
      points(stream).map(([labels, value]): Point<Value> => [{ stream: stream.name, ...labels }, value]),
    ),
  );
}

const PROMETHEUS_UNITS: Readonly<Record<Described['unit'], string>> = {
  s: '_seconds',
  By: '_bytes',
  '1': '_ratio',
  '': '',
  '{request}': '',
  '{job}': '',
  '{computer}': '',
  '{shard}': '',
};

/** The name that Prometheus' OTLP receiver gives it, with its unit. */
export function prometheusName({ name, unit, kind }: NumberMetric | DurationMetric): string {
  return `${name.replaceAll('.', '_')}${PROMETHEUS_UNITS[unit]}${kind === 'counter' ? '_total' : ''}`;
}
