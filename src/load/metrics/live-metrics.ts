/**
 * Live metrics: the figures of all shards of this process's run, for the readers of OpenTelemetry.
 *
 *   progress of each shard, once a second ─► latest of each ─► asked for: the points of the metric table
 *
 * The shards have counted already, in processes of their own, so the SDK's instruments have nothing to do here: this is
 * a producer beside them, as the SDK provides for figures that were gathered elsewhere.
 */

import { ValueType, type HrTime } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type CollectionResult,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

import { systemClock } from '../../common/clock.ts';
import { packageVersion } from '../../common/package-version.ts';
import { sumOf } from '../../common/sums.ts';
import type { DurationBuckets } from '../measure/histogram.ts';
import { BUCKET_BOUNDS_S } from '../measure/live-figures.ts';
import type { ShardProgress } from '../shard/shard-monitor.ts';
import {
  METRICS,
  prometheusName,
  type DurationMetric,
  type NumberMetric,
  type Point,
  type ShardState,
} from './metric-table.ts';

export class LiveMetrics {
  readonly #shards = new Map<number, ShardState>();
  #run = { run: '', title: '' };
  #startTime: HrTime = [0, 0];

  /** Another run begins: its counters start at zero. */
  begin({ run, title }: { readonly run: string; readonly title: string }): void {
    this.#run = { run, title };
    this.#shards.clear();
    this.#startTime = millisToHrTime(systemClock.now());
  }

  take(progress: ShardProgress): void {
    const before = this.#shards.get(progress.shard);
    this.#shards.set(progress.shard, {
      progress,
      figures: progress.figures ?? before?.figures ?? null,
      self: progress.second?.self ?? before?.self ?? null,
    });
  }

  /** For a reader that sends them as OpenTelemetry has them. */
  producer(): MetricProducer {
    return { collect: () => Promise.resolve(this.#collect()) };
  }

  /** For a page that Prometheus reads: its exporter takes names as they are. */
  prometheusProducer(): MetricProducer {
    return { collect: () => Promise.resolve(this.#collect(prometheusName)) };
  }

  #collect(nameOf: (metric: Metric) => string = ({ name }) => name): CollectionResult {
    const times: Times = { startTime: this.#startTime, endTime: millisToHrTime(systemClock.now()) };
    const states = [...this.#shards.values()];
    const metrics = METRICS.map((metric) => dataOf(metric, nameOf(metric), states, times));
    const run: MetricData = {
      ...described(RUN_INFO, nameOf(RUN_INFO)),
      dataPointType: DataPointType.GAUGE,
      dataPoints: states.length === 0 ? [] : [{ ...times, attributes: this.#run, value: 1 }],
    };
    const scope = { name: 'platen', version: packageVersion() };
    const scopeMetrics = [{ scope, metrics: [run, ...metrics].filter(({ dataPoints }) => dataPoints.length > 0) }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
  }
}

type Metric = NumberMetric | DurationMetric;
type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

const RUN_INFO: NumberMetric = {
  name: 'platen.run.info',
  about: 'The run that the other metrics describe; always 1.',
  unit: '',
  kind: 'gauge',
  points: () => [],
};

function dataOf(metric: Metric, name: string, states: readonly ShardState[], times: Times): MetricData {
  if (metric.kind === 'durations') {
    const dataPoints = pointsOf(metric.points, states, times, histogramOf);
    return { ...described(metric, name), dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = pointsOf(metric.points, states, times, (value) => value);
  if (metric.kind === 'gauge') return { ...described(metric, name), dataPointType: DataPointType.GAUGE, dataPoints };
  return { ...described(metric, name), dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
}

function described(
  { about: description, unit }: Metric,
  name: string,
): Pick<MetricData, 'descriptor' | 'aggregationTemporality'> {
  return {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
}

function pointsOf<Value, Exported>(
  points: (state: ShardState) => readonly Point<Value>[],
  states: readonly ShardState[],
  times: Times,
  exported: (value: Value) => Exported,
): DataPoint<Exported>[] {
  return states.flatMap((state) =>
    points(state).map(([labels, value]) => ({
      ...times,
      attributes: { ...labels, shard: String(state.progress.shard) },
      value: exported(value),
    })),
  );
}

function histogramOf({ counts, sumUs }: DurationBuckets): Histogram {
  return {
    buckets: { boundaries: [...BUCKET_BOUNDS_S], counts: [...counts] },
    sum: sumUs / 1e6,
    count: sumOf(counts, (count) => count),
  };
}
