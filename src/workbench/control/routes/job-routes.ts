/**
 * Routes of print jobs: the list and its search, one job, what came out, what went in.
 */

import { z } from 'zod';

import { passing } from '../../../common/duration-schema.ts';
import * as schema from '../../../record/control-jobs.ts';
import type { PrintJobRow } from '../../../service/store/print-job-row.ts';
import { isAddress } from '../../logs/kept-documents.ts';
import { whyNotDrawn } from '../../views/printed-document.ts';
import { TitlePattern } from '../../views/title-pattern.ts';
import type { Workbench } from '../../workbench.ts';
import { notFound } from '../../../service/gate/api-error.ts';
import { bytes, json, type ControlReply } from '../control-reply.ts';
import { account, idIn, route, text, wholeNumber, type ControlRoute } from '../control-route.ts';
import { printedRoutes, width } from './printed-routes.ts';

const DEFAULT_LIMIT = 100;
const MOST_LISTED = 1_000;

export const JOB_ROUTES: readonly ControlRoute[] = [
  route('GET /jobs', {
    summary: 'print jobs, newest first; `q` searches: `invoice printer:Laser state:done text:42`',
    answer: schema.jobList,
    query: z.object({
      before: wholeNumber('only jobs older than the job of this id'),
      limit: wholeNumber('how many; 100 unless given'),
      q: text('words of the title, and printer:, computer:, state:, source:, title:, text:'),
      account,
    }),
    handler: async ({ query }, { jobs }) => {
      const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MOST_LISTED);
      const { before, q, account: accountId } = query;
      return json(await jobs.list({ before, limit, search: q, accountId }));
    },
  }),
  route('GET /jobs/wait', {
    summary: 'the newest job that matches, as soon as there is one; 408 with the closest jobs and why they do not',
    answer: schema.jobDetail,
    query: z.object({
      id: wholeNumber('the job of this id'),
      title: text('a part of the title'),
      pattern: text('a regular expression of RE2 that fits the title: without lookaround and backreferences'),
      flags: text('flags of the regular expression'),
      printer: text('name of the printer'),
      state: text('any of these states, with commas between'),
      after: wholeNumber('only jobs younger than the job of this id'),
      printouts: wholeNumber('at least this many printouts are complete'),
      timeout: passing
        .optional()
        .meta({ description: 'how long to wait, on the clock of the workbench; 5s unless given' }),
      account,
    }),
    handler: async ({ query, signal }, { jobs }) => {
      const { title, pattern, flags, state, timeout, account: accountId, ...rest } = query;
      const named = pattern === undefined ? title : new TitlePattern(pattern, flags ?? '');
      const wanted = { ...rest, title: named, state: state?.split(',') };
      return json(await jobs.wait(wanted, { accountId, signal, timeout }));
    },
  }),
  route('GET /jobs/{id}', {
    summary: 'a job: options asked and applied, timeline, printouts, the request as curl, a test for it',
    answer: schema.jobDetail,
    handler: ({ params }, { jobs }) => {
      const id = idIn(params, 'job');
      const job = jobs.get(id);
      return job ? json(job) : noJob(id);
    },
  }),
  route('DELETE /jobs/{id}', {
    summary: 'hides a job, and cancels it if it was not delivered yet; the service keeps its record',
    answer: schema.deletedJobs,
    handler: ({ params }, { jobs, feed }) => {
      const id = idIn(params, 'job');
      if (!jobs.delete(id)) noJob(id);
      feed.announceAll('reset', {});
      return json({ ids: [id] });
    },
  }),
  route('DELETE /jobs', {
    summary: 'the same for the newest jobs that a search finds, at most 1000; for all without one',
    answer: schema.deletedJobs,
    query: z.object({ q: text('as in GET /jobs'), account }),
    handler: async ({ query: { q, account: accountId } }, { jobs, feed }) => {
      const found = await jobs.list({ limit: MOST_LISTED, search: q, accountId });
      const ids = found.jobs.map(({ id }) => id).filter((id) => jobs.delete(id));
      feed.announceAll('reset', {});
      return json({ ids });
    },
  }),
  route('GET /jobs/{id}/document', {
    summary: 'the document that was submitted',
    answer: 'application/octet-stream',
    handler: ({ params }, workbench) => documentOf(rowOf(params, workbench), workbench),
  }),
  route('POST /jobs/{id}/print-again', {
    summary: 'submits it once more, as a new job',
    answer: schema.newJob,
    status: 201,
    handler: ({ params }, workbench) => {
      const row = rowOf(params, workbench);
      const content = workbench.documents.content(row.id) ?? noDocument(row.id);
      return json({ id: workbench.service.submitAgain(row, content) }, 201);
    },
  }),
  ...printedRoutes<object>('/jobs/{id}', z.object({}), z.object({ width }), (params, _, { jobs }) => {
    const id = idIn(params, 'job');
    const printouts = jobs.printouts(id);
    return { printouts, missing: (what) => nothingPrinted(what, id, whyNotDrawn(printouts)) };
  }),
];

function rowOf(params: Readonly<Record<string, string>>, { service }: Workbench): PrintJobRow {
  const id = idIn(params, 'job');
  return service.job(id) ?? noJob(id);
}

function documentOf(row: PrintJobRow, { documents }: Workbench): ControlReply {
  const content = documents.content(row.id) ?? noDocument(row.id);
  if (isAddress(row)) {
    throw notFound(`of job ${row.id} only the address was submitted: its document is not stored here`);
  }
  const isPdf = row.contentType.startsWith('pdf_');
  return bytes(isPdf ? 'application/pdf' : 'application/octet-stream', Buffer.from(content, 'base64'));
}

function noJob(id: number): never {
  throw notFound(`there is no job ${id}`);
}

function noDocument(id: number): never {
  throw notFound(`the document of job ${id} is no longer kept`);
}

function nothingPrinted(what: string, id: number, notDrawn: string | null): never {
  const why = notDrawn === null ? '' : `; not drawn: ${notDrawn}`;
  throw notFound(`${what} of job ${id} has come out of a printer${why}`);
}
