/**
 * Routes of the family "print jobs".
 */

import { REQUEST_HEADERS } from '../../specification/headers.ts';
import type { PrintJobs } from '../delivery/print-jobs.ts';
import type { Printers } from '../domain/printer.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import { conflict, forbidden } from '../gate/api-error.ts';
import { parseIdSet } from '../gate/id-set.ts';
import {
  list,
  ok,
  type Handler,
  type JsonRecord,
  type ListReply,
  type Reply,
  type RequestContext,
} from '../gate/request-context.ts';
import type { Route } from '../gate/router.ts';
import { printerFor, readPrintJobRequest } from '../requests/print-job-request.ts';
import type { ServiceState } from '../service-state.ts';
import { stateDataOf, type PrintJobRow, type PrintJobStateRow } from '../store/print-job-row.ts';
import type { JobScope } from '../store/print-job-table.ts';

const IDEMPOTENCY_KEY = REQUEST_HEADERS.idempotencyKey.name;

const COLLECTION_PATHS = [
  '/printjobs',
  '/printjobs/{print_job_set}',
  '/printers/{printer_set}/printjobs',
  '/printers/{printer_set}/printjobs/{print_job_set}',
] as const;

export function printJobRoutes(state: ServiceState): Route<Handler>[] {
  const jobs: Handler = (context) => listJobs(state, context, (rows) => renderPrintJobs(rows, state.printers));
  const cancel: Handler = (context) => cancelJobs(state, context);
  const states: Handler = (context) => listJobs(state, context, (rows) => renderHistories(rows, state.jobs));
  return [
    { method: 'POST', path: '/printjobs', handler: (context) => createJob(state, context) },
    ...COLLECTION_PATHS.map((path) => ({ method: 'GET', path, handler: jobs })),
    ...COLLECTION_PATHS.map((path) => ({ method: 'DELETE', path, handler: cancel })),
    { method: 'GET', path: '/printjobs/states', handler: states },
    { method: 'GET', path: '/printjobs/{print_job_set}/states', handler: states },
  ];
}

function createJob(state: ServiceState, context: RequestContext): Reply {
  const { account } = context;
  // Choice (gap/suspension-effect): it comes this far when its Integrator Account acts for it.
  if (account.state === 'suspended') throw forbidden('the account is suspended: it takes no print jobs');
  const request = readPrintJobRequest(context.body);
  const printer = printerFor(state.printers, account, request);
  const key = context.header(IDEMPOTENCY_KEY.toLowerCase()) ?? '';
  const job = state.database.writeHot(() => {
    const isFresh = key === '' || state.idempotencyKeys.claim(account.id, key, state.clock.now());
    return isFresh ? state.submit(account, printer, request) : undefined;
  });
  if (!job) throw conflict(`this ${IDEMPOTENCY_KEY} was already used within the last 24 hours`);
  return { status: 201, json: String(job.id) };
}

/** @param render - gives the records of the first jobs of a page: of all that fit */
function listJobs(
  state: ServiceState,
  context: RequestContext,
  render: (jobs: readonly PrintJobRow[]) => readonly JsonRecord[],
): Reply | ListReply {
  const page = state.rules.parsePage(context.query, state.choices.limitMaximum);
  const result = state.jobs.table.page(scopeOf(state, context), page);
  const records = render(result.items);
  const shown = { ...result, items: result.items.slice(0, records.length) };
  return list(records, state.rules.pageHeaders(page, shown));
}

function cancelJobs(state: ServiceState, context: RequestContext): Reply {
  const cancelled = state.database.write(() => state.jobs.cancel(scopeOf(state, context)));
  return ok(JSON.stringify(cancelled));
}

function scopeOf({ printers }: ServiceState, { account, params }: RequestContext): JobScope {
  const jobs = params['print_job_set'];
  const named = params['printer_set'];
  const isOwn = (printerId: number): boolean => printers.byId(printerId)?.accountId === account.id;
  return {
    accountId: account.id,
    jobIds: jobs === undefined ? undefined : parseIdSet(jobs, 'print_job_set'),
    printerIds: named === undefined ? undefined : parseIdSet(named, 'printer_set').filter(isOwn),
  };
}

/** The print job record (choice: gap/print-job-record), as JSON text. */
function renderPrintJobs(jobs: readonly PrintJobRow[], printers: Printers): readonly JsonRecord[] {
  return jobs.map((job) => {
    const printer = printers.byId(job.printerId);
    const rest = JSON.stringify({
      title: job.title,
      contentType: job.contentType,
      source: job.source,
      expireAt: formatTimestamp(job.expireMs),
      createTimestamp: formatTimestamp(job.createdMs),
      state: job.state,
    });
    return [`{"id":${job.id},"printer":`, printer ? printers.render(printer) : 'null', `,${rest.slice(1)}`];
  });
}

/** A page of histories ends here: what clients report of a job has no end. */
const HISTORIES_MAX_CHARACTERS = 4_000_000;

/** The states of each job, oldest first, as JSON text; at least those of the first job. */
function renderHistories(rows: readonly PrintJobRow[], jobs: PrintJobs): readonly JsonRecord[] {
  const records: JsonRecord[] = [];
  let characters = 0;
  for (const row of rows) {
    const history = renderHistory(jobs.history(row));
    characters += history.length;
    if (records.length > 0 && characters > HISTORIES_MAX_CHARACTERS) break;
    records.push([history]);
  }
  return records;
}

function renderHistory(states: readonly PrintJobStateRow[]): string {
  const bornMs = states[0]?.createdMs ?? 0;
  return JSON.stringify(
    states.map((row) => ({
      printJobId: row.jobId,
      state: row.state,
      message: row.message ?? '',
      data: stateDataOf(row),
      clientVersion: row.clientVersion,
      createTimestamp: formatTimestamp(row.createdMs),
      age: row.createdMs - bornMs,
    })),
  );
}
