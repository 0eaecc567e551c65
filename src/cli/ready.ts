/**
 * platen ready: whether a service answers, for scripts and for the health check of a container.
 */

import type { Command } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import { durationMs } from '../common/duration.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { realTimekeeper } from '../common/timekeeper.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { duration, urlOption } from './options/option-values.ts';
import { Remote } from './remote/remote.ts';
import { out } from './screen/terminal.ts';

interface ReadyFlags {
  readonly url: string;
  readonly wait: string;
  readonly quiet?: true;
}

const ASK_EVERY_MS = 50;

export function readyCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('ready')
    .description('report whether a service is up: exit code 0, or 75')
    .addOption(urlOption())
    .option('--wait <duration>', 'how long to wait for it', duration, '0s')
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (flags: ReadyFlags) => finish(await run(flags)));
}

async function run({ url, wait, quiet }: ReadyFlags): Promise<ExitCode> {
  const remote = new Remote({ url, key: '' });
  const elapsedMs = startStopwatch();
  while (!(await answers(remote, elapsedMs() >= durationMs(wait)))) await realTimekeeper.elapse(ASK_EVERY_MS);
  if (!quiet) out(`${remote.url} is ready`);
  return EXIT.good;
}

/** @throws ActionableError when it does not answer the last time it is asked */
async function answers(remote: Remote, isLast: boolean): Promise<boolean> {
  try {
    await remote.get('/ping');
    await remote.ensureHealthy();
    return true;
  } catch (error) {
    if (isLast || !(error instanceof ActionableError)) throw error;
    return false;
  }
}
