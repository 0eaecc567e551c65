/**
 * Mutants of accounts: creation, changes, states, tags, API keys, client keys and downloads.
 */

import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { FIRST_KEY, SECOND_KEY } from '../support/running-service.ts';
import type { Meddle, PassingAnswer, Rewrite } from './meddling-proxy.ts';
import {
  acceptRefused,
  creating,
  forTheParent,
  headerOf,
  instead,
  isForChild,
  jsonOf,
  onlyLooking,
  refuse,
  sent,
  status,
  without,
  isForm,
} from './mutant-tools.ts';
import { broken, inAnswers, inRequests, inRules, type Mutant } from './mutant.ts';
import { basicOf, json } from './mutants.ts';

const CREATE = /^POST \/account$/;
const UPDATE = /^PATCH \/account$/;
const DELETE = /^DELETE \/account$/;
const WHOAMI = /^GET \/whoami/;
const STATE = /^GET \/account\/state$/;
const SET_STATE = /^PUT \/account\/state$/;
const TAG = /^GET \/account\/tag\//;
const SET_TAG = /^POST \/account\/tag\//;
const KEY = /^GET \/account\/apikey\//;
const MAKE_KEY = /^POST \/account\/apikey\//;
const CLIENT_KEY = /^GET \/client\/key\//;
const LATEST = /^GET \/download\/clients\/(osx|windows)$/;
const ENABLE = /^PATCH \/download\/clients\//;

type Fields = Record<string, unknown>;

const account = (change: Fields) => json(WHOAMI, (value: Fields) => ({ ...value, ...change }));

const creationOf = ({ request }: PassingAnswer): { Account: Fields; ApiKeys?: unknown; Tags?: unknown } => ({
  Account: {},
  ...(jsonOf(request) as object),
});

const isSentAsForm = ({ request }: PassingAnswer): boolean => isForm(request);

/** Headers with another key. */
function withKey(headers: readonly string[], key: string): string[] {
  return headers.map((value, index) =>
    headers[index - 1]?.toLowerCase() === 'authorization' && index % 2 === 1 ? basicOf(key) : value,
  );
}

/** Keys that were good once stay good. */
function rememberingKeys(): Partial<ServiceRules> {
  const known = new Map<string, ReturnType<ServiceRules['authenticate']>>();
  return {
    authenticate: (authorization, findByKey) => {
      try {
        const found = SERVICE_RULES.authenticate(authorization, findByKey);
        known.set(authorization ?? '', found);
        return found;
      } catch (error) {
        const remembered = known.get(authorization ?? '');
        if (remembered) return remembered;
        throw error;
      }
    },
  };
}

/** Forgets the first key that each account used with the account, and no other. */
function rememberingLaterKeys(): Partial<ServiceRules> {
  const first = new Map<unknown, string>();
  const { authenticate } = rememberingKeys();
  return {
    authenticate: (authorization, findByKey) => {
      const account = tried(() => SERVICE_RULES.authenticate(authorization, findByKey));
      if (account && !first.has(account)) first.set(account, authorization ?? '');
      const isFirst = [...first.values()].includes(authorization ?? '');
      return (isFirst ? SERVICE_RULES.authenticate : (authenticate ?? SERVICE_RULES.authenticate))(
        authorization,
        findByKey,
      );
    },
  };
}

function tried<Value>(attempt: () => Value): Value | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}

/** A state that an account has already is the other one. */
function togglingStates(): Rewrite {
  const states = new Map<string, unknown>();
  return (request) => {
    const child = request.headers.filter((_, index) => /^x-child/i.test(request.headers[index - 1] ?? '')).join();
    const state = jsonOf(request);
    if (!SET_STATE.test(`${request.method} ${request.path}`)) return undefined;
    if (states.get(child) === state) return { body: JSON.stringify(state === 'active' ? 'suspended' : 'active') };
    states.set(child, state);
    return undefined;
  };
}

const named = (tags: unknown): object =>
  Object.fromEntries(Object.entries(tags as Fields).map(([name, value]) => [name.replaceAll(/[^\w.-]/g, '_'), value]));

/** How many keys have been made. */
let keysMade = 0;
let clientKeysMade = 0;
const KEYS_MOST = 9;

/** True from the first request of this kind on. */
function once(pattern: RegExp): (answer: Pick<PassingAnswer, 'method' | 'path'>) => boolean {
  let hasPassed = false;
  return ({ method, path }) => {
    const had = hasPassed;
    hasPassed ||= pattern.test(`${method} ${path}`);
    return had;
  };
}

/** Values seen for the second time are replaced. */
function distinct(): (value: unknown) => unknown {
  const seen = new Set<unknown>();
  return (value) => {
    const isNew = !seen.has(value);
    seen.add(value);
    return isNew ? value : `${String(value)}-${seen.size}`;
  };
}

const afterDeletion = once(DELETE);
const afterDeletionOfSibling = once(DELETE);
const newCreatorRef = distinct();
const tagsWritten = new Set<string>();

/** Follows the states of Children that are named by their ids. */
function withoutSuspended(): Meddle {
  const suspended = new Set<number>();
  return (answer) => {
    const { method, path, request, status: code } = answer;
    if (code >= 300) return undefined;
    const id = Number(headerOf(request, 'X-Child-Account-By-Id') ?? 0);
    if (SET_STATE.test(`${method} ${path}`)) {
      if (request.body.includes('suspended')) suspended.add(id);
      else suspended.delete(id);
    }
    return json(WHOAMI, (shown: Fields) => ({
      ...shown,
      childAccounts: (shown['childAccounts'] as readonly number[]).filter((child) => !suspended.has(child)),
    }))(answer);
  };
}

/** The first client key of each UUID, whatever account asks for it. */
function oneKeyForAll(): Meddle {
  const keys = new Map<string, string>();
  return (answer) => {
    const { path } = answer;
    if (!CLIENT_KEY.test(`${answer.method} ${path}`) || answer.status >= 300) return undefined;
    const body = keys.get(path) ?? answer.body;
    keys.set(path, body);
    return { body };
  };
}

export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  inAnswers('accounts/field-child-accounts', 'childAccounts leaves out suspended Children', withoutSuspended()),
  // The account object
  inAnswers(
    'accounts/integrator-can-create',
    'an Integrator that says it is none',
    account({ canCreateSubAccounts: false }),
  ),
  inAnswers(
    'accounts/child-cannot-create',
    'a Child that says it is an Integrator',
    account({ canCreateSubAccounts: true }),
  ),
  inAnswers('accounts/creator-email-of-child', 'creatorEmail is always null', account({ creatorEmail: null })),
  inAnswers(
    'accounts/creator-email-of-child',
    'creatorEmail is null without a creatorRef',
    json(WHOAMI, (value: Fields) => (value['creatorRef'] === null ? { ...value, creatorEmail: null } : value)),
  ),

  // Creating
  inAnswers('accounts/create', 'no account can be created', status(CREATE, 403)),
  inAnswers(
    'accounts/create-as-json',
    'creations as JSON are refused',
    refuse(CREATE, (answer) => !isSentAsForm(answer)),
  ),
  inAnswers('accounts/create-as-form', 'creations as form are refused', refuse(CREATE, isSentAsForm)),
  inRequests(
    'accounts/create-by-single-refused',
    'a Single Account creates accounts',
    instead(CREATE, ({ headers }) => ({ headers: withKey(headers, FIRST_KEY) })),
  ),
  inRequests('accounts/create-by-child-refused', 'a Child creates accounts', forTheParent(CREATE)),
  inRequests(
    'accounts/create-firstname',
    'firstname is not kept',
    creating((fields) => ({ ...fields, firstname: '-' })),
  ),
  inRequests(
    'accounts/create-firstname-missing-refused',
    'a creation needs no firstname',
    creating((fields) => ({ firstname: '-', ...fields })),
  ),
  inRequests(
    'accounts/create-firstname-empty-refused',
    'an empty firstname will do',
    creating((fields) => (fields['firstname'] === '' ? { ...fields, firstname: '-' } : fields)),
  ),
  inAnswers('accounts/create-firstname-dash', 'a dash as firstname is no firstname', account({ firstname: '' })),
  inRequests(
    'accounts/create-lastname',
    'lastname is not kept',
    creating((fields) => ({ ...fields, lastname: '-' })),
  ),
  inRequests(
    'accounts/create-lastname-missing-refused',
    'a creation needs no lastname',
    creating((fields) => ({ lastname: '-', ...fields })),
  ),
  inRequests(
    'accounts/create-lastname-empty-refused',
    'an empty lastname will do',
    creating((fields) => (fields['lastname'] === '' ? { ...fields, lastname: '-' } : fields)),
  ),
  inAnswers('accounts/create-lastname-dash', 'a dash as lastname is no lastname', account({ lastname: '' })),
  inAnswers(
    'accounts/create-email',
    'email is written in capitals',
    json(WHOAMI, (value: Fields) => ({ ...value, email: String(value['email']).toUpperCase() })),
  ),
  inRequests(
    'accounts/create-email-missing-refused',
    'a creation needs no email',
    creating((fields) => ({ email: 'nobody@example.test', ...fields })),
  ),
  inAnswers(
    'accounts/create-password',
    'a password is not wanted',
    refuse(CREATE, (answer) => 'password' in creationOf(answer).Account),
  ),
  inRequests(
    'accounts/create-password-missing-refused',
    'a creation needs no password',
    creating((fields) => ({ password: 'aaaaaaaa', ...fields })),
  ),
  inAnswers(
    'accounts/create-password-no-complexity',
    'a password needs a digit',
    refuse(CREATE, (answer) => /^\D*$/.test(String(creationOf(answer).Account['password']))),
  ),
  inRequests('accounts/create-creator-ref', 'creatorRef is not kept', creating(without('creatorRef'))),
  inRequests(
    'accounts/create-creator-ref-unique',
    'two Children have one creatorRef',
    creating((fields) => ({ ...fields, creatorRef: newCreatorRef(fields['creatorRef']) })),
  ),
  inRequests('accounts/create-api-keys', 'ApiKeys is overlooked', sent(CREATE, without('ApiKeys'))),
  inAnswers(
    'accounts/create-api-keys-work',
    'keys of a creation do not work',
    // Those that were made one by one do.
    json(/^GET \/account\/apikey\/(office|Lager)/, (key: string) => key.split('').toReversed().join('')),
  ),
  inRequests('accounts/create-tags', 'Tags is overlooked', sent(CREATE, without('Tags'))),
  broken(
    'accounts/create-refused-leaves-nothing',
    'a creation is refused for its keys when the account is there already',
    {
      rewrite: sent(CREATE, without('ApiKeys')),
      meddle: refuse(CREATE, (answer) => creationOf(answer).ApiKeys !== undefined),
    },
  ),
  inAnswers(
    'accounts/create-only-required',
    'creatorRef is required',
    refuse(CREATE, (answer) => !isSentAsForm(answer) && !('creatorRef' in creationOf(answer).Account)),
  ),
  inAnswers(
    'limits/webhooks-none-at-first',
    'a new account has a webhook',
    json(/^GET \/webhooks$/, () => [{ webhookId: 1 }]),
  ),
  inAnswers('accounts/controllable', 'no controllable accounts', status(/controllable/, 403)),

  // Changing
  inAnswers('accounts/update', 'PATCH /account is refused', status(UPDATE, 403)),
  inAnswers(
    'accounts/update-answers-like-whoami',
    'PATCH /account answers true',
    json(UPDATE, () => true),
  ),
  inAnswers(
    'accounts/update-answer-shows-change',
    'PATCH /account answers what was before',
    json(UPDATE, (value: Fields) => ({ ...value, firstname: '-', lastname: '-' })),
  ),
  ...(['firstname', 'lastname', 'email', 'creatorRef'] as const).map((field) =>
    inRequests(
      `accounts/update-${field === 'creatorRef' ? 'creator-ref' : field}` as const,
      `${field} cannot be changed`,
      sent(UPDATE, without(field)),
    ),
  ),
  inAnswers(
    'accounts/update-password',
    'password cannot be changed',
    refuse(UPDATE, ({ request }) => 'password' in (jsonOf(request) as object)),
  ),
  inRequests(
    'accounts/update-leaves-the-rest',
    'a change of firstname changes lastname too',
    sent(UPDATE, (fields: Fields) => ({
      ...fields,
      lastname: fields['firstname'] ?? fields['lastname'],
    })),
  ),
  inRequests('accounts/update-leaves-the-parent', 'PATCH /account changes the Integrator', forTheParent(UPDATE)),
  inRequests(
    'accounts/update-creator-ref-identifies',
    'the old creatorRef goes on identifying',
    sent(UPDATE, without('creatorRef')),
  ),
  inAnswers(
    'accounts/update-creator-ref-unique',
    'PATCH takes the creatorRef of a sibling',
    acceptRefused(UPDATE, ({ request }) => 'creatorRef' in (jsonOf(request) as object)),
  ),
  broken('accounts/update-refused-changes-nothing', 'a refused PATCH has changed the names already', {
    rewrite: sent(UPDATE, ({ firstname, lastname }: Fields) => ({ firstname, lastname })),
    meddle: refuse(UPDATE, ({ request }) => 'password' in (jsonOf(request) as object)),
  }),

  // Deleting
  inRequests(
    'accounts/delete',
    'DELETE /account deletes nothing',
    instead(DELETE, () => ({ method: 'GET', path: '/noop' })),
  ),
  inAnswers('accounts/delete-leaves-the-parent', 'the Integrator goes with its Child', (answer) =>
    afterDeletion(answer) && !isForChild(answer.request) ? { status: 401 } : undefined,
  ),
  inAnswers('accounts/delete-leaves-other-children', 'all Children go with one', (answer) =>
    afterDeletionOfSibling(answer) && isForChild(answer.request) ? { status: 401 } : undefined,
  ),
  inRules('accounts/delete-keys-stop', 'keys of a deleted Child work', rememberingKeys()),
  inRules('accounts/delete-keys-stop', 'the later keys of a deleted Child work', rememberingLaterKeys()),

  // State
  inAnswers('accounts/state-read', 'no state to read', status(STATE, 404)),
  inAnswers(
    'accounts/state-json-string',
    'the state is an object',
    json(STATE, (state) => ({ state })),
  ),
  inAnswers(
    'accounts/state-active',
    'active is called enabled',
    json(STATE, (state: string) => (state === 'active' ? 'enabled' : state)),
  ),
  inAnswers(
    'accounts/state-suspended',
    'suspended is called blocked',
    json(STATE, (state: string) => (state === 'suspended' ? 'blocked' : state)),
  ),
  inAnswers('accounts/state-initially-active', 'a new Child is suspended', account({ state: 'suspended' })),
  inRequests(
    'accounts/state-suspend',
    'a Child cannot be suspended',
    sent(SET_STATE, () => 'active'),
  ),
  inRequests(
    'accounts/state-activate',
    'a Child cannot be reactivated',
    sent(SET_STATE, () => 'suspended'),
  ),
  inAnswers('accounts/state-in-account-object', 'the account object is always active', account({ state: 'active' })),
  inRequests('accounts/state-same-again', 'the state that is there already is the other one', togglingStates()),
  inRequests(
    'accounts/state-other-refused',
    'any other state means active',
    sent(SET_STATE, (state) => (state === 'suspended' ? state : 'active')),
  ),
  broken('accounts/state-other-refused', 'a state with a capital letter is refused, and suspends', {
    rewrite: sent(SET_STATE, (state) => (state === 'Suspended' ? 'suspended' : state)),
    meddle: refuse(SET_STATE, ({ request }) => jsonOf(request) === 'Suspended'),
  }),
  inAnswers('accounts/state-leaves-the-parent', 'the Integrator is suspended with its Child', (answer) =>
    isForChild(answer.request) ? undefined : account({ state: 'suspended' })(answer),
  ),

  // Tags
  inAnswers('accounts/tag-create', 'tags cannot be created', refuse(SET_TAG)),
  inRequests(
    'accounts/tag-update',
    'tags cannot be replaced',
    instead(SET_TAG, ({ path }) => {
      const isKnown = tagsWritten.has(path);
      tagsWritten.add(path);
      return isKnown ? { method: 'GET', body: '' } : undefined;
    }),
  ),
  // With the tag in its body: how a tag is made is found out by reading one.
  inAnswers('accounts/tag-read', 'tags cannot be read', ({ method, path }) =>
    TAG.test(`${method} ${path}`) ? { status: 404 } : undefined,
  ),
  inRequests('accounts/tag-delete', 'tags cannot be removed', onlyLooking(/^DELETE \/account\/tag\//)),
  inAnswers('accounts/tag-read-missing', 'a missing tag is null', acceptRefused(TAG)),
  inAnswers(
    'accounts/tag-name-letters-digits',
    'a tag name has a punctuation mark',
    refuse(SET_TAG, ({ path }) => /\/tag\/[A-Za-z0-9]+$/.test(path)),
  ),
  inAnswers(
    'accounts/tag-name-dot-dash-underscore',
    'a tag name has no dot',
    refuse(SET_TAG, ({ path }) => path.includes('.')),
  ),
  inRequests(
    'accounts/tag-name-other-refused',
    'a tag may have any name at creation',
    sent(CREATE, ({ Tags, ...rest }: Fields) => ({ ...rest, ...(Tags !== undefined && { Tags: named(Tags) }) })),
  ),
  inRequests(
    'accounts/tag-name-other-refused',
    'a tag name may have blanks',
    instead(SET_TAG, ({ path }) => ({ path: path.replaceAll('%20', '_') })),
  ),
  inRequests(
    'accounts/tag-value-string',
    'tag values are trimmed',
    sent(SET_TAG, (value: string) => value.trim()),
  ),
  inAnswers(
    'accounts/tag-value-string',
    'an empty value is refused',
    refuse(SET_TAG, ({ request }) => jsonOf(request) === ''),
  ),
  inAnswers('accounts/tag-in-account-object', 'Tags is always empty', account({ Tags: [] })),
  inAnswers(
    'accounts/tag-in-account-object',
    'Tags has ten of them at most',
    json(WHOAMI, ({ Tags, ...rest }: Fields) => ({
      ...rest,
      Tags: Object.fromEntries(Object.entries(Tags as Fields).slice(0, 10)),
    })),
  ),
  inAnswers(
    'accounts/tag-in-account-object',
    'Tags has names in lower case',
    json(WHOAMI, ({ Tags, ...rest }: Fields) => ({
      ...rest,
      Tags: Object.fromEntries(Object.entries(Tags as Fields).map(([name, value]) => [name.toLowerCase(), value])),
    })),
  ),
  inRequests(
    'accounts/tags-per-account',
    'tags of a Child are those of its Integrator',
    forTheParent(/\/account\/tag\//),
  ),

  // API keys
  inAnswers('accounts/api-key-create', 'keys cannot be created', status(MAKE_KEY, 404)),
  inAnswers('accounts/api-key-read', 'keys cannot be read', status(KEY, 404)),
  inRequests('accounts/api-key-delete', 'keys cannot be deleted', onlyLooking(/^DELETE \/account\/apikey\//)),
  inAnswers(
    'accounts/api-key-authenticates',
    'a created key does not work',
    json(MAKE_KEY, (key: string) => key.split('').toReversed().join('')),
  ),
  inRequests(
    'accounts/api-key-many',
    'an account has one key whatever its name',
    instead(MAKE_KEY, () => ({ path: '/account/apikey/the-only-one' })),
  ),
  inAnswers(
    'accounts/api-key-many',
    `a ${KEYS_MOST + 1}th key is refused`,
    refuse(MAKE_KEY, () => ++keysMade > KEYS_MOST),
  ),
  inRules('accounts/api-key-deleted-401', 'a deleted key works', rememberingKeys()),

  // Client keys
  inAnswers('client-downloads/client-key', 'no client keys', status(CLIENT_KEY, 404)),
  inAnswers(
    'client-downloads/client-key-edition',
    'client keys for one edition',
    status(CLIENT_KEY, 404, ({ path }) => !path.includes('edition=standard')),
  ),
  inAnswers(
    'client-downloads/client-key-version',
    'client keys for one version',
    status(CLIENT_KEY, 404, ({ path }) => !path.includes('version=1.2.3')),
  ),
  inAnswers(
    'client-downloads/client-key-connects',
    'a client key that connects nobody',
    json(CLIENT_KEY, (key: string) => key.split('').toReversed().join('')),
  ),
  inAnswers('client-downloads/client-key-connects', 'a UUID has the key of whoever asked first', oneKeyForAll()),
  inAnswers(
    'client-downloads/client-key-connects',
    'every fourth client key connects nobody',
    json(CLIENT_KEY, (key: string) => (++clientKeysMade % 4 === 0 ? key.split('').toReversed().join('') : key)),
  ),
  inRules('client-downloads/client-key-no-api-key', 'a client key is an API key', {
    authenticate: (authorization, findByKey) =>
      SERVICE_RULES.authenticate(authorization, (key) => findByKey(key.startsWith('ck-') ? FIRST_KEY : key)),
  }),
  inAnswers(
    'limits/client-key',
    'a client key has 48 characters',
    json(CLIENT_KEY, (key: string) => `${key}x`),
  ),
  inAnswers(
    'limits/client-key',
    'a client key has 46 characters, once in twenty times',
    json(CLIENT_KEY, (key: string) => (++clientKeysMade % 20 === 0 ? key.slice(0, -1) : key)),
  ),
  inAnswers(
    'authentication/delegated-key-of-child',
    'no client keys for a Child',
    status(CLIENT_KEY, 403, ({ request }) => isForChild(request)),
  ),
  inRequests(
    'authentication/delegated-child-on-the-fly',
    'the client key of a Child is one of its Integrator',
    forTheParent(CLIENT_KEY),
  ),

  // Client downloads
  inAnswers('client-downloads/list', 'no list of downloads', status(/^GET \/download\/clients$/, 404)),
  inAnswers(
    'client-downloads/list',
    'versions that are not enabled are not listed',
    json(/^GET \/download\/clients$/, (all: readonly { enabled: boolean }[]) => all.filter(({ enabled }) => enabled)),
  ),
  inAnswers(
    'client-downloads/list-set',
    'a set of downloads is empty',
    json(/^GET \/download\/clients\/\d/, () => []),
  ),
  inRequests(
    'client-downloads/list-set-only',
    'a set of downloads shows all',
    instead(/^GET \/download\/clients\/\d/, () => ({ path: '/download/clients' })),
  ),
  inAnswers('client-downloads/latest', 'no latest version', status(LATEST, 404)),
  inAnswers('client-downloads/latest-osx', 'osx is unknown', status(/clients\/osx$/, 404)),
  inAnswers('client-downloads/latest-windows', 'windows is unknown', status(/clients\/windows$/, 404)),
  inRequests(
    'client-downloads/latest-other-refused',
    'any operating system will do',
    instead(/^GET \/download\/clients?\/beos$/, () => ({ path: '/download/clients/osx' })),
  ),
  inRequests(
    'client-downloads/latest-own-os',
    'osx gets the version for windows',
    instead(/^GET \/download\/clients\/osx$/, () => ({ path: '/download/clients/windows' })),
  ),
  inAnswers(
    'client-downloads/latest-highest',
    'the latest version is the first one',
    json(LATEST, (download: Fields) => ({ ...download, version: '4.8.1' })),
  ),
  inAnswers(
    'client-downloads/latest-numeric',
    'versions are compared as texts',
    json(LATEST, (download: Fields) =>
      download['version'] === '4.10.0' ? { ...download, version: '4.9.3' } : download,
    ),
  ),
  inAnswers(
    'client-downloads/latest-skips-disabled',
    'the latest version is the highest, enabled or not',
    json(LATEST, (download: Fields) => ({ ...download, version: '5.0.0-beta.1' })),
  ),
  inAnswers('client-downloads/latest-short-path', 'no short path', status(/^GET \/download\/client\//, 404)),
  inAnswers('client-downloads/update', 'downloads cannot be changed', refuse(ENABLE)),
  inRequests('client-downloads/update-enabled', 'enabled is overlooked', onlyLooking(ENABLE)),
  inRequests(
    'client-downloads/update-enabled',
    'of several downloads two are disabled',
    instead(/^PATCH \/download\/clients\/\d+,\d+,/, (request) =>
      (jsonOf(request) as { readonly enabled?: unknown }).enabled === false
        ? { path: request.path.replace(/(\d+,\d+),.*/, '$1') }
        : undefined,
    ),
  ),
  inRequests(
    'client-downloads/update-leaves-others',
    'all downloads are enabled with one',
    instead(/^PATCH \/download\/clients\/\d+$/, (request) =>
      (jsonOf(request) as { readonly enabled?: unknown }).enabled === true
        ? { path: '/download/clients/1,2,3,4,5,6,7,8,9,10' }
        : undefined,
    ),
  ),
  inRequests(
    'client-downloads/update-leaves-others',
    'PATCH changes all downloads',
    instead(ENABLE, () => ({ path: '/download/clients/1,2,3,4,5,6,7,8,9,10' })),
  ),
  inRequests('client-downloads/update-own-account', 'PATCH changes the downloads of another account', (request) => {
    if (request.method !== 'PATCH') return undefined;
    const bare = forTheParent(ENABLE)(request)?.headers ?? request.headers;
    return { headers: withKey(bare, SECOND_KEY) };
  }),
  inRequests(
    'client-downloads/update-no-boolean-refused',
    'maybe enables a download',
    sent(ENABLE, ({ enabled }: Fields) => ({ enabled: enabled === 'maybe' ? true : enabled })),
  ),

  // Computers
  inRequests('computers/delete-all', 'DELETE /computers deletes nothing', onlyLooking(/^DELETE \/computers$/)),
  broken('computers/delete-all', 'DELETE /computers deletes a page of them', {
    async rewrite(request, ask) {
      if (`${request.method} ${request.path}` !== 'DELETE /computers') return undefined;
      const { body } = await ask({ ...request, method: 'GET' });
      const ids = (JSON.parse(body) as { readonly id: number }[]).map(({ id }) => id);
      return { path: `/computers/${ids.join(',')}` };
    },
  }),
];
