/** What is open about accounts, their tags and keys. */

import { actAs } from '../../../src/service/gate/child-account.ts';
import { PRINT_JOB_INPUT, WEBHOOK_INPUT } from '../../../src/specification/inputs.ts';
import { mapHeaders } from '../../mutants/meddling-proxy.ts';
import { headerOf, isForChild, jsonOf } from '../../mutants/mutant-tools.ts';
import { answered, field, fieldsOf, json, refusing, type JsonObject } from '../changes.ts';
import { decides, type Change, type Dimensions } from '../dimension.ts';
import { refused } from '../refusals.ts';

const ACCOUNT = /^(GET \/whoami|PATCH \/account)/;
const TAG = String.raw`\/account\/tag\/`;
const KEY = String.raw`\/account\/apikey\/`;

const ids = (list: unknown): readonly number[] => list as readonly number[];
const orEmptyArray = (map: unknown): unknown =>
  typeof map === 'object' && map !== null && Object.keys(map).length === 0 ? [] : map;

interface Created {
  readonly Account: JsonObject;
  readonly ApiKeys?: Readonly<Record<string, string>>;
  readonly Tags?: Readonly<Record<string, string>>;
}

const creation = (change: (created: Created) => unknown): Change => json(/^POST \/account$/, change);
const namesAndValues = (map: object): readonly object[] =>
  Object.entries(map).map(([name, value]: [string, unknown]) => ({ name, value }));

/** The value of a tag, sent in an object, as the service wants it. */
const tagIn = (name: string): Change => ({
  rewrite: (request) => {
    if (!/^POST \/+account\/tag\//.test(`${request.method} ${request.path}`)) return undefined;
    const value = fieldsOf(request)[name];
    return value === undefined ? { body: '0' } : { body: JSON.stringify(value) };
  },
});

export const ACCOUNT_DIMENSIONS: Dimensions = {
  credits: decides('accounts/field-credits', 'How many credits has an account?', 'none', {
    'a few': field(ACCOUNT, 'credits', () => 12_345),
    'fewer than none': field(ACCOUNT, 'credits', () => -3),
  }),
  'tags-of-account': decides(
    'gap/tags-shape',
    'What does Tags of an account look like?',
    'an object of names and values, an empty array without tags',
    {
      'an object, also without tags': field(ACCOUNT, 'Tags', (tags) => (Array.isArray(tags) ? {} : tags)),
      'an array of names and values': field(ACCOUNT, 'Tags', (tags) => namesAndValues(tags as object)),
      'an array of names': field(ACCOUNT, 'Tags', (tags) => Object.keys(tags as object)),
    },
  ),
  'child-accounts': decides('gap/child-accounts-shape', 'What does an element of childAccounts look like?', 'an id', {
    'an object with the id': field(ACCOUNT, 'childAccounts', (list) => ids(list).map((id) => ({ id }))),
    'an object with the id as accountId': field(ACCOUNT, 'childAccounts', (list) =>
      ids(list).map((accountId) => ({ accountId, state: 'active' })),
    ),
    'a link': field(ACCOUNT, 'childAccounts', (list) => ids(list).map((id) => ({ href: `/accounts/${id}` }))),
  }),
  versions: decides('gap/versions-shape', 'What does an element of versions look like?', 'a version', {
    'an object': field(ACCOUNT, 'versions', (list) =>
      (list as unknown[]).map((version) => ({ edition: 'standard', version })),
    ),
  }),
  connected: decides('gap/connected-shape', 'What does an element of connected look like?', 'the id of a computer', {
    'an object with the id': field(ACCOUNT, 'connected', (list) => ids(list).map((computerId) => ({ computerId }))),
  }),
  permissions: decides('gap/permissions-meaning', 'Which permissions has an account?', 'Unrestricted', {
    none: field(ACCOUNT, 'permissions', () => []),
    several: field(ACCOUNT, 'permissions', () => ['read', 'print', 'webhooks']),
  }),
  'create-account-response': decides(
    'gap/create-account-response',
    'What does POST /account return?',
    '201 with Account, ApiKeys by name and Tags',
    {
      '200 with empty arrays for empty maps': {
        meddle: ({ method, path, status, body }) => {
          if (status !== 201 || `${method} ${path}` !== 'POST /account') return undefined;
          const { Account, ApiKeys, Tags } = JSON.parse(body) as Created;
          const emptied = {
            Account: { ...Account, credits: 0 },
            ApiKeys: orEmptyArray(ApiKeys),
            Tags: orEmptyArray(Tags),
          };
          return { status: 200, body: JSON.stringify(emptied) };
        },
      },
      // Where GET shows keys no more either, there is none to try.
      'the id alone': {
        ...creation(({ Account }) => Account['id']),
        undecided: ['child-accounts/keys-and-tags'],
      },
      'the account, with its keys in an array': creation(({ Account, ApiKeys = {} }) => ({
        ...Account,
        apiKeys: Object.entries(ApiKeys).map(([name, key]) => ({ name, key })),
      })),
      'account and keys in an array': creation(({ Account, ApiKeys = {} }) => ({
        account: Account,
        keys: Object.values(ApiKeys),
      })),
    },
  ),
  'delete-account-response': decides('gap/delete-account-response', 'What does DELETE /account return?', 'true', {
    '204': answered(/^DELETE \/account$/, 204),
    'an object': answered(/^DELETE \/account$/, 200, { deleted: true }),
  }),
  'account-state-response': decides(
    'gap/account-state-response',
    'What does PUT /account/state return?',
    'the new state',
    {
      '204': answered(/^PUT \/account\/state/, 204),
      'an object': json(/^PUT \/account\/state/, (state: unknown) => ({ state })),
    },
  ),
  'state-again': decides(
    'accounts/state-same-again',
    'What does PUT /account/state do with the state that the account has?',
    'it succeeds',
    {
      'it gets 409': {
        rewrite: async (request, ask) => {
          if (!/^PUT \/+account\/state$/.test(`${request.method} ${request.path}`)) return undefined;
          const state = await ask({ method: 'GET', path: '/account/state', headers: request.headers });
          return state.body === request.body.toString('utf8') ? refused(409, 'Conflict') : undefined;
        },
      },
    },
  ),
  'tag-request': decides('gap/tag-request', 'What is the body of POST /account/tag/{name}?', 'the value', {
    'an object with the value': tagIn('value'),
  }),
  'tag-shown': decides('gap/tag-response', 'What does GET of a tag answer?', 'the value', {
    'an object with the value': json(new RegExp(`^GET ${TAG}`), (value: unknown) => ({ value })),
    'an object with name and value': json(new RegExp(`^GET ${TAG}`), (value: unknown, { path }) => ({
      name: decodeURIComponent(path.split('/').at(-1) ?? ''),
      value,
    })),
    'an object of the name and the value': json(new RegExp(`^GET ${TAG}`), (value: unknown, { path }) => ({
      [decodeURIComponent(path.split('/').at(-1) ?? '')]: value,
    })),
  }),
  'tag-made': decides('gap/tag-response', 'What does POST of a tag answer?', '201 "created", 200 "updated"', {
    '204': answered(new RegExp(`^POST ${TAG}`), 204),
    '200 with an object': answered(new RegExp(`^POST ${TAG}`), 200, { ok: true }),
    'an object with the word': json(new RegExp(`^POST ${TAG}`), (value: unknown) => ({ value })),
  }),
  'tag-gone': decides('gap/tag-response', 'What does DELETE of a tag answer?', 'true', {
    '204': answered(new RegExp(`^DELETE ${TAG}`), 204),
    '200, also where none exists': {
      meddle: ({ method, path, status }) =>
        method === 'DELETE' && path.startsWith('/account/tag/') && status === 404
          ? { status: 200, body: 'true' }
          : undefined,
    },
  }),
  'key-shown': decides('gap/api-key-response', 'How does an answer show an API key?', 'as a string', {
    'in an object': json(new RegExp(`^(GET|POST) ${KEY}`), (key: unknown) => ({ key, enabled: true })),
    'in an object, as its value': json(new RegExp(`^(GET|POST) ${KEY}`), (value: unknown) => ({ value })),
    'in an object with its name': json(new RegExp(`^(GET|POST) ${KEY}`), (key: unknown, { path }) => ({
      description: decodeURIComponent(path.split('/').at(-1) ?? ''),
      apikey: key,
    })),
  }),
  'key-shown-again': decides('gap/api-key-response', 'Does GET show an API key again?', 'yes', {
    'no, its last characters alone': json(new RegExp(`^GET ${KEY}`), (key: unknown, { path }) => ({
      description: decodeURIComponent(path.split('/').at(-1) ?? ''),
      tail: String(key).slice(-4),
      since: '2026-01-01T05:30:00.000+05:30',
    })),
    'yes, and the POST that makes it does not': json(new RegExp(`^POST ${KEY}`), () => null),
  }),
  'key-made': decides('gap/api-key-response', 'With which status is an API key made?', '201', {
    '200': answered(new RegExp(`^POST ${KEY}`), 200),
  }),
  'key-gone': decides('gap/api-key-response', 'What does DELETE of an API key answer?', 'true', {
    '204': answered(new RegExp(`^DELETE ${KEY}`), 204),
  }),
  'key-made-twice': decides(
    'gap/api-key-repeated-name',
    'What does POST of an API key do that there is already?',
    'it answers the same key',
    {
      '409': {
        rewrite: async ({ method, path, headers }, ask) => {
          if (method !== 'POST' || !path.startsWith('/account/apikey/')) return undefined;
          const { status } = await ask({ method: 'GET', path, headers });
          return status === 200 ? refused(409, 'AlreadyExists') : undefined;
        },
      },
    },
  ),
  'controllable-accounts': decides(
    'gap/controllable-shape',
    'What does GET /account/controllable return?',
    'an array of accounts',
    {
      'an array of ids': json(/^GET \/account\/controllable/, (list: readonly JsonObject[]) =>
        list.map(({ id }) => id),
      ),
      'an object with an array': json(/^GET \/account\/controllable/, (accounts: unknown) => ({ accounts })),
      'an object by id': json(/^GET \/account\/controllable/, (list: readonly JsonObject[]) =>
        Object.fromEntries(list.map((account) => [String(account['id']), account])),
      ),
    },
  ),
  'client-key-response': decides('gap/client-key-response', 'How does GET /client/key answer the key?', 'as a string', {
    'in an object': json(/^GET \/client\/key\//, (key: unknown) => ({ clientKey: key, edition: 'standard' })),
  }),
  'client-key-editions': decides('gap/client-key-response', 'Which editions are client keys given for?', 'any', {
    'those that there are': {
      rewrite: ({ path }) =>
        path.includes('/client/key/') && !/edition=(standard|partner)(&|$)/.test(path)
          ? refused(404, 'NoSuchEdition')
          : undefined,
    },
  }),
  'suspended-reads': decides(
    'gap/suspension-effect',
    'May an Integrator still read what a suspended Child has?',
    'yes',
    {
      'no, but for its state': {
        rewrite: async (request, ask) => {
          if (!isForChild(request) || /^\/+account(\/state)?$/.test(request.path)) return undefined;
          const state = await ask({ method: 'GET', path: '/account/state', headers: request.headers });
          return state.body === '"suspended"' ? refused(403, 'Suspended') : undefined;
        },
      },
    },
  ),
  'several-child-headers': decides(
    'gap/several-child-headers',
    'What do two Child headers do that name two Children?',
    'they get 401',
    {
      'the first counts': {
        rules: () => ({
          actAs: (account, headers, accounts) => {
            const named = ['id', 'email', 'creatorref']
              .map((by) => `x-child-account-by-${by}`)
              .filter((name) => headers(name) !== undefined);
            // Each of them has to identify a Child: that is printed.
            const [first] = named.map((one) =>
              actAs(
                account,
                (name) => (name.startsWith('x-child-account-by') && name !== one ? undefined : headers(name)),
                accounts,
              ),
            );
            return first ?? actAs(account, headers, accounts);
          },
        }),
      },
    },
  ),
  'basic-password': decides('gap/basic-password', 'What does a password beside an API key do?', 'it gets 401', {
    nothing: {
      rewrite: (request) => ({
        headers: mapHeaders(request.headers, (name, value) => [
          name,
          name.toLowerCase() === 'authorization' ? withoutPassword(value) : value,
        ]),
      }),
    },
  }),
  'account-calls-without-child-header': decides(
    'gap/account-calls-without-child-header',
    'What does PUT /account/state do without a Child header?',
    'it gets 403',
    {
      'it gets 400': refusing(
        /^(PUT \/account\/state|DELETE \/account$)/,
        [400, 'NoChild'],
        (request) => !isForChild(request),
      ),
    },
  ),
  'unknown-fields': decides(
    'gap/body-structure',
    'What do fields of a body do that the specification does not name?',
    'nothing',
    {
      'they get 400': refusing(/^(POST|PATCH) \/(printjobs|webhook)/, [400, 'UnknownField'], (request) =>
        Object.keys(fieldsOf(request)).some((name) => !KNOWN.has(name)),
      ),
    },
  ),
  'repeated-names': decides('gap/repeated-names', 'What does a name mean that stands twice in a body?', 'it gets 400', {
    'the last counts': {
      rewrite: (request) => {
        const value = /json/.test(headerOf(request, 'content-type') ?? '') ? jsonOf(request) : undefined;
        const isPlain = typeof value === 'object' && value !== null && request.body.length < 10_000;
        return isPlain ? { body: JSON.stringify(value) } : undefined;
      },
    },
  }),
};

const KNOWN: ReadonlySet<string> = new Set([...Object.keys({ ...PRINT_JOB_INPUT, ...WEBHOOK_INPUT }), 'printer']);

function withoutPassword(authorization: string): string {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return authorization;
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return `Basic ${Buffer.from(`${user}:`).toString('base64')}`;
}
