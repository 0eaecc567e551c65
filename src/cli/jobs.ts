/**
 * platen jobs: the newest print jobs of a service.
 */

import type { Command } from 'commander';
import { z } from 'zod';

import { systemClock } from '../common/clock.ts';
import { formatDuration } from '../common/duration.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { jsonOption, keyOption, positiveInteger, urlOption } from './options/option-values.ts';
import { Remote, type RemoteOptions } from './remote/remote.ts';
import { out, outJson, styled, table } from './screen/terminal.ts';

interface JobsFlags extends RemoteOptions {
  readonly limit: number;
  readonly json?: true;
}

const jobRecord = z.looseObject({
  id: z.number(),
  title: z.string().nullable(),
  state: z.string(),
  createTimestamp: z.string(),
  printer: z.looseObject({ name: z.string() }),
});

type JobRecord = z.infer<typeof jobRecord>;

export function jobsCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('jobs')
    .description('list print jobs, newest first')
    .option('-n, --limit <number>', 'how many', positiveInteger, 20)
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(jsonOption())
    .action(async (flags: JobsFlags) => finish(await run(flags)));
}

async function run(flags: JobsFlags): Promise<ExitCode> {
  const remote = new Remote(flags);
  const answer = remote.get(`/printjobs?limit=${flags.limit}`);
  const jobs = await remote.shaped(z.array(jobRecord), 'a list of jobs', answer);
  if (flags.json) outJson(jobs);
  else out(jobs.length === 0 ? 'no jobs yet; print one with `platen print document.pdf`' : list(jobs));
  return EXIT.good;
}

function list(jobs: readonly JobRecord[]): string {
  const rows = jobs.map(({ id, state, printer, createTimestamp, title }) => [
    `${id}`,
    state,
    printer.name,
    `${ageOf(createTimestamp)} ago`,
    title ?? '',
  ]);
  const [head = '', ...lines] = table([['job', 'state', 'printer', 'age', 'title'], ...rows]).split('\n');
  return [styled('dim', head), ...lines].join('\n');
}

/** From 0: the clock of a service may be ahead of ours. */
function ageOf(createTimestamp: string): string {
  const ageMs = systemClock.now() - Date.parse(createTimestamp);
  return formatDuration(Math.max(0, ageMs));
}
