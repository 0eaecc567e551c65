/**
 * Job query: which job somebody waits for, and why a given job is not the one.
 */

import type { Job } from './job.ts';

export interface JobQuery {
  readonly id?: number | undefined;
  /** A part of the title in any case, or a pattern. */
  readonly title?: string | RegExp | undefined;
  /** Name of the printer. */
  readonly printer?: string | undefined;
  /** Any of these states. */
  readonly state?: string | readonly string[] | undefined;
  /** Only jobs younger than the job of this id. */
  readonly after?: number | undefined;
  /** At least so many printouts have come out. */
  readonly printouts?: number | undefined;
}

/** Why a job is not what the query asks for; empty when it is. */
export function mismatches(job: Job, query: JobQuery): string[] {
  const states = query.state === undefined ? undefined : [query.state].flat();
  const { id, after, title, printer, printouts = 0 } = query;
  const complaints: [boolean, string][] = [
    [id === undefined || job.id === id, `it is job ${job.id}, not ${id}`],
    [after === undefined || job.id > after, `it is not younger than job ${after}`],
    [fits(job.title, title), `its title is ${JSON.stringify(job.title)}, not ${String(title)}`],
    [printer === undefined || job.printer.name === printer, `it went to ${job.printer.name}, not ${printer}`],
    [!states || states.includes(job.state), `it is ${job.state}, not ${states?.join(' or ')}`],
    [job.printouts.length >= printouts, `${job.printouts.length} of ${printouts} printouts have come out`],
  ];
  return complaints.filter(([fine]) => !fine).map(([, complaint]) => complaint);
}

function fits(title: string | null, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true;
  if (title === null) return false;
  return wanted instanceof RegExp ? wanted.test(title) : title.toLowerCase().includes(wanted.toLowerCase());
}

export interface NearMiss {
  readonly job: Job;
  readonly why: readonly string[];
}

/** The jobs that come closest to the query, best first. */
export function nearMisses(jobs: readonly Job[], query: JobQuery, most: number): NearMiss[] {
  return jobs
    .map((job) => ({ job, why: mismatches(job, query) }))
    .filter(({ why }) => why.length > 0)
    .toSorted((a, b) => a.why.length - b.why.length || b.job.id - a.job.id)
    .slice(0, most);
}
