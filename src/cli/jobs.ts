/**
 * platen jobs: the newest print jobs of a service.
 */

import type { Command } from 'commander';
import { z } from 'zod';

import { systemClock } from '../common/clock.ts';
import { countOf } from '../common/count-of.ts';
import { formatDuration } from '../common/duration.ts';
import { paperToCome } from '../record/paper-words.ts';
import { plainText, styled, type Line } from '../report/terminal/line.ts';
import { table } from '../report/terminal/table.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { controlTokenOption, jsonOption, keyOption, positiveInteger, urlOption } from './options/option-values.ts';
import { Remote, type RemoteOptions } from './remote/remote.ts';
import { out, outJson } from './screen/terminal.ts';

interface JobsFlags extends RemoteOptions {
  readonly limit: number;
  readonly json?: true;
}

/** Which fields a print job has is a gap: what a service does not show stays empty. */
const jobRecord = z.looseObject({
  id: z.number().optional(),
  printJobId: z.number().optional(),
  title: z.string().nullish(),
  state: z.string().optional(),
  createTimestamp: z.string().optional(),
  printer: z.looseObject({ name: z.string().optional() }).optional(),
});

/** The most jobs that an answer of the control API lists. */
const MOST_LISTED = 200;

type JobRecord = z.infer<typeof jobRecord>;

export function jobsCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('jobs')
    .description('list print jobs, newest first')
    .option('-n, --limit <number>', 'how many', positiveInteger, 20)
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(controlTokenOption())
    .addOption(jsonOption())
    .action(async (flags: JobsFlags) => finish(await run(flags)));
}

async function run(flags: JobsFlags): Promise<ExitCode> {
  const remote = new Remote(flags);
  const answer = remote.get(`/printjobs?limit=${flags.limit}`);
  const jobs = await remote.shaped(z.array(jobRecord), 'a list of jobs', answer);
  const paper = await paperOf(remote, flags.limit);
  if (flags.json) outJson(jobs.map((job) => ({ ...job, ...paper.get(idOf(job) ?? 0) })));
  else if (jobs.length === 0) out(await noJobs(remote));
  else out(list(jobs, paper, await timeOf(remote)));
  return EXIT.good;
}

/** What came to printers past the service is no job. */
async function noJobs(remote: Remote): Promise<string> {
  const printouts = z.array(z.unknown()).safeParse(await remote.aside('/_platen/printouts')).data ?? [];
  if (printouts.length === 0) return 'no jobs yet; print one with `platen print invoice`';
  const were = printouts.length === 1 ? 'was' : 'were';
  return `no jobs; ${countOf(printouts.length, 'printout')} ${were} sent to printers directly: curl ${remote.url}/_platen/printouts`;
}

const paperList = z.object({
  jobs: z.array(z.object({ id: z.number(), sheets: z.number(), sheetsDue: z.number(), held: z.string().nullable() })),
});

/** A job that is done has left its computer; what came out of the printer is another matter. */
type Paper = Omit<z.infer<typeof paperList>['jobs'][number], 'id'>;

/** By job, as a workbench knows it; empty for other services. */
async function paperOf(remote: Remote, limit: number): Promise<ReadonlyMap<number, Paper>> {
  const answer = await remote.aside(`/_platen/jobs?limit=${Math.min(limit, MOST_LISTED)}`);
  const jobs = paperList.safeParse(answer).data?.jobs ?? [];
  return new Map(jobs.map(({ id, ...paper }) => [id, paper]));
}

const clockView = z.object({ nowMs: z.number() });

/** The clock of a workbench may be virtual; any other service is taken to have ours. */
async function timeOf(remote: Remote): Promise<number> {
  const answer = await remote.aside('/_platen/clock');
  return clockView.safeParse(answer).data?.nowMs ?? systemClock.now();
}

function stateWords(state: string, paper: Paper | undefined): string {
  const toCome = state === 'done' && paper ? paperToCome(paper) : undefined;
  return toCome === undefined ? state : `${state}, ${toCome}`;
}

function list(jobs: readonly JobRecord[], paper: ReadonlyMap<number, Paper>, nowMs: number): readonly Line[] {
  const rows = jobs.map((job) => [
    `${idOf(job) ?? ''}`,
    stateWords(job.state ?? '', paper.get(idOf(job) ?? 0)),
    job.printer?.name ?? '',
    job.createTimestamp === undefined ? '' : `${ageAt(nowMs, job.createTimestamp)} ago`,
    job.title ?? '',
  ]);
  const [head = '', ...lines] = table([['job', 'state', 'printer', 'age', 'title'], ...rows]);
  return [styled('dim', plainText(head)), ...lines];
}

function idOf({ id, printJobId }: JobRecord): number | undefined {
  return id ?? printJobId;
}

/** From 0: the clock of a service may be ahead of ours. */
function ageAt(nowMs: number, createTimestamp: string): string {
  return formatDuration(Math.max(0, nowMs - Date.parse(createTimestamp)));
}
