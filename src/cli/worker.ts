/**
 * platen worker: plays shards of loads that another machine coordinates.
 */

import { hostname } from 'node:os';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { durationMs } from '../common/duration.ts';
import { packageVersion } from '../common/package-version.ts';
import { shownAddress } from '../common/service-address.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { interruption } from './interruption.ts';
import { addNatsOptions, natsAddress, type NatsFlags } from './options/nats-options.ts';
import { addMetricsOption, openAskedMetrics, type MetricsFlags } from './options/metrics-option.ts';
import { callbackHostOption, duration, renamedOption } from './options/option-values.ts';
import { err } from './screen/terminal.ts';

interface WorkerFlags extends NatsFlags, MetricsFlags {
  readonly name?: string;
  readonly tags?: string;
  readonly callbackHost?: string;
  readonly link?: string;
  readonly lease: string;
  readonly once?: true;
  readonly quiet?: true;
}

export function workerCommand(program: Command, finish: (code: ExitCode) => void): void {
  const command = program
    .command('worker')
    .description('wait for loads on a NATS server, and run a shard of each: see docs/distributed.md');
  addMetricsOption(addNatsOptions(command))
    .option('--name <name>', 'its name in reports (default: host and process)')
    .addOption(callbackHostOption())
    .option('--link <module>', 'module of a link, for runs that reach their service through one of their own')
    .option('--tags <tags>', 'tags that runs may ask for, separated by commas: fast,berlin')
    .option('--lease <duration>', 'how long to go on without a heartbeat of the coordinator', duration, '30s')
    .addOption(renamedOption('--dead-man <duration>', '--lease'))
    .option('--once', 'end after one run')
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (flags: WorkerFlags) => finish(await run(flags)));
}

async function run(flags: WorkerFlags): Promise<ExitCode> {
  const { nats, name = `${hostname()}-${process.pid}`, tags = '', lease, once, quiet } = flags;
  if (nats === undefined) {
    throw usageError('a worker needs a NATS server', 'Add --nats nats://host:4222.');
  }
  // Now, and not when a run comes that needs it.
  if (flags.link !== undefined) await (await import('../link/foreign-link.ts')).loadForeignLink(flags.link);
  const signal = interruption();
  const { connectNats } = await import('../load/nats/nats-connection.ts');
  const { loadWork } = await import('../load/workers/load-work.ts');
  const { runWorker } = await import('../load/workers/worker.ts');
  await using metrics = await openAskedMetrics(flags, name);
  const connection = await connectNats(natsAddress(nats, flags), name);
  const tell = (line: string): void => {
    if (quiet !== true) err(line);
  };
  tell(`${name} is waiting for runs at ${shownAddress(nats)}. Ctrl-C ends it.`);
  try {
    await runWorker({
      connection,
      clock: systemClock,
      name,
      version: packageVersion(),
      tags: tags.split(',').filter((tag) => tag !== ''),
      work: loadWork({ callbackHost: flags.callbackHost, link: flags.link, metrics: metrics?.metrics }),
      leaseMs: durationMs(lease),
      tell,
      signal,
      once,
    });
  } finally {
    await connection.close();
  }
  return EXIT.good;
}
