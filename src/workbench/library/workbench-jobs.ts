/**
 * Workbench jobs: the print jobs of a workbench for programs: to look at, to wait for, to look into.
 */

import { passingMs, type Duration } from '../../common/duration.ts';
import { givenObject } from '../../common/given-object.ts';
import { ensureKnown } from '../../common/nearest-name.ts';
import { JOB_STATES } from '../../devices/known-states.ts';
import type { JobDetail, JobList, JobSummary, SheetView } from '../../record/control-types.ts';
import { paperToCome } from '../../record/paper-words.ts';
import type { ControlClient, QueryValues } from '../control/control-client.ts';
import type { JobQuery } from '../views/job-query.ts';
import { Printed } from './printed.ts';

/** A state that the service, or platen's computers, give a job. */
export type JobState = (typeof JOB_STATES)[number];

/** Which job is waited for; fields that are not given do not matter. */
export interface JobWait extends Omit<JobQuery, 'state' | 'title'> {
  /** A part of the title in any case, or a pattern: matched by RE2, without lookaround and backreferences. */
  readonly title?: string | RegExp | undefined;
  /** Any of these states. */
  readonly state?: JobState | readonly JobState[] | undefined;
}

export class WorkbenchJobs {
  readonly #control: ControlClient;

  constructor(control: ControlClient) {
    this.#control = control;
  }

  /**
   * The newest jobs, newest first.
   *
   * @param search - in the language of the search field: `invoice printer:Laser state:done`
   * @param limit - 100 unless given, at most 1,000
   */
  async list(search?: string, limit?: number): Promise<readonly JobSummary[]> {
    return (await this.#control.get<JobList>('/jobs', { q: search, limit })).jobs;
  }

  /** @throws ActionableError when there is no such job */
  async get(id: number): Promise<Job> {
    const { unscoped } = this.#control;
    return new Job(await unscoped.get<JobDetail>(`/jobs/${id}`), unscoped);
  }

  /**
   * The newest job that fits the query, as soon as there is one. Time passes on the clock of the workbench: a
   * virtual clock is advanced.
   *
   * @param timeout - 5 s unless given
   * @throws RangeError when there is no such state
   * @throws JobWaitExpired at the limit, with the jobs that came closest and why they were not it
   */
  async wait(query: JobWait = {}, options: { readonly timeout?: Duration | undefined } = {}): Promise<Job> {
    givenObject('the query of jobs.wait', "{ state: 'done' }", query);
    const { timeout } = givenObject('the second argument of jobs.wait', "{ timeout: '10s' }", options);
    const limit = timeout === undefined ? undefined : `${passingMs(timeout)}ms`;
    const found = await this.#control.get<JobDetail>('/jobs/wait', { ...waitQuery(query), timeout: limit });
    return new Job(found, this.#control.unscoped);
  }
}

function waitQuery({ title, state, ...rest }: JobWait): QueryValues {
  const states = state === undefined ? [] : [state].flat();
  // The service would wait for one that never comes.
  for (const one of states) ensureJobState(one);
  return { ...rest, ...titleQuery(title), state: state === undefined ? undefined : states.join(',') };
}

export function titleQuery(title: JobWait['title']): QueryValues {
  return title instanceof RegExp ? { pattern: title.source, flags: title.flags.replace(/[gy]/g, '') } : { title };
}

/** @throws RangeError when there is no such state */
export function ensureJobState(state: string): void {
  ensureKnown('state', state, JOB_STATES);
}

/** A print job, as it was when it was asked for. */
export class Job extends Printed {
  readonly id: number;
  readonly title: string | null;
  readonly source: string | null;
  /** A JobState, unless its computer has a client that reports others. */
  readonly state: string;
  readonly contentType: string;
  readonly qty: number;
  readonly printer: JobDetail['printer'];
  readonly computer: JobDetail['computer'];
  readonly createdMs: number;
  readonly expireAtMs: number;
  /** Options asked for, applied, and ignored with the reason. */
  readonly options: JobDetail['options'];
  /** What happened to it, oldest first: states, paper, webhooks, the connection of its computer. */
  readonly timeline: JobDetail['timeline'];
  readonly printouts: JobDetail['printouts'];
  /** The sheets of paper that came out, over all printouts. */
  readonly sheets: readonly SheetView[];
  /** How many sides have a picture. */
  readonly sides: number;
  /** Sheets that will have come out when all of it is printed. */
  readonly sheetsDue: number;
  /** Why sheets that are due do not come: `Laser has media-jam`. */
  readonly held: string | null;
  /** What is not printed yet: `1 of 3 sheets out: Laser has media-jam`; undefined when everything is out. */
  readonly paperToCome: string | undefined;
  readonly #control: ControlClient;

  constructor(detail: JobDetail, control: ControlClient) {
    super({ control, path: `/jobs/${detail.id}`, called: `job ${detail.id}` });
    this.id = detail.id;
    this.title = detail.title;
    this.source = detail.source;
    this.state = detail.state;
    this.contentType = detail.contentType;
    this.qty = detail.qty;
    this.printer = detail.printer;
    this.computer = detail.computer;
    this.createdMs = detail.createdMs;
    this.expireAtMs = detail.expireAtMs;
    this.options = detail.options;
    this.timeline = detail.timeline;
    this.printouts = detail.printouts;
    this.sheets = detail.printouts.flatMap(({ sheetList }) => sheetList);
    this.sides = detail.sides;
    this.sheetsDue = detail.sheetsDue;
    this.held = detail.held;
    this.paperToCome = paperToCome(detail);
    this.#control = control;
  }

  /** The document that was submitted. */
  document(): Promise<Uint8Array> {
    return this.#control.bytes(`/jobs/${this.id}/document`);
  }

  /** Submits it once more. @returns the id of the new job */
  async printAgain(): Promise<number> {
    return (await this.#control.post<{ readonly id: number }>(`/jobs/${this.id}/print-again`)).id;
  }
}
