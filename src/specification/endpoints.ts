/**
 * Endpoints: every path and method of the specification, in its order, a row each. What holds everywhere is
 * judged everywhere, and this table says where that is.
 *
 *   method  path  clause  what it returns  …in what it differs from a GET without a body
 *
 * The parts of a path say whose things an endpoint reads or changes (PATH_PARTS). Every endpoint but GET /ping
 * needs credentials, and takes a header that makes an Integrator act as a Child. `GET /printers/refresh`, which
 * the specification names without showing it, is a gap and not listed.
 */

import type { Endpoint, Family, InputField, Method, PathPart, RequestBody, Returned, Thing } from './clause.ts';
import type { ClauseId } from './clauses.ts';
import type { GapId } from './gaps.ts';
import {
  ACCOUNT_CREATION_INPUT,
  ACCOUNT_UPDATE_INPUT,
  CLIENT_KEY_PARAMETERS,
  DOWNLOAD_INPUT,
  LIST_PARAMETERS,
  OPERATING_SYSTEMS,
  PRINT_JOB_INPUT,
  TAG_NAME,
  WEBHOOK_INPUT,
} from './inputs.ts';
import { ACCOUNT_STATES } from './states.ts';

type Fields = Readonly<Record<string, InputField>>;

const setOf = (thing: Thing): Omit<PathPart, 'name'> => ({
  thing,
  isSet: true,
  value: { type: 'integer', minimum: 1, clause: 'service/set-comma-separated' },
});
const one = (thing: Thing, value: InputField): Omit<PathPart, 'name'> => ({ thing, isSet: false, value });

/** What each placeholder names. */
const PATH_PARTS = {
  computer_set: setOf('computer'),
  printer_set: setOf('printer'),
  print_job_set: setOf('print job'),
  download_id_set: setOf('download'),
  // The virtual scale is at computer 0.
  computer_id: one('computer', { type: 'integer', minimum: 0, clause: 'scales/list-any-computer' }),
  device_name: one('scale', { type: 'string', clause: 'scales/field-device-name' }),
  device_number: one('scale', { type: 'integer', minimum: 0, clause: 'scales/field-device-num' }),
  webhook_id: one('webhook', { type: 'integer', clause: 'webhooks/field-webhook-id' }),
  name: one('tag', { type: 'string', ...TAG_NAME, clause: 'accounts/tag-name-other-refused' }),
  description: one('API key', { type: 'string', clause: 'accounts/api-key-create' }),
  uuid: one('client', { type: 'string', format: 'uuid', clause: 'client-downloads/client-key' }),
  os: one('operating system', {
    type: 'string',
    values: Object.keys(OPERATING_SYSTEMS),
    clause: 'client-downloads/latest',
  }),
} as const satisfies Readonly<Record<string, Omit<PathPart, 'name'>>>;

export type PathPartName = keyof typeof PATH_PARTS;

type Particulars = Partial<Omit<Endpoint, 'method' | 'path' | 'clause' | 'parts'>> & {
  readonly gaps?: readonly GapId[];
};
type Row = readonly [Method, path: string, `${Family}/${string}` & ClauseId, Returned, ...Particulars[]];

/** The status that is printed for a request that succeeds. */
const OK = { successStatus: 200 } as const;
const LIST = { ...OK, paginated: true, query: LIST_PARAMETERS } as const;
const OF_CHILD = { account: 'child' } as const;
const CREATES = { effect: 'creates' } as const;
const CHANGES = { effect: 'changes' } as const;
const DELETES = { effect: 'deletes' } as const;
const NOT_SHOWN = { body: { kind: 'not shown' } } as const;
const STATES = { gaps: ['gap/print-job-states-shape', 'gap/print-job-states-paging'] } as const;
const TAG = { gaps: ['gap/tag-response'] } as const;
const API_KEY = { gaps: ['gap/api-key-response', 'gap/api-key-record'] } as const;

const leavesOpen = (...gaps: GapId[]): Particulars => ({ gaps });
const takes = (fields: Fields): Particulars => ({ body: { kind: 'fields', fields, areOptional: false } });
const takesSomeOf = (fields: Fields): Particulars => ({ body: { kind: 'fields', fields, areOptional: true } });
const takesOneOf = (values: object): Particulars => ({ body: { kind: 'string', values: Object.keys(values) } });

const ROWS: readonly Row[] = [
  ['GET', '/whoami', 'accounts/whoami', 'account'],
  [
    'POST',
    '/account',
    'accounts/create',
    'not shown',
    CREATES,
    takes(ACCOUNT_CREATION_INPUT),
    { account: 'integrator', gaps: ['gap/create-account-response'] },
  ],
  ['PATCH', '/account', 'accounts/update', 'account', CHANGES, takesSomeOf(ACCOUNT_UPDATE_INPUT), OF_CHILD],
  ['DELETE', '/account', 'accounts/delete', 'not shown', DELETES, OF_CHILD, leavesOpen('gap/delete-account-response')],
  ['GET', '/account/state', 'accounts/state-read', 'account state', OF_CHILD],
  [
    'PUT',
    '/account/state',
    'accounts/state-suspend',
    'not shown',
    CHANGES,
    takesOneOf(ACCOUNT_STATES),
    OF_CHILD,
    leavesOpen('gap/account-state-response'),
  ],
  ['GET', '/account/tag/{name}', 'accounts/tag-read', 'not shown', TAG],
  [
    'POST',
    '/account/tag/{name}',
    'accounts/tag-create',
    'not shown',
    CREATES,
    NOT_SHOWN,
    leavesOpen('gap/tag-request', 'gap/tag-response'),
  ],
  ['DELETE', '/account/tag/{name}', 'accounts/tag-delete', 'not shown', DELETES, TAG],
  ['GET', '/account/apikey/{description}', 'accounts/api-key-read', 'not shown', API_KEY],
  [
    'POST',
    '/account/apikey/{description}',
    'accounts/api-key-create',
    'not shown',
    CREATES,
    NOT_SHOWN,
    leavesOpen('gap/api-key-request', ...API_KEY.gaps),
  ],
  ['DELETE', '/account/apikey/{description}', 'accounts/api-key-delete', 'not shown', DELETES, API_KEY],
  ['GET', '/account/controllable', 'accounts/controllable', 'not shown', leavesOpen('gap/controllable-shape')],
  ['GET', '/computers', 'computers/list', 'computers', LIST],
  ['GET', '/computers/{computer_set}', 'computers/list-set', 'computers', LIST],
  ['DELETE', '/computers', 'computers/delete-all', 'ids', DELETES, OK],
  ['DELETE', '/computers/{computer_set}', 'computers/delete-set', 'ids', DELETES, OK],
  ['GET', '/printers', 'printers/list', 'printers', LIST],
  ['GET', '/printers/{printer_set}', 'printers/list-set', 'printers', LIST],
  ['GET', '/computers/{computer_set}/printers', 'printers/list-of-computers', 'printers', LIST],
  ['GET', '/computers/{computer_set}/printers/{printer_set}', 'printers/list-set-of-computers', 'printers', LIST],
  ['POST', '/printjobs', 'print-jobs/created-201', 'id', CREATES, takes(PRINT_JOB_INPUT), { successStatus: 201 }],
  ['GET', '/printjobs', 'print-jobs/list', 'print jobs', LIST],
  ['GET', '/printjobs/{print_job_set}', 'print-jobs/list-set', 'print jobs', LIST],
  ['GET', '/printers/{printer_set}/printjobs', 'print-jobs/list-of-printers', 'print jobs', LIST],
  ['GET', '/printers/{printer_set}/printjobs/{print_job_set}', 'print-jobs/list-set-of-printers', 'print jobs', LIST],
  ['DELETE', '/printjobs', 'print-jobs/delete-all', 'ids', DELETES, OK],
  ['DELETE', '/printjobs/{print_job_set}', 'print-jobs/delete-set', 'ids', DELETES, OK],
  ['DELETE', '/printers/{printer_set}/printjobs', 'print-jobs/delete-of-printers', 'ids', DELETES, OK],
  [
    'DELETE',
    '/printers/{printer_set}/printjobs/{print_job_set}',
    'print-jobs/delete-set-of-printers',
    'ids',
    DELETES,
    OK,
  ],
  ['GET', '/printjobs/states', 'print-jobs/states-all', 'states', OK, STATES],
  ['GET', '/printjobs/{print_job_set}/states', 'print-jobs/states-set', 'states', OK, STATES],
  ['GET', '/computer/{computer_id}/scales', 'scales/list', 'readings', OK],
  ['GET', '/computer/{computer_id}/scales/{device_name}', 'scales/list-by-name', 'readings', OK],
  ['GET', '/computer/{computer_id}/scale/{device_name}/{device_number}', 'scales/read-one', 'reading', OK],
  [
    'PUT',
    '/scale',
    'scales/simulate',
    'not shown',
    CREATES,
    NOT_SHOWN,
    leavesOpen('gap/simulate-scale-request', 'gap/simulate-scale-response'),
  ],
  ['GET', '/webhooks', 'webhooks/list', 'webhooks'],
  ['POST', '/webhook', 'webhooks/create', 'webhooks', CREATES, takes(WEBHOOK_INPUT)],
  ['PATCH', '/webhook/{webhook_id}', 'webhooks/update', 'webhooks', CHANGES, takesSomeOf(WEBHOOK_INPUT)],
  ['DELETE', '/webhook/{webhook_id}', 'webhooks/delete', 'webhooks', DELETES],
  [
    'GET',
    '/client/key/{uuid}',
    'client-downloads/client-key',
    'client key',
    { query: CLIENT_KEY_PARAMETERS, gaps: ['gap/client-key-response'] },
  ],
  [
    'GET',
    '/download/client/{os}',
    'client-downloads/latest-short-path',
    'download',
    leavesOpen('gap/client-download-short-path'),
  ],
  ['GET', '/download/clients/{os}', 'client-downloads/latest', 'download'],
  ['GET', '/download/clients', 'client-downloads/list', 'downloads'],
  ['GET', '/download/clients/{download_id_set}', 'client-downloads/list-set', 'downloads'],
  [
    'PATCH',
    '/download/clients/{download_id_set}',
    'client-downloads/update',
    'downloads',
    CHANGES,
    takes(DOWNLOAD_INPUT),
    leavesOpen('gap/client-download-update-response'),
  ],
  ['GET', '/ping', 'misc/ping', 'not shown', { ...OK, authenticated: false, gaps: ['gap/ping-body'] }],
  ['GET', '/noop', 'misc/noop', 'Request-Id', OK],
];

const NO_BODY: RequestBody = { kind: 'none' };

export const ENDPOINTS: readonly Endpoint[] = ROWS.map(([method, path, clause, returns, ...particulars]) => {
  const parts = partsOf(path);
  const row: Endpoint = {
    method,
    path,
    family: clause.slice(0, clause.indexOf('/')) as Family,
    authenticated: true,
    parts,
    paginated: false,
    query: {},
    body: NO_BODY,
    effect: 'none',
    isUnrestricted: method === 'DELETE' && parts.length === 0,
    account: 'caller',
    returns,
    successStatus: null,
    gaps: [],
    clause,
  };
  return Object.assign(row, ...particulars) as Endpoint;
});

function partsOf(path: string): readonly PathPart[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const known = name as PathPartName;
    return { name: known, ...PATH_PARTS[known] };
  });
}
