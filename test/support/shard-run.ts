/**
 * Runs a shard in this process, for tests and workbenches: everything as in a real run but the process.
 */

import { machineMicroseconds } from '../../src/common/stopwatch.ts';
import { planLoad, WHOLE, type Shard } from '../../src/load/plan/load-plan.ts';
import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import { runShard, type ShardOptions, type ShardResult } from '../../src/load/shard/run-shard.ts';

export interface ShardRunOptions extends Partial<Pick<ShardOptions, 'calibrates' | 'onProgress' | 'stop' | 'halt'>> {
  readonly apiKey?: string;
  readonly shard?: Shard;
  readonly link?: ShardOptions['target']['link'];
  readonly usePrinter?: string;
  readonly faults?: ShardOptions['target']['faults'];
  readonly service?: ShardOptions['target']['service'];
}

let runs = 0;

const START_IN_US = 20_000;

export function runShardHere(
  scenario: LoadScenario,
  baseUrl: string,
  options: ShardRunOptions = {},
): Promise<ShardResult> {
  const { apiKey = 'test-key', shard = WHOLE, link, usePrinter, faults, service, ...rest } = options;
  return runShard({
    plan: planLoad(scenario),
    shard,
    runId: `test-${process.pid}-${++runs}`,
    target: { name: baseUrl, baseUrl, apiKey, link, usePrinter, faults, service },
    calibrates: false,
    go: () => Promise.resolve(machineMicroseconds() + START_IN_US),
    stop: new AbortController().signal,
    halt: new AbortController().signal,
    ...rest,
  });
}
