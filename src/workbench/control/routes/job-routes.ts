/**
 * Routes of print jobs: the list and its search, one job, what came out, what went in.
 */

import { z } from 'zod';

import { parseDuration } from '../../../common/duration.ts';
import * as schema from '../../../record/control-schemas.ts';
import type { PrintJobRow } from '../../../service/store/print-job-table.ts';
import { JobWaitExpired } from '../../views/job-query.ts';
import { isAddress } from '../../logs/kept-documents.ts';
import { rawBytes, sheetsPdf, sidePng, sidesText, whyNotDrawn } from '../../views/printed-document.ts';
import type { Workbench } from '../../workbench.ts';
import { ControlError } from '../../control-error.ts';
import { bytes, json, type ControlReply } from '../control-reply.ts';
import { account, idIn, route, sideIn, wholeNumber, type ControlRoute } from '../control-route.ts';

const DEFAULT_LIMIT = 100;
const MOST_LISTED = 1_000;
const LONGEST_PATTERN = 1_000;

const text = (description: string): z.ZodType<string | undefined, string | undefined> =>
  z.string().optional().meta({ description });

const waitQuery = z.object({
  id: wholeNumber('the job of this id'),
  title: text('a part of the title'),
  pattern: text('a regular expression that fits the title'),
  flags: text('flags of the regular expression'),
  printer: text('name of the printer'),
  state: text('any of these states, with commas between'),
  after: wholeNumber('only jobs younger than the job of this id'),
  printouts: wholeNumber('at least this many printouts are complete'),
  timeout: z
    .string()
    .refine((value) => parseDuration(value) !== undefined, 'is not a duration such as 5s')
    .optional()
    .meta({ description: 'how long to wait, on the clock of the workbench; 5s unless given' }),
  account,
});

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
    summary: 'the newest job that fits, as soon as there is one; 408 with the closest jobs and why',
    answer: schema.jobDetail,
    query: waitQuery,
    handler: ({ query, signal }, workbench) => waitForJob(query, signal, workbench),
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
  route('GET /jobs/{id}/document', {
    summary: 'the document that was submitted',
    answer: 'application/octet-stream',
    handler: ({ params }, workbench) => documentOf(rowOf(params, workbench), workbench),
  }),
  route('GET /jobs/{id}/sheets.pdf', {
    summary: 'its sheets, or its labels where they are drawn, a page for each side',
    answer: 'application/pdf',
    handler: async ({ params }, { jobs }) => {
      const id = idIn(params, 'job');
      const printouts = jobs.printouts(id);
      const pdf = await sheetsPdf(printouts);
      return pdf ? bytes('application/pdf', pdf) : nothingPrinted('no sheet', id, whyNotDrawn(printouts));
    },
  }),
  route('GET /jobs/{id}/sheets/{file}', {
    summary: 'a side as a picture: `sheets/1.png`, about `width` pixels wide',
    answer: 'image/png',
    query: z.object({ width: wholeNumber('pixels; as on a screen unless given') }),
    handler: async ({ params, query }, { jobs }) => {
      const id = idIn(params, 'job');
      const side = sideIn(params['file'] ?? '');
      const printouts = jobs.printouts(id);
      const png = await sidePng(printouts, side, query.width);
      return png ? bytes('image/png', png) : nothingPrinted(`no side ${side}`, id, whyNotDrawn(printouts));
    },
  }),
  route('GET /jobs/{id}/text', {
    summary: 'the text on each side; of labels the data of their fields',
    answer: schema.jobText,
    handler: async ({ params }, { jobs }) => {
      const id = idIn(params, 'job');
      return json({ sides: await sidesText(jobs.printouts(id)) });
    },
  }),
  route('GET /jobs/{id}/raw', {
    summary: 'what a printer got in its own language',
    answer: 'application/octet-stream',
    handler: ({ params }, { jobs }) => {
      const id = idIn(params, 'job');
      const raw = rawBytes(jobs.printouts(id));
      return raw ? bytes('application/octet-stream', raw) : nothingPrinted('no raw printout', id);
    },
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
];

async function waitForJob(
  query: z.output<typeof waitQuery>,
  signal: AbortSignal | undefined,
  { jobs }: Workbench,
): Promise<ControlReply> {
  const { title, pattern, flags, state, timeout, account: accountId, ...rest } = query;
  const wanted = {
    ...rest,
    title: pattern === undefined ? title : patternOf(pattern, flags),
    state: state?.split(','),
  };
  try {
    const options = timeout === undefined ? { accountId, signal } : { accountId, signal, timeout };
    return json(await jobs.wait(wanted, options));
  } catch (error) {
    if (!(error instanceof JobWaitExpired)) throw error;
    throw new ControlError(408, 'WaitExpired', error.message, { closest: error.closest });
  }
}

function patternOf(pattern: string, flags = ''): RegExp {
  if (pattern.length > LONGEST_PATTERN) throw new ControlError(400, 'BadRequest', 'pattern: is too long');
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new ControlError(400, 'BadRequest', `pattern: ${(error as Error).message}`);
  }
}

function rowOf(params: Readonly<Record<string, string>>, { jobs }: Workbench): PrintJobRow {
  const id = idIn(params, 'job');
  return jobs.row(id) ?? noJob(id);
}

function documentOf(row: PrintJobRow, { documents }: Workbench): ControlReply {
  const content = documents.content(row.id) ?? noDocument(row.id);
  if (isAddress(row)) {
    const message = `of job ${row.id} only the address was submitted: its document never came here`;
    throw new ControlError(404, 'NotFound', message);
  }
  const isPdf = row.contentType.startsWith('pdf_');
  return bytes(isPdf ? 'application/pdf' : 'application/octet-stream', Buffer.from(content, 'base64'));
}

function noJob(id: number): never {
  throw new ControlError(404, 'NotFound', `there is no job ${id}`);
}

function noDocument(id: number): never {
  throw new ControlError(404, 'NotFound', `the document of job ${id} is no longer kept`);
}

function nothingPrinted(what: string, id: number, notDrawn: string | null = null): never {
  const why = notDrawn === null ? '' : `; its labels are not drawn: ${notDrawn}`;
  throw new ControlError(404, 'NotFound', `${what} of job ${id} has come out of a printer${why}`);
}
