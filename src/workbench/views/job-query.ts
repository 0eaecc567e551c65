/**
 * Job query: which job is waited for, and why a given job is not the one.
 */

import type { SlicedWork } from '../../common/sliced-work.ts';
import type { JobSummary } from '../../record/control-types.ts';
import type { TitlePattern } from './title-pattern.ts';

export interface JobQuery {
  readonly id?: number | undefined;
  /** A part of the title in any case, or a pattern. */
  readonly title?: string | TitlePattern | undefined;
  readonly printer?: string | undefined;
  /** Any of these states. */
  readonly state?: string | readonly string[] | undefined;
  /** Only jobs younger than the job of this id. */
  readonly after?: number | undefined;
  /** At least this many printouts have come out, each complete. */
  readonly printouts?: number | undefined;
}

/** A job with the number of its complete printouts. */
export interface Candidate {
  readonly job: JobSummary;
  readonly printouts: number;
}

/** Why a job is not what the query asks for; empty when it is. */
export function mismatches({ job, printouts: out }: Candidate, query: JobQuery): string[] {
  const states = query.state === undefined ? undefined : [query.state].flat();
  const { id, after, title, printer, printouts = 0 } = query;
  const complaints: [boolean, string][] = [
    [id === undefined || job.id === id, `it is job ${job.id}, not ${id}`],
    [after === undefined || job.id > after, `it is not younger than job ${after}`],
    [fitsTitle(job.title, title), `its title is ${JSON.stringify(job.title)}, not ${String(title)}`],
    [printer === undefined || job.printer.name === printer, `it went to ${job.printer.name}, not ${printer}`],
    [!states || states.includes(job.state), `it is ${job.state}, not ${states?.join(' or ')}`],
    [out >= printouts, `${out} of ${printouts} printouts have come out${job.held === null ? '' : `: ${job.held}`}`],
  ];
  return complaints.filter(([fine]) => !fine).map(([, complaint]) => complaint);
}

/** The first candidate that is what the query asks for. */
export function* firstMatch(candidates: readonly Candidate[], query: JobQuery): SlicedWork<Candidate | undefined> {
  for (const candidate of candidates) {
    if (mismatches(candidate, query).length === 0) return candidate;
    yield;
  }
  return undefined;
}

/** A part of the title in any case, or a pattern; without one all are fine. */
export function fitsTitle(title: string | null, wanted: string | TitlePattern | undefined): boolean {
  if (wanted === undefined) return true;
  if (title === null) return false;
  if (typeof wanted !== 'string') return wanted.test(title);
  return title.toLowerCase().includes(wanted.toLowerCase());
}

export interface NearMiss {
  readonly job: JobSummary;
  readonly why: readonly string[];
}

/** No job was what the wait asked for. */
export class JobWaitExpired extends Error {
  override readonly name = 'JobWaitExpired';
  /** The jobs that came closest, and why they were not it. */
  readonly closest: readonly NearMiss[];

  constructor(message: string, closest: readonly NearMiss[]) {
    super(message);
    this.closest = closest;
  }
}

/** The jobs that come closest to the query, best first. */
export function nearMisses(candidates: readonly Candidate[], query: JobQuery, most: number): NearMiss[] {
  return candidates
    .map((candidate) => ({ job: candidate.job, why: mismatches(candidate, query) }))
    .filter(({ why }) => why.length > 0)
    .toSorted((a, b) => a.why.length - b.why.length || b.job.id - a.job.id)
    .slice(0, most);
}
