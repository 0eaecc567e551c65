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

import type { Endpoint, Family, InputField, Method, PathPart, RequestBody, Returned } from './clause.ts';
import type { ClauseId } from './clauses.ts';
import {
  ACCOUNT_CREATION_INPUT,
  ACCOUNT_UPDATE_INPUT,
  CLIENT_KEY_PARAMETERS,
  DOWNLOAD_INPUT,
  LIST_PARAMETERS,
  PRINT_JOB_INPUT,
  WEBHOOK_INPUT,
} from './inputs.ts';
import { ACCOUNT_STATES } from './states.ts';

type Fields = Readonly<Record<string, InputField>>;

/** What each placeholder names. */
const PATH_PARTS = {
  computer_set: { thing: 'computer', isSet: true },
  printer_set: { thing: 'printer', isSet: true },
  print_job_set: { thing: 'print job', isSet: true },
  download_id_set: { thing: 'download', isSet: true },
  computer_id: { thing: 'computer', isSet: false },
  device_name: { thing: 'scale', isSet: false },
  device_number: { thing: 'scale', isSet: false },
  webhook_id: { thing: 'webhook', isSet: false },
  name: { thing: 'tag', isSet: false },
  description: { thing: 'API key', isSet: false },
  uuid: { thing: 'client', isSet: false },
  os: { thing: 'operating system', isSet: false },
} as const satisfies Readonly<Record<string, Omit<PathPart, 'name'>>>;

export type PathPartName = keyof typeof PATH_PARTS;

type Particulars = Partial<Omit<Endpoint, 'method' | 'path' | 'clause' | 'parts'>>;
type Row = readonly [Method, path: string, `${Family}/${string}` & ClauseId, Returned, ...Particulars[]];

/** The status that is printed for a request that succeeds. */
const OK = { successStatus: 200 } as const;
const LIST = { ...OK, paginated: true, query: LIST_PARAMETERS } as const;
const OF_CHILD = { account: 'child' } as const;
const CREATES = { effect: 'creates' } as const;
const CHANGES = { effect: 'changes' } as const;
const DELETES = { effect: 'deletes' } as const;
const NOT_SHOWN = { body: { kind: 'not shown' } } as const;

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
    { account: 'integrator' },
  ],
  ['PATCH', '/account', 'accounts/update', 'account', CHANGES, takesSomeOf(ACCOUNT_UPDATE_INPUT), OF_CHILD],
  ['DELETE', '/account', 'accounts/delete', 'not shown', DELETES, OF_CHILD],
  ['GET', '/account/state', 'accounts/state-read', 'account state', OF_CHILD],
  ['PUT', '/account/state', 'accounts/state-suspend', 'not shown', CHANGES, takesOneOf(ACCOUNT_STATES), OF_CHILD],
  ['GET', '/account/tag/{name}', 'accounts/tag-read', 'not shown'],
  ['POST', '/account/tag/{name}', 'accounts/tag-create', 'not shown', CREATES, NOT_SHOWN],
  ['DELETE', '/account/tag/{name}', 'accounts/tag-delete', 'not shown', DELETES],
  ['GET', '/account/apikey/{description}', 'accounts/api-key-read', 'not shown'],
  ['POST', '/account/apikey/{description}', 'accounts/api-key-create', 'not shown', CREATES, NOT_SHOWN],
  ['DELETE', '/account/apikey/{description}', 'accounts/api-key-delete', 'not shown', DELETES],
  ['GET', '/account/controllable', 'accounts/controllable', 'not shown'],
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
  ['GET', '/printjobs/states', 'print-jobs/states-all', 'states', OK],
  ['GET', '/printjobs/{print_job_set}/states', 'print-jobs/states-set', 'states', OK],
  ['GET', '/computer/{computer_id}/scales', 'scales/list', 'readings', OK],
  ['GET', '/computer/{computer_id}/scales/{device_name}', 'scales/list-by-name', 'readings', OK],
  ['GET', '/computer/{computer_id}/scale/{device_name}/{device_number}', 'scales/read-one', 'reading', OK],
  ['PUT', '/scale', 'scales/simulate', 'not shown', CREATES, NOT_SHOWN],
  ['GET', '/webhooks', 'webhooks/list', 'webhooks'],
  ['POST', '/webhook', 'webhooks/create', 'webhooks', CREATES, takes(WEBHOOK_INPUT)],
  ['PATCH', '/webhook/{webhook_id}', 'webhooks/update', 'webhooks', CHANGES, takesSomeOf(WEBHOOK_INPUT)],
  ['DELETE', '/webhook/{webhook_id}', 'webhooks/delete', 'webhooks', DELETES],
  ['GET', '/client/key/{uuid}', 'client-downloads/client-key', 'client key', { query: CLIENT_KEY_PARAMETERS }],
  ['GET', '/download/client/{os}', 'client-downloads/latest-short-path', 'download'],
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
  ],
  ['GET', '/ping', 'misc/ping', 'not shown', { ...OK, authenticated: false }],
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
