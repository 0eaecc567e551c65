/**
 * Routes of the family "print jobs".
 */

import { readPrintJobRequest } from '../domain/print-job-request.ts';
import { renderPrintJob, renderStates } from '../domain/print-job.ts';
import { conflict, forbidden } from '../gate/api-error.ts';
import { parseIdSet } from '../gate/id-set.ts';
import { ok, type Handler, type RequestContext } from '../request-context.ts';
import type { Route } from '../router.ts';
import type { ServiceState } from '../service-state.ts';
import type { JobScope } from '../store/print-job-table.ts';

const COLLECTION_PATHS = [
  '/printjobs',
  '/printjobs/{print_job_set}',
  '/printers/{printer_set}/printjobs',
  '/printers/{printer_set}/printjobs/{print_job_set}',
] as const;

export function printJobRoutes(state: ServiceState): Route<Handler>[] {
  const list: Handler = (context) => listJobs(state, context);
  const cancel: Handler = (context) => cancelJobs(state, context);
  const states: Handler = (context) => listStates(state, context);
  return [
    { method: 'POST', path: '/printjobs', handler: (context) => createJob(state, context) },
    ...COLLECTION_PATHS.map((path) => ({ method: 'GET', path, handler: list })),
    ...COLLECTION_PATHS.map((path) => ({ method: 'DELETE', path, handler: cancel })),
    { method: 'GET', path: '/printjobs/states', handler: states },
    { method: 'GET', path: '/printjobs/{print_job_set}/states', handler: states },
  ];
}

function createJob(state: ServiceState, context: RequestContext): { status: number; json: string } {
  // Choice (gap/suspension-effect): it comes this far when its Integrator Account acts for it.
  if (context.account.state === 'suspended')
    throw forbidden('the account is suspended: it takes no print jobs');
  const request = readPrintJobRequest(context.body);
  const printer = state.jobs.printerFor(context.account, request);
  const idempotencyKey = context.header('x-idempotency-key') ?? '';
  const job = state.database.write(() => {
    if (
      idempotencyKey !== '' &&
      !state.idempotencyKeys.claim(context.account.id, idempotencyKey, state.clock.now())
    ) {
      throw conflict('this X-Idempotency-Key was already used within the last 24 hours');
    }
    return state.jobs.submit(context.account, printer, request);
  });
  state.expiryWatch.mind(job.expireMs);
  state.queue.pump(job.computerId);
  return { status: 201, json: String(job.id) };
}

function listJobs(state: ServiceState, context: RequestContext): ReturnType<Handler> {
  const page = state.rules.parsePage(context.query, state.choices.limitMaximum);
  const result = state.jobs.page(scopeOf(state, context), page);
  const json = `[${result.items.map((job) => renderPrintJob(job, state.printers)).join(',')}]`;
  return ok(json, state.rules.pageHeaders(page, result));
}

function listStates(state: ServiceState, context: RequestContext): ReturnType<Handler> {
  const page = state.rules.parsePage(context.query, state.choices.limitMaximum);
  const result = state.jobs.page(scopeOf(state, context), page);
  const json = `[${result.items.map((job) => renderStates(state.jobs.history(job))).join(',')}]`;
  return ok(json, state.rules.pageHeaders(page, result));
}

function cancelJobs(state: ServiceState, context: RequestContext): ReturnType<Handler> {
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
