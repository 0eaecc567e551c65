/**
 * Profiles: how much of the suite is wanted.
 *
 *   full    everything there is
 *   smoke   a look into every corner in ten seconds on a real clock: nothing that waits or needs many requests
 */

/** Ids of the checks of `smoke`. About 100 requests, what one polite caller may send in ten seconds. */
export const SMOKE_CHECKS: ReadonlySet<string> = new Set([
  'misc/ping',
  'misc/noop',
  'misc/noop-refusals',
  'authentication/basic-key',
  'authentication/missing',
  'errors/invalid-content',
  'errors/body-too-large',
  'service/unknown',
  'service/request-headers',
  'every-record/accounts',
  'sets/simple',
  'webhooks/object',
  'computers/object',
  'printers/object',
  'print-jobs/created',
  'print-jobs/missing-fields',
  'states/new',
  'states/done',
  'idempotency/conflict-makes-no-job',
  'printing/documents',
  'every-response/content-type',
  'every-response/request-id',
  'every-response/error-object',
]);
