/**
 * Endpoints: every path and method of the specification, in its order, a row each: method, path, clause,
 * and what differs from the common case. `GET /printers/refresh`, which the specification names without
 * showing it, is a gap and not listed.
 */

import type { Endpoint, Family, Method } from './clause.ts';
import type { ClauseId } from './clauses.ts';

type Row = readonly [Method, path: string, clause: `${Family}/${string}` & ClauseId, Partial<Endpoint>?];

/** The status that is printed for a request that succeeds. */
const OK = { successStatus: 200 } as const;
const LIST = { ...OK, paginated: true } as const;

const ROWS: readonly Row[] = [
  ['GET', '/whoami', 'accounts/whoami'],
  ['POST', '/account', 'accounts/create'],
  ['PATCH', '/account', 'accounts/update'],
  ['DELETE', '/account', 'accounts/delete'],
  ['GET', '/account/state', 'accounts/state-read'],
  ['PUT', '/account/state', 'accounts/state-suspend'],
  ['GET', '/account/tag/{name}', 'accounts/tag-read'],
  ['POST', '/account/tag/{name}', 'accounts/tag-create'],
  ['DELETE', '/account/tag/{name}', 'accounts/tag-delete'],
  ['GET', '/account/apikey/{description}', 'accounts/api-key-read'],
  ['POST', '/account/apikey/{description}', 'accounts/api-key-create'],
  ['DELETE', '/account/apikey/{description}', 'accounts/api-key-delete'],
  ['GET', '/account/controllable', 'accounts/controllable'],
  ['GET', '/computers', 'computers/list', LIST],
  ['GET', '/computers/{computer_set}', 'computers/list-set', LIST],
  ['DELETE', '/computers', 'computers/delete-all', OK],
  ['DELETE', '/computers/{computer_set}', 'computers/delete-set', OK],
  ['GET', '/printers', 'printers/list', LIST],
  ['GET', '/printers/{printer_set}', 'printers/list-set', LIST],
  ['GET', '/computers/{computer_set}/printers', 'printers/list-of-computers', LIST],
  ['GET', '/computers/{computer_set}/printers/{printer_set}', 'printers/list-set-of-computers', LIST],
  ['POST', '/printjobs', 'print-jobs/created-201', { successStatus: 201 }],
  ['GET', '/printjobs', 'print-jobs/list', LIST],
  ['GET', '/printjobs/{print_job_set}', 'print-jobs/list-set', LIST],
  ['GET', '/printers/{printer_set}/printjobs', 'print-jobs/list-of-printers', LIST],
  ['GET', '/printers/{printer_set}/printjobs/{print_job_set}', 'print-jobs/list-set-of-printers', LIST],
  ['DELETE', '/printjobs', 'print-jobs/delete-all', OK],
  ['DELETE', '/printjobs/{print_job_set}', 'print-jobs/delete-set', OK],
  ['DELETE', '/printers/{printer_set}/printjobs', 'print-jobs/delete-of-printers', OK],
  ['DELETE', '/printers/{printer_set}/printjobs/{print_job_set}', 'print-jobs/delete-set-of-printers', OK],
  ['GET', '/printjobs/states', 'print-jobs/states-all', OK],
  ['GET', '/printjobs/{print_job_set}/states', 'print-jobs/states-set', OK],
  ['GET', '/computer/{computer_id}/scales', 'scales/list', OK],
  ['GET', '/computer/{computer_id}/scales/{device_name}', 'scales/list-by-name', OK],
  ['GET', '/computer/{computer_id}/scale/{device_name}/{device_number}', 'scales/read-one', OK],
  ['PUT', '/scale', 'scales/simulate'],
  ['GET', '/webhooks', 'webhooks/list'],
  ['POST', '/webhook', 'webhooks/create'],
  ['PATCH', '/webhook/{webhook_id}', 'webhooks/update'],
  ['DELETE', '/webhook/{webhook_id}', 'webhooks/delete'],
  ['GET', '/client/key/{uuid}', 'client-downloads/client-key'],
  ['GET', '/download/client/{os}', 'client-downloads/latest-short-path'],
  ['GET', '/download/clients/{os}', 'client-downloads/latest'],
  ['GET', '/download/clients', 'client-downloads/list'],
  ['GET', '/download/clients/{download_id_set}', 'client-downloads/list-set'],
  ['PATCH', '/download/clients/{download_id_set}', 'client-downloads/update'],
  ['GET', '/ping', 'misc/ping', { ...OK, authenticated: false }],
  ['GET', '/noop', 'misc/noop', OK],
];

export const ENDPOINTS: readonly Endpoint[] = ROWS.map(([method, path, clause, particulars]) => ({
  method,
  path,
  family: clause.slice(0, clause.indexOf('/')) as Family,
  authenticated: true,
  paginated: false,
  successStatus: null,
  clause,
  ...particulars,
}));
