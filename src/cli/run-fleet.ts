/**
 * platen run --nats: plays a load on the machines that join.
 */

import { InvalidArgumentError, type Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { durationMs } from '../common/duration.ts';
import { packageVersion } from '../common/package-version.ts';
import type { CoordinatorOptions } from '../load/workers/watch.ts';
import type { LoadResult, RunLoadOptions } from '../load/run-load.ts';
import type { ShardProgress } from '../load/shard/shard-monitor.ts';
import { addNatsOptions, natsAddress, type NatsFlags } from './options/nats-options.ts';
import { duration, positiveInteger, renamedOption } from './options/option-values.ts';
import { err } from './screen/terminal.ts';

export const FLEET_DEFAULTS = { wait: '60s', lease: '30s' } as const;

export interface FleetFlags extends NatsFlags {
  readonly workers?: number;
  readonly workerTags?: readonly string[];
  readonly wait: string;
  readonly lease: string;
  readonly resume?: string;
  readonly callbackHost?: string;
  readonly quiet?: true;
}

/** Options of `platen run` for several machines. */
export function addFleetOptions(command: Command): Command {
  return addNatsOptions(command.optionsGroup('Loads on several machines:'))
    .option('--workers <n>', 'how many must join', positiveInteger)
    .option('--worker-tags <tags>', 'only those with all of these tags, separated by commas', tagList)
    .option('--wait <duration>', 'how long to wait for them', duration, FLEET_DEFAULTS.wait)
    .option('--lease <duration>', 'how long to go on without the NATS server', duration, FLEET_DEFAULTS.lease)
    .addOption(renamedOption('--dead-man <duration>', '--lease'))
    .option('--resume <run>', 'resume watching a run whose coordinator died');
}

/** Plays a load on the machines that join. @throws ActionableError when it could not begin */
export async function playOnFleet(options: RunLoadOptions, flags: FleetFlags): Promise<LoadResult> {
  const { nats, workers, workerTags = [], wait, lease, resume } = flags;
  if (nats === undefined) {
    throw usageError('a run on several machines needs a NATS server', 'Add --nats URL.');
  }
  if (workers === undefined && resume === undefined) {
    throw usageError('the number of machines is missing', 'Add --workers N.');
  }
  if (flags.callbackHost !== undefined) {
    throw usageError(
      '--callback-host differs from machine to machine',
      'Give it to each worker: platen worker --callback-host NAME.',
    );
  }
  const { connectNats } = await import('../load/nats/nats-connection.ts');
  const { resumeFleet, runFleet } = await import('../load/run-fleet.ts');
  const connection = await connectNats(natsAddress(nats, flags), 'platen coordinator');
  const { scenario, seed, target, permission, calibrates, runId, stop, halt, onProgress } = options;
  const parts: CoordinatorOptions = {
    connection,
    clock: systemClock,
    leaseMs: durationMs(lease),
    tell: (line) => (flags.quiet ? undefined : err(line)),
    onProgress: (_, progress) => onProgress?.(progress as ShardProgress),
    drain: stop,
    stop: halt,
  };
  const placing = {
    runId,
    version: packageVersion(),
    workers: workers ?? 0,
    tags: workerTags,
    waitMs: durationMs(wait),
  };
  try {
    if (resume !== undefined) return await resumeFleet(resume, parts);
    return await runFleet({ ...placing, scenario, seed, target, permission, calibrates }, parts);
  } finally {
    await connection.close();
  }
}

function tagList(text: string): readonly string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  if (tags.every((tag) => /^[\w.-]+$/.test(tag))) return tags;
  throw new InvalidArgumentError('write tags with commas between, such as fast,berlin');
}
