/**
 * --metrics, and the variables of OpenTelemetry: who is handed the metrics of a load while it runs.
 */

import { InvalidArgumentError, type Command } from 'commander';

import type { ListenAddress, OpenMetrics } from '../../load/metrics/open-metrics.ts';
import { err } from '../screen/terminal.ts';

export interface MetricsFlags {
  readonly metrics?: ListenAddress;
  readonly quiet?: true;
}

const LOOPBACK = '127.0.0.1';
const MOST_PORT = 65_535;

export function addMetricsOption(command: Command): Command {
  return command.option(
    '--metrics <[host:]port>',
    'metrics for Prometheus at this address, host 127.0.0.1 by default (OpenTelemetry: docs/load.md)',
    listenAddress,
  );
}

function listenAddress(text: string): ListenAddress {
  const [, host = LOOPBACK, port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > MOST_PORT) throw new InvalidArgumentError('write for example 9464 or 0.0.0.0:9464');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** Undefined where they are not asked for: then nothing of it is loaded. */
export async function openAskedMetrics(
  { metrics: listen, quiet }: MetricsFlags,
  instance: string,
): Promise<OpenMetrics | undefined> {
  const sends = sendsOtlp(process.env);
  if (listen === undefined && !sends) return undefined;
  const { openMetrics } = await import('../../load/metrics/open-metrics.ts');
  const tell = (line: string): void => {
    if (quiet !== true) err(line);
  };
  return openMetrics({ listen, sends, instance, tell });
}

/** As the specification of its variables says: an endpoint, and nothing that switches it off. */
function sendsOtlp(env: NodeJS.ProcessEnv): boolean {
  const endpoint = env['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const exporter = env['OTEL_METRICS_EXPORTER'] || 'otlp';
  return Boolean(endpoint) && exporter.includes('otlp') && env['OTEL_SDK_DISABLED'] !== 'true';
}
