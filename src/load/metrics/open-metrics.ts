/**
 * Opens what hands out the metrics of a load: a page for Prometheus, a sender for OpenTelemetry, or both.
 *
 *   --metrics [HOST:]PORT            ─► GET /metrics, in the text format of Prometheus
 *   OTEL_EXPORTER_OTLP_ENDPOINT, …   ─► OTLP over HTTP, every five seconds unless OTEL_METRIC_EXPORT_INTERVAL says
 */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { diag, DiagLogLevel } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type IMetricReader } from '@opentelemetry/sdk-metrics';

import { usageError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import { packageVersion } from '../../common/package-version.ts';
import { portOf } from '../../common/port-of.ts';
import { LiveMetrics } from './live-metrics.ts';

export interface MetricsOptions {
  /** Where Prometheus finds them; nowhere unless given. */
  readonly listen?: ListenAddress | undefined;
  /** Whether the environment names an endpoint of OpenTelemetry. */
  readonly sends: boolean;
  /** This process among those that are observed. */
  readonly instance: string;
  /** Called with each line to log. */
  readonly tell: (line: string) => void;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface OpenMetrics extends AsyncDisposable {
  readonly metrics: LiveMetrics;
}

const SEND_EVERY_MS = 5_000;
/** A receiver that hangs must not keep a run from ending. */
const LAST_SEND_LIMIT_MS = 3_000;

/** @throws ActionableError when the address cannot be listened at */
export async function openMetrics(options: MetricsOptions): Promise<OpenMetrics> {
  const { listen, sends, instance, tell } = options;
  const metrics = new LiveMetrics();
  const page = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    metricProducers: [metrics.prometheusProducer()],
  });
  const server = listen && (await serve(page, listen));
  if (server) tell(`Metrics at http://${listen.host}:${portOf(server)}/metrics`);
  const readers: IMetricReader[] = [...(server ? [page] : []), ...(sends ? [sender(metrics, tell)] : [])];
  const provider = new MeterProvider({ resource: resourceOf(instance), readers });
  return {
    metrics,
    async [Symbol.asyncDispose]() {
      await provider.shutdown({ timeoutMillis: LAST_SEND_LIMIT_MS }).catch(() => undefined);
      server?.close();
      server?.closeAllConnections();
    },
  };
}

/** What the user says in OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES comes last, and counts. */
function resourceOf(instance: string): ReturnType<typeof defaultResource> {
  const own = { 'service.name': 'platen', 'service.version': packageVersion(), 'service.instance.id': instance };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

async function serve(page: PrometheusExporter, { host, port }: ListenAddress): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] === '/metrics') page.getMetricsRequestHandler(request, response);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('The metrics are at /metrics\n');
  });
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw usageError(`metrics cannot be served at ${host}:${port}: ${messageOf(error)}`, 'Give another --metrics.');
  }
  return server.unref();
}

function ignore(): void {
  // What is no error is of no use to a person who runs a load.
}

function sender(metrics: LiveMetrics, tell: (line: string) => void): IMetricReader {
  const everyMs = Number(process.env['OTEL_METRIC_EXPORT_INTERVAL']) || SEND_EVERY_MS;
  let isTold = false;
  const error = (message: string): void => {
    // The SDK goes on trying: once is enough for a person to know.
    if (!isTold) tell(`Metrics could not be sent: ${message}`);
    isTold = true;
  };
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: everyMs,
    metricProducers: [metrics.producer()],
  });
}
