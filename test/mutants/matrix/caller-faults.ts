/**
 * Caller faults: what a service does for one kind of caller alone: it answers as if it had done what was asked, and has
 * not, or not all of it.
 */

import { nameOf } from '../../../src/conformance/matrix/matrix-rule.ts';
import type { Endpoint } from '../../../src/specification/clause.ts';
import type { ChangedAnswer, PassingAnswer, PassingRequest } from '../meddling-proxy.ts';
import { headerOf, isForChild, jsonOf, withoutChild } from '../mutant-tools.ts';
import { isOf, kinOf, overlookingPages, refusal, withHeader, type CellFault } from './cell-fault.ts';

type IsBy = (request: PassingRequest) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const kinOfRequest = (request: PassingRequest) => kinOf(headerOf(request, 'authorization') ?? '');
const byHeader =
  (name: string): IsBy =>
  (request) =>
    headerOf(request, name) !== undefined;

/** By column: whose requests are served badly. */
export const CALLERS: Readonly<Record<string, IsBy>> = {
  'what is done for an Integrator itself': (request) => kinOfRequest(request) === 'integrator' && !isForChild(request),
  'what is done for a Single Account': (request) => kinOfRequest(request) === 'other account',
  'what is done for a Child by its own key': (request) => kinOfRequest(request) === 'Child',
  'what is done for a Child by id': byHeader('x-child-account-by-id'),
  'what is done for a Child by email': byHeader('x-child-account-by-email'),
  'what is done for a Child by creatorRef': byHeader('x-child-account-by-creatorref'),
};

const EMPTY = Buffer.alloc(0);

/** Where what a request would change can be read, unless that is its own path. */
const READ_AT: Readonly<Record<string, string>> = {
  'PATCH /account': '/whoami',
  'DELETE /account': '/whoami',
  'PATCH /webhook/{webhook_id}': '/webhooks',
  'DELETE /webhook/{webhook_id}': '/webhooks',
  'PATCH /download/clients/{download_id_set}': '/download/clients',
};

/** Says that it has changed or deleted something, and has only looked. */
function onlyLooking(endpoint: Endpoint, isHere: IsBy): CellFault {
  return {
    name: 'changes nothing, and says it has',
    rewrite: (request) =>
      isHere(request) ? { method: 'GET', path: READ_AT[nameOf(endpoint)] ?? request.path, body: '' } : undefined,
    meddle: ({ request, status, body }) => {
      if (!isHere(request) || status >= 300) return undefined;
      return { body: pretended(endpoint, request, JSON.parse(body)) };
    },
  };
}

/** What the answer would be. */
function pretended(endpoint: Endpoint, request: PassingRequest, value: unknown): string {
  if (endpoint.returns === 'ids') return JSON.stringify((value as readonly { id: number }[]).map(({ id }) => id));
  if (endpoint.returns === 'account') return JSON.stringify({ ...(value as Fields), ...(jsonOf(request) as Fields) });
  return endpoint.returns === 'not shown' ? 'true' : JSON.stringify(value);
}

/** Forgets at once what it has created. */
function forgetting(endpoint: Endpoint, isHere: IsBy): CellFault {
  return {
    name: 'forgets what it has created',
    async meddle({ request, status }, ask) {
      if (!isHere(request) || status >= 300) return undefined;
      let { path } = request;
      if (endpoint.returns === 'webhooks') {
        const list = await ask({ ...request, method: 'GET', path: '/webhooks', body: EMPTY });
        const ids = (JSON.parse(list.body) as readonly { webhookId: number }[]).map(({ webhookId }) => webhookId);
        path = `/webhook/${Math.max(...ids)}`;
      }
      await ask({ ...request, method: 'DELETE', path, body: EMPTY });
      return undefined;
    },
  };
}

/** Loses one field of a body. */
export function losingField(name: string, isHere: IsBy, value?: unknown): CellFault {
  return {
    name: `loses ${name}`,
    rewrite: (request) => {
      // A body may be none that can be read.
      const fields = { ...(jsonOf(request) as object | undefined) };
      return isHere(request) && name in fields ? { body: JSON.stringify({ ...fields, [name]: value }) } : undefined;
    },
  };
}

/** Answers with something else than there is. */
function answering(name: string, isHere: IsBy, change: (answer: PassingAnswer) => ChangedAnswer): CellFault {
  return {
    name,
    meddle: (answer) => (isHere(answer.request) && answer.status < 300 ? change(answer) : undefined),
  };
}

const inRecords =
  (change: (records: readonly never[]) => unknown) =>
  ({ body }: PassingAnswer): ChangedAnswer => ({ body: JSON.stringify(change(JSON.parse(body) as readonly never[])) });

const isWithout =
  (name: string) =>
  ({ path }: PassingAnswer): boolean =>
    !path.includes(`${name}=`);

function ofList(isHere: IsBy): readonly CellFault[] {
  const ascends = answering('lists the oldest first', isHere, (answer) =>
    isWithout('dir')(answer) ? inRecords((records) => records.toReversed())(answer) : undefined,
  );
  // A computer that reports printers is known by them.
  const hides = answering('hides the newest of many', isHere, (answer) =>
    isWithout('dir')(answer) ? inRecords((records) => records.slice(records.length > 2 ? 1 : 0))(answer) : undefined,
  );
  return [...overlookingPages(isHere), ascends, hides];
}

const recordsWith = (fields: Fields) =>
  inRecords((records) => records.map((record) => ({ ...(record as Fields), ...fields })));

/** What reads one thing, and what is wrong with it. */
const MISREADINGS: Readonly<Record<string, (answer: PassingAnswer) => ChangedAnswer>> = {
  'GET /account/state': () => ({ body: '"suspended"' }),
  'GET /account/tag/{name}': () => ({ body: '"another"' }),
  'GET /account/apikey/{description}': () => refusal(404, 'NotFound'),
  'GET /account/controllable': () => refusal(403, 'Forbidden'),
  'GET /noop': () => ({ body: '"another"' }),
  'GET /webhooks': recordsWith({ secret: '' }),
  'GET /computer/{computer_id}/scales': () => ({ body: '[]' }),
  'GET /computer/{computer_id}/scales/{device_name}': () => ({ body: '[]' }),
  'GET /computer/{computer_id}/scale/{device_name}/{device_number}': () => refusal(404, 'NotFound'),
  'PUT /scale': () => refusal(403, 'Forbidden'),
  'GET /download/clients': () => refusal(403, 'Forbidden'),
  'GET /download/clients/{download_id_set}': () => ({ body: '[]' }),
  'GET /printjobs/states': withoutDone,
  'GET /printjobs/{print_job_set}/states': withoutDone,
};

function withoutDone({ body }: PassingAnswer): ChangedAnswer {
  const histories = JSON.parse(body) as readonly (readonly { state: string }[])[];
  return { body: JSON.stringify(histories.map((states) => states.filter(({ state }) => state !== 'done'))) };
}

const SUBMITTED = ['title', 'source', 'options', 'qty', 'authentication', 'expireAfter'];

/** What goes wrong with the things of an account, by endpoint. */
function faultsOf(endpoint: Endpoint, isHere: IsBy): readonly CellFault[] {
  const name = nameOf(endpoint);
  const misread = MISREADINGS[name];
  if (misread) return [answering('shows something else', isHere, misread)];
  if (endpoint.paginated) return ofList(isHere);
  if (name === 'POST /printjobs') {
    const forgetsKey: CellFault = {
      name: 'overlooks X-Idempotency-Key',
      rewrite: (request) =>
        isHere(request) ? { headers: withHeader(request.headers, 'X-Idempotency-Key', undefined) } : undefined,
    };
    return [
      ...SUBMITTED.map((field) => losingField(field, isHere)),
      losingField('content', isHere, 'eA=='),
      forgetsKey,
    ];
  }
  const losses = LOST[name]?.map(([field, value]) => losingField(field, isHere, value)) ?? [];
  if (endpoint.effect === 'creates') return [forgetting(endpoint, isHere), ...losses];
  return endpoint.effect === 'none' ? [] : [onlyLooking(endpoint, isHere), ...losses];
}

/** Fields, and what is there in place of what was sent. */
const LOST: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  'POST /webhook': [
    ['secret', 'another'],
    ['messages', ['*']],
    ['url', 'https://another.example/'],
  ],
  'PATCH /webhook/{webhook_id}': [
    ['secret', undefined],
    ['messages', undefined],
    ['url', undefined],
  ],
  'PATCH /account': [
    ['firstname', undefined],
    ['lastname', undefined],
    ['email', undefined],
    ['creatorRef', undefined],
  ],
};

/** What goes wrong with webhooks, and is seen by their receiver alone. */
function eventFaults(endpoint: Endpoint, isHere: IsBy, isBy: IsBy): readonly CellFault[] {
  if (endpoint.method === 'DELETE') return [onlyLooking(endpoint, isHere)];
  const mark = '-of-another';
  const secret: CellFault = {
    name: 'sends another secret than it shows',
    rewrite(request) {
      const fields = jsonOf(request) as { readonly secret?: string } | undefined;
      return isHere(request) && fields?.secret !== undefined
        ? { body: JSON.stringify({ ...fields, secret: fields.secret.slice(0, -1) + mark }) }
        : undefined;
    },
    meddle: ({ request, body }) => (isBy(request) ? { body: body.replaceAll(mark, '') } : undefined),
  };
  return endpoint.method === 'PATCH' ? [secret, onlyLooking(endpoint, isHere)] : [secret];
}

/** What a service is asked before all checks, and by whom: without an answer nothing can be judged. */
function isAskedFirst(column: string, endpoint: Endpoint, { name }: CellFault): boolean {
  const asked = ASKED_FIRST[column];
  return asked?.test(`${nameOf(endpoint)} ${name}`) === true;
}

/** How tags are written, what types of messages are called, what a simulated reading is made of. */
const ASKED_FIRST: Readonly<Record<string, RegExp>> = {
  'what is done for an Integrator itself': /^(GET|POST) .account.tag/,
  'what is done for a Child by id': /^(POST .webhook loses messages|PUT .scale )/,
};

/** The faults of a column; `check` says what the endpoint is tried for. */
export function callerFaults(column: string, endpoint: Endpoint, check: string): readonly CellFault[] {
  const isBy = CALLERS[column] ?? (() => false);
  const isHere: IsBy = (request) => isOf(endpoint)(request) && isBy(request);
  const faults = check.endsWith('-events') ? eventFaults(endpoint, isHere, isBy) : faultsOf(endpoint, isHere);
  const keyOfIntegrator: CellFault = {
    name: 'makes a key of the Integrator',
    rewrite: (request) => (isHere(request) ? { headers: withoutChild(request.headers) } : undefined),
  };
  const makesKey = nameOf(endpoint) === 'POST /account/apikey/{description}' && check.startsWith('matrix/named-child');
  return [...faults, ...(makesKey ? [keyOfIntegrator] : [])].filter((fault) => !isAskedFirst(column, endpoint, fault));
}
