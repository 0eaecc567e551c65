/**
 * Mutants by product: for each cell of the matrix a service that breaks the rule of its column at the endpoint of its
 * row, and nowhere else. Made from the table of endpoints, as the checks are; broken by other means.
 */

import { endpointsOf, MATRIX_RULES } from '../../../src/conformance/matrix/matrix.ts';
import { nameOf } from '../../../src/conformance/matrix/matrix-rule.ts';
import type { Endpoint, InputField } from '../../../src/specification/clause.ts';
import { FIRST_KEY, SECOND_KEY } from '../../support/running-service.ts';
import type { PassingAnswer, PassingRequest } from '../meddling-proxy.ts';
import { headerOf, isForChild, jsonOf, withoutChild } from '../mutant-tools.ts';
import { basicOf } from '../mutants.ts';
import { CALLERS, callerFaults, losingField } from './caller-faults.ts';
import {
  isOf,
  isPathOf,
  kinOf,
  overlookingPages,
  refusal,
  withHeader,
  type CellFault,
  type Kin,
} from './cell-fault.ts';
import type { CellMutant } from './try-cell.ts';

/** `check` is the one that judges the cell. */
type FaultsOf = (endpoint: Endpoint, check: string) => readonly CellFault[];

const REFUSED = refusal(401, 'InvalidCredentials');

/** Which refused requests are let in, by column: `hasCalled` says that the key was good once. */
const BAD_CREDENTIALS: Readonly<Record<string, (authorization: string | undefined, hasCalled: boolean) => boolean>> = {
  'no credentials': (authorization) => authorization === undefined,
  'a key that does not exist': (authorization, hasCalled) => authorization !== undefined && !hasCalled,
  'a revoked key': (_, hasCalled) => hasCalled,
};

/** A request with bad credentials is let in as the one that called last; or it acts, and is refused all the same. */
const letIn =
  (column: string): FaultsOf =>
  (endpoint) => {
    const isHere = isOf(endpoint);
    const act =
      (isRefused: boolean): CellFault['meddle'] =>
      async ({ request, status }, ask, callers) => {
        const authorization = headerOf(request, 'authorization');
        const hasCalled = authorization !== undefined && callers.has(authorization);
        const other = callers.all.findLast((one) => one !== authorization);
        if (status !== 401 || !isHere(request) || !BAD_CREDENTIALS[column]?.(authorization, hasCalled))
          return undefined;
        const answer = await ask({ ...request, headers: withHeader(request.headers, 'Authorization', other) });
        return isRefused ? REFUSED : { status: answer.status, body: answer.body };
      };
    return [
      { name: `takes ${column}`, meddle: act(false) },
      ...(endpoint.effect === 'none' ? [] : [{ name: `acts on ${column}, and refuses`, meddle: act(true) }]),
    ];
  };

const isHit = ({ status, body }: PassingAnswer): boolean => status < 300 && body !== '[]';

/** Callers of this kind reach what callers of that kind have. */
const reaching =
  (caller: Kin, owner: Kin): FaultsOf =>
  (endpoint) => {
    const isHere = isOf(endpoint);
    const leak =
      (isSilent: boolean): CellFault['meddle'] =>
      async (answer, ask, callers) => {
        const authorization = headerOf(answer.request, 'authorization');
        if (!isHere(answer) || authorization === undefined || kinOf(authorization) !== caller) return undefined;
        if (isHit(answer) && endpoint.parts.length > 0 && endpoint.effect !== 'creates') return undefined;
        for (const other of callers.all.toReversed().filter((one) => one !== authorization && kinOf(one) === owner)) {
          for (const path of [answer.request.path, ...withoutOneSet(answer.request.path)]) {
            const headers = withHeader(answer.request.headers, 'Authorization', other);
            const { status, body } = await ask({ ...answer.request, path, headers });
            if (status < 300 && body !== '[]') return isSilent ? undefined : { status, body };
          }
        }
        return undefined;
      };
    // The key that is there already is all that POST makes: nothing happens, and the answer shows it.
    const isKey = nameOf(endpoint) === 'POST /account/apikey/{description}';
    const isShown = endpoint.effect === 'none' || isKey || endpoint.returns === 'id' || endpoint.returns === 'ids';
    const isSilent = endpoint.effect !== 'none' && !isKey;
    return [
      ...(isShown ? [{ name: `reaches the things of ${owner}`, meddle: leak(false) }] : []),
      ...(isSilent ? [{ name: `acts on the things of ${owner} in silence`, meddle: leak(true) }] : []),
    ];
  };

/** A service that looks at the owner of one of two sets alone. */
function withoutOneSet(path: string): readonly string[] {
  const [, outer, set, inner, second] = /^\/(\w+)\/([\d,]+)\/(\w+)\/([\d,]+)$/.exec(path) ?? [];
  return outer === undefined ? [] : [`/${inner}/${second}`, `/${outer}/${set}/${inner}`];
}

/** What shows nothing that differs between accounts. */
const SHOWS_NOTHING: ReadonlySet<Endpoint['returns']> = new Set([
  'client key',
  'download',
  'downloads',
  'Request-Id',
  'not shown',
]);

/** A header that names a Child is overlooked: the Integrator acts itself; and says that it does not. */
const overlooking =
  (header: string): FaultsOf =>
  (endpoint) => {
    const isHere = isOf(endpoint);
    const overlooks = (request: PassingRequest): boolean => isHere(request) && headerOf(request, header) !== undefined;
    const rewrite: CellFault['rewrite'] = (request) =>
      overlooks(request) ? { headers: withoutChild(request.headers) } : undefined;
    const pretend: CellFault['meddle'] = async ({ request, headers }, ask) => {
      if (!overlooks(request)) return undefined;
      const whoami = await ask({ ...request, method: 'GET', path: '/whoami', body: Buffer.alloc(0) });
      const { id } = JSON.parse(whoami.body) as { id?: unknown };
      return { headers: withHeader(headers, 'X-Account', String(id)) };
    };
    const isSeen = endpoint.effect !== 'none' || !SHOWS_NOTHING.has(endpoint.returns);
    const isTelling = isSeen && endpoint.returns !== 'downloads' && endpoint.account === 'caller';
    return [
      { name: `overlooks ${header}`, rewrite },
      ...(isTelling ? [{ name: `overlooks ${header} and hides it`, rewrite, meddle: pretend }] : []),
    ];
  };

/** A header that the service refuses is good enough for callers of this kind; or it acts, and refuses all the same. */
const naming =
  (caller: Kin, change: (headers: readonly string[]) => string[], isVain = isRefusedAnyway): FaultsOf =>
  (endpoint) => {
    const isHere = isOf(endpoint);
    const act =
      (isRefused: boolean): CellFault['meddle'] =>
      async ({ request, status }, ask) => {
        const authorization = headerOf(request, 'authorization') ?? '';
        const isMeant = status === 401 && isHere(request) && isForChild(request) && kinOf(authorization) === caller;
        if (!isMeant) return undefined;
        const answer = await ask({ ...request, headers: change(request.headers) });
        return isRefused ? undefined : { status: answer.status, body: answer.body };
      };
    return [
      { name: `takes a Child header of a ${caller} that may not use it`, meddle: act(false) },
      ...(endpoint.effect === 'none' || isVain(endpoint, caller)
        ? []
        : [{ name: `acts on a Child header of a ${caller}, and refuses`, meddle: act(true) }]),
    ];
  };

/** No account ends or suspends itself, and no Child creates one: nothing happens. */
const isRefusedAnyway = ({ account, method }: Endpoint, caller: Kin): boolean =>
  caller === 'integrator' ? account === 'child' && method !== 'PATCH' : account === 'integrator';

const asSecond = (headers: readonly string[]): string[] =>
  withHeader(withoutChild(headers), 'Authorization', basicOf(SECOND_KEY));

const asIntegrator = (headers: readonly string[]): string[] => withHeader(headers, 'Authorization', basicOf(FIRST_KEY));

/** Requests of an endpoint whose path has something of this kind as a set. */
const withSet =
  (endpoint: Endpoint, pattern: RegExp) =>
  ({ method, path }: PassingRequest): boolean =>
    method === endpoint.method && isPathOf(endpoint, '[^/?]*').test(path) && pattern.test(path);

/** A request that the service refuses acts for another path; with the answer to that, or with its own. */
function instead(name: string, isMeant: (request: PassingRequest) => boolean, path: (path: string) => string) {
  const act =
    (isRefused: boolean): CellFault['meddle'] =>
    async ({ request }, ask) => {
      if (!isMeant(request) || path(request.path) === request.path) return undefined;
      const answer = await ask({ ...request, path: path(request.path) });
      return isRefused ? refusal(400, 'BadRequest') : { status: answer.status, body: answer.body };
    };
  return { shown: { name, meddle: act(false) }, refused: { name: `${name}, and refuses`, meddle: act(true) } };
}

const oddSets: FaultsOf = (endpoint) => {
  const isChange = endpoint.effect !== 'none';
  const cleaned = instead('overlooks what is no id in a set', withSet(endpoint, /\d,x/), (path) =>
    path.replaceAll(/,x/g, ''),
  );
  const whole = instead('takes 0 for everything', withSet(endpoint, /\/0(\/|$)/), (path) =>
    path.replace(/^\/printers\/0\//, '/').replace(/\/0(?=\/|$)/, ''),
  );
  const dies = (name: string, pattern: RegExp): CellFault => ({
    name,
    meddle: ({ request }) => (withSet(endpoint, pattern)(request) ? refusal(500, 'Internal') : undefined),
  });
  return [
    cleaned.shown,
    ...(isChange ? [cleaned.refused] : []),
    ...(endpoint.returns === 'ids' && endpoint.parts.length === 1 ? [whole.shown] : []),
    dies('fails at an id beyond all integers', /9{20}/),
    dies('fails at a huge set', /(\d+,){200}/),
  ];
};

const emptySets: FaultsOf = (endpoint) => {
  const everything = instead('takes an empty set for everything', withSet(endpoint, /\/\/|\/$/), (path) =>
    path
      .replace(/^\/printers\/\//, '/')
      .replaceAll(/\/+/g, '/')
      .replace(/\/$/, ''),
  );
  const all: CellFault = {
    name: 'takes an empty set for everything',
    async meddle({ request }, ask) {
      if (!withSet(endpoint, /\/$/)(request)) return undefined;
      const list = await ask({ ...request, method: 'GET', path: '/download/clients', body: Buffer.alloc(0) });
      const ids = (JSON.parse(list.body) as { id: number }[]).map(({ id }) => id).join();
      const answer = await ask({ ...request, path: `/download/clients/${ids}` });
      return { status: answer.status, body: answer.body };
    },
  };
  return endpoint.method === 'PATCH' ? [all] : [everything.shown, everything.refused];
};

const twice = (set: string): boolean => new Set(set.split(',')).size < set.split(',').length;

/** Ids that are listed as often as they are named, totals of the whole account, and one of two sets that is overlooked. */
const miscountingSets: FaultsOf = (endpoint) => {
  const isHere = isOf(endpoint);
  const repeats: readonly CellFault[] = endpoint.parts.map(({ name }, index) => ({
    name: `lists an id of ${name} as often as it is repeated`,
    meddle: ({ request, status, body }) => {
      const sets = request.path.split(/[/?]/).filter((part) => /^\d[\d,]*$/.test(part));
      if (!isHere(request) || status >= 300 || !twice(sets[index] ?? '')) return undefined;
      const records = JSON.parse(body) as readonly unknown[];
      return { body: JSON.stringify([...records, ...records]) };
    },
  }));
  const totals: CellFault = {
    name: 'counts the whole account in Records-Total',
    meddle: ({ request, headers }) =>
      isHere(request) ? { headers: withHeader(headers, 'Records-Total', '1000') } : undefined,
  };
  const overlooks: CellFault = {
    name: 'overlooks the first of two sets',
    meddle: async ({ request, body }, ask) => {
      const [inner] = withoutOneSet(request.path);
      if (!isHere(request) || body !== '[]' || inner === undefined) return undefined;
      const answer = await ask({ ...request, path: inner });
      return { status: answer.status, body: answer.body };
    },
  };
  return [...repeats, ...(endpoint.paginated ? [totals] : []), ...(endpoint.parts.length === 2 ? [overlooks] : [])];
};

/** Members of a submission that get lost, in one of the encodings, and content that is cut. */
const losing: FaultsOf = (endpoint) => {
  const isHere = isOf(endpoint);
  const inBody = (name: string, isForm: boolean, change: (body: string) => string): CellFault => ({
    name: `${name} of a ${isForm ? 'form' : 'JSON body'}`,
    rewrite: (request) =>
      isHere(request) && /form/.test(headerOf(request, 'content-type') ?? '') === isForm
        ? { body: change(request.body.toString('utf8')) }
        : undefined,
  });
  const members = ['title', 'source', 'options', 'qty', 'authentication'];
  const cut = 1_000_000;
  return [
    ...members.map((name) => losingField(name, isHere)),
    inBody('cuts the content', false, (body) =>
      body.replace(/"content":"([^"]+)"/, (_, content: string) => `"content":"${content.slice(0, cut)}"`),
    ),
    inBody('cuts the content', true, (body) =>
      body.replace(/(?<=&content=)[^&]+/, (content) => content.slice(0, cut).replace(/%.?$/, '')),
    ),
  ];
};

/** What no account shows, or not to this check. */
const UNSEEN_IN_FORMS: ReadonlySet<string> = new Set(['password', 'expireAfter']);

/** Fields of forms that get lost, and forms that are refused, or taken and do nothing. */
const losingForms: FaultsOf = (endpoint) => {
  const fields = endpoint.body.kind === 'fields' ? Object.keys(endpoint.body.fields) : [];
  const isForm = (request: PassingRequest): boolean =>
    isOf(endpoint)(request) && /form/.test(headerOf(request, 'content-type') ?? '');
  // Where JSON is printed for the endpoint, what it refuses is not judged.
  const isRefusable = endpoint.returns !== 'downloads';
  return [
    ...fields
      .filter((name) => !UNSEEN_IN_FORMS.has(name) && isRefusable)
      .map((name) => ({
        name: `loses ${name} of a form`,
        rewrite: (request: PassingRequest) =>
          isForm(request) ? { body: withoutPairs(request.body.toString('utf8'), name) } : undefined,
      })),
    ...(isRefusable
      ? [
          {
            name: 'refuses forms',
            meddle: (({ request }) =>
              isForm(request) ? refusal(415, 'UnsupportedMediaType') : undefined) satisfies CellFault['meddle'],
          },
        ]
      : []),
    {
      name: 'does nothing for a form',
      rewrite: (request) => (isForm(request) ? { method: 'GET', path: '/noop', body: '' } : undefined),
    },
  ];
};

function withoutPairs(body: string, name: string): string {
  return body
    .split('&')
    .filter((pair) => !decodeURIComponent(pair).startsWith(name))
    .join('&');
}

/** A field of the sound type, and any other value in it. */
const TYPE_OF: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  'array of strings': (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};

type Body = Record<string, unknown>;

/** `Account[email]` stands in Account; undefined where a body has no such field. */
function placeOf(body: Body, name: string): { readonly holder: Body; readonly key: string } | undefined {
  const [, outer = name, inner = ''] = /^(\w+)\[(\w*)\]$/.exec(name) ?? [];
  const holder = inner === '' ? body : body[outer];
  const key = inner === '' ? outer : inner;
  return typeof holder === 'object' && holder !== null && key in holder ? { holder: holder as Body, key } : undefined;
}

const isWrong = (body: Body, [name, { type }]: readonly [string, InputField]): boolean => {
  const place = placeOf(body, name);
  return place !== undefined && TYPE_OF[type]?.(place.holder[place.key]) === false;
};

/** A value of the right type in place of a wrong one. */
const RIGHT: Readonly<Record<string, (field: InputField) => unknown>> = {
  string: ({ values }) => values?.[0] ?? `x-${crypto.randomUUID()}@example.test`,
  boolean: () => false,
  object: () => ({}),
  'array of strings': () => ['*'],
};

/** A service that a value of a wrong type, or an unknown field, brings down, or that acts on the rest of a body. */
const failing: FaultsOf = (endpoint) => {
  const fields = endpoint.body.kind === 'fields' ? Object.entries(endpoint.body.fields) : [];
  const known = new Set(fields.map(([name]) => name.replace(/\[.*/, '')));
  const isHere = isOf(endpoint);
  const bodyOf = (request: PassingRequest): Body | undefined => {
    const value = isHere(request) ? jsonOf(request) : undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  };
  const dies = (name: string, isOdd: (body: Body) => boolean): CellFault => ({
    name,
    meddle: ({ request }) => {
      const body = bodyOf(request);
      return body && isOdd(body) ? refusal(500, 'Internal') : undefined;
    },
  });
  const acts: CellFault = {
    name: 'acts on the rest of a body that it refuses',
    async meddle({ request, status }, ask) {
      const body = bodyOf(request);
      if (!body || status < 400) return undefined;
      for (const field of fields.filter((one) => isWrong(body, one))) {
        const place = placeOf(body, field[0]);
        if (place) place.holder[place.key] = RIGHT[field[1].type]?.(field[1]);
      }
      await ask({ ...request, body: Buffer.from(JSON.stringify(body)) });
      return undefined;
    },
  };
  const kinds: CellFault = {
    name: 'fails at a body that is an array',
    meddle: ({ request }) => (isHere(request) && Array.isArray(jsonOf(request)) ? refusal(500, 'Internal') : undefined),
  };
  return [
    ...fields.map((field) =>
      dies(`fails at a ${field[0]} that is not ${field[1].type}`, (body) => isWrong(body, field)),
    ),
    ...(fields.length > 0
      ? [
          dies('fails at a field that it does not know', (body) => Object.keys(body).some((name) => !known.has(name))),
          acts,
        ]
      : []),
    kinds,
  ];
};

/** A body that is no JSON fails, gets another error, or is completed and done. */
const parsing: FaultsOf = (endpoint) => {
  const isHere = isOf(endpoint);
  const isCutOff = (request: PassingRequest): boolean =>
    isHere(request) &&
    request.body.length > 0 &&
    !/form/.test(headerOf(request, 'content-type') ?? '') &&
    jsonOf(request) === undefined;
  const answering = (name: string, answer: ReturnType<typeof refusal>): CellFault => ({
    name,
    meddle: ({ request }) => (isCutOff(request) ? answer : undefined),
  });
  return [
    answering('fails at a body that cannot be parsed', refusal(500, 'Internal')),
    answering('calls a body that cannot be parsed by another code', refusal(400, 'BadRequest')),
    {
      name: 'completes a body that cannot be parsed, and refuses',
      async meddle({ request }, ask) {
        if (!isCutOff(request)) return undefined;
        const end = endpoint.body.kind === 'string' ? '"' : '}';
        await ask({ ...request, body: Buffer.from(`${request.body.toString('utf8')}${end}`) });
        return undefined;
      },
    },
  ];
};

/** JSON that was spelt or sent like this is not read. */
const misreading: FaultsOf = (endpoint) => {
  const isHere = isOf(endpoint);
  const fault = (name: string, isOdd: (request: PassingRequest) => boolean): CellFault => ({
    name: `does not read JSON ${name}`,
    rewrite: (request) => (isHere(request) && request.body.length > 0 && isOdd(request) ? { body: '?' } : undefined),
  });
  return [
    fault('in chunks', (request) => headerOf(request, 'transfer-encoding') !== undefined),
    fault('with a charset', (request) => /charset/.test(headerOf(request, 'content-type') ?? '')),
    fault('with escapes', ({ body }) => body.includes(String.raw`\u00`)),
    fault('without a Content-Type', (request) => headerOf(request, 'content-type') === undefined),
  ];
};

/** What the service refuses for the rate is answered here. */
const unlimited: FaultsOf = (endpoint) => {
  const isHere = isOf(endpoint);
  return [
    {
      name: 'has no request rate',
      meddle: ({ request, status }) => (status === 429 && isHere(request) ? { status: 200, body: '[]' } : undefined),
    },
  ];
};

/** Faults by column. */
const FAULTS: Readonly<Record<string, FaultsOf>> = {
  ...Object.fromEntries(Object.keys(BAD_CREDENTIALS).map((column) => [column, letIn(column)])),
  'things of another account': reaching('other account', 'integrator'),
  "a sibling's things": reaching('Child', 'Child'),
  "its parent's things": reaching('Child', 'integrator'),
  "its Child's things": reaching('integrator', 'Child'),
  "another Integrator's Child's things": reaching('other account', 'Child'),
  'its Child by id': overlooking('x-child-account-by-id'),
  'its Child by email': overlooking('x-child-account-by-email'),
  'its Child by creatorRef': overlooking('x-child-account-by-creatorref'),
  'an unknown Child': naming('integrator', withoutChild),
  "another account's Child": naming('other account', asIntegrator),
  "an Integrator that names another's Child": naming('integrator', asSecond, ({ account }) => account !== 'caller'),
  'a Child that names its sibling': naming('Child', asIntegrator),
  'malformed and huge sets': oddSets,
  'empty sets': emptySets,
  'limit, after and dir': (endpoint) => overlookingPages(isOf(endpoint)),
  'repeated ids, two sets and totals': miscountingSets,
  'what a computer gets': losing,
  'every field as a form': losingForms,
  'the same JSON, spelt and sent in other ways': misreading,
  'wrong types and unknown fields': failing,
  'bodies that cannot be parsed': parsing,
  'requests beyond the rate': unlimited,
  ...Object.fromEntries(
    Object.keys(CALLERS).map((column) => [
      column,
      (endpoint: Endpoint, check: string) => callerFaults(column, endpoint, check),
    ]),
  ),
};

export const MATRIX_MUTANTS: readonly CellMutant[] = Object.entries(MATRIX_RULES).flatMap(([check, rule]) =>
  endpointsOf(rule).flatMap((endpoint) =>
    rule.columns.flatMap((column) =>
      (FAULTS[column]?.(endpoint, check) ?? []).map((fault) => ({
        ...fault,
        name: `${nameOf(endpoint)} ${fault.name}`,
        endpoint,
        check,
      })),
    ),
  ),
);
