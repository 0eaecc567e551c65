/**
 * Mutants of accounts: creation, changes, states, tags, API keys, client keys and downloads.
 */

import { SERVICE_RULES, type ServiceRules } from '../../src/service/service-rules.ts';
import { FIRST_KEY, SECOND_KEY } from '../support/running-service.ts';
import type { PassingAnswer } from './meddling-proxy.ts';
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
} from './mutant-tools.ts';
import { basicOf, json, type Mutant } from './mutants.ts';

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

const isForm = ({ request }: PassingAnswer): boolean => /form/.test(headerOf(request, 'content-type') ?? '');

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

export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  // The account object
  {
    name: 'an Integrator that says it is none',
    clause: 'accounts/integrator-can-create',
    meddle: account({ canCreateSubAccounts: false }),
  },
  {
    name: 'a Child that says it is an Integrator',
    clause: 'accounts/child-cannot-create',
    meddle: account({ canCreateSubAccounts: true }),
  },
  {
    name: 'creatorEmail is always null',
    clause: 'accounts/creator-email-of-child',
    meddle: account({ creatorEmail: null }),
  },

  // Creating
  { name: 'no account can be created', clause: 'accounts/create', meddle: status(CREATE, 403) },
  {
    name: 'creations as JSON are refused',
    clause: 'accounts/create-as-json',
    meddle: refuse(CREATE, (answer) => !isForm(answer)),
  },
  {
    name: 'creations as form are refused',
    clause: 'accounts/create-as-form',
    meddle: refuse(CREATE, isForm),
  },
  {
    name: 'a Single Account creates accounts',
    clause: 'accounts/create-by-single-refused',
    rewrite: instead(CREATE, ({ headers }) => ({ headers: withKey(headers, FIRST_KEY) })),
  },
  {
    name: 'a Child creates accounts',
    clause: 'accounts/create-by-child-refused',
    rewrite: forTheParent(CREATE),
  },
  {
    name: 'firstname is not kept',
    clause: 'accounts/create-firstname',
    rewrite: creating((fields) => ({ ...fields, firstname: '-' })),
  },
  {
    name: 'a creation needs no firstname',
    clause: 'accounts/create-firstname-missing-refused',
    rewrite: creating((fields) => ({ firstname: '-', ...fields })),
  },
  {
    name: 'an empty firstname will do',
    clause: 'accounts/create-firstname-empty-refused',
    rewrite: creating((fields) => (fields['firstname'] === '' ? { ...fields, firstname: '-' } : fields)),
  },
  {
    name: 'a dash as firstname is no firstname',
    clause: 'accounts/create-firstname-dash',
    meddle: account({ firstname: '' }),
  },
  {
    name: 'lastname is not kept',
    clause: 'accounts/create-lastname',
    rewrite: creating((fields) => ({ ...fields, lastname: '-' })),
  },
  {
    name: 'a creation needs no lastname',
    clause: 'accounts/create-lastname-missing-refused',
    rewrite: creating((fields) => ({ lastname: '-', ...fields })),
  },
  {
    name: 'an empty lastname will do',
    clause: 'accounts/create-lastname-empty-refused',
    rewrite: creating((fields) => (fields['lastname'] === '' ? { ...fields, lastname: '-' } : fields)),
  },
  {
    name: 'a dash as lastname is no lastname',
    clause: 'accounts/create-lastname-dash',
    meddle: account({ lastname: '' }),
  },
  {
    name: 'email is written in capitals',
    clause: 'accounts/create-email',
    meddle: json(WHOAMI, (value: Fields) => ({ ...value, email: String(value['email']).toUpperCase() })),
  },
  {
    name: 'a creation needs no email',
    clause: 'accounts/create-email-missing-refused',
    rewrite: creating((fields) => ({ email: 'nobody@example.test', ...fields })),
  },
  {
    name: 'a password is not wanted',
    clause: 'accounts/create-password',
    meddle: refuse(CREATE, (answer) => 'password' in creationOf(answer).Account),
  },
  {
    name: 'a creation needs no password',
    clause: 'accounts/create-password-missing-refused',
    rewrite: creating((fields) => ({ password: 'aaaaaaaa', ...fields })),
  },
  {
    name: 'a password needs a digit',
    clause: 'accounts/create-password-no-complexity',
    meddle: refuse(CREATE, (answer) => /^\D*$/.test(String(creationOf(answer).Account['password']))),
  },
  {
    name: 'creatorRef is not kept',
    clause: 'accounts/create-creator-ref',
    rewrite: creating(without('creatorRef')),
  },
  {
    name: 'two Children have one creatorRef',
    clause: 'accounts/create-creator-ref-unique',
    rewrite: creating((fields) => ({ ...fields, creatorRef: newCreatorRef(fields['creatorRef']) })),
  },
  {
    name: 'ApiKeys is overlooked',
    clause: 'accounts/create-api-keys',
    rewrite: sent(CREATE, without('ApiKeys')),
  },
  {
    name: 'keys of a creation do not work',
    clause: 'accounts/create-api-keys-work',
    meddle: json(KEY, (key: string) => key.split('').toReversed().join('')),
  },
  {
    name: 'Tags is overlooked',
    clause: 'accounts/create-tags',
    rewrite: sent(CREATE, without('Tags')),
  },
  {
    name: 'a creation is refused for its keys when the account is there already',
    clause: 'accounts/create-refused-leaves-nothing',
    rewrite: sent(CREATE, without('ApiKeys')),
    meddle: refuse(CREATE, (answer) => creationOf(answer).ApiKeys !== undefined),
  },
  {
    name: 'creatorRef is required',
    clause: 'accounts/create-only-required',
    meddle: refuse(CREATE, (answer) => !isForm(answer) && !('creatorRef' in creationOf(answer).Account)),
  },
  {
    name: 'a new account has a webhook',
    clause: 'limits/webhooks-none-at-first',
    meddle: json(/^GET \/webhooks$/, () => [{ webhookId: 1 }]),
  },
  { name: 'no controllable accounts', clause: 'accounts/controllable', meddle: status(/controllable/, 403) },

  // Changing
  { name: 'PATCH /account is refused', clause: 'accounts/update', meddle: status(UPDATE, 403) },
  {
    name: 'PATCH /account answers true',
    clause: 'accounts/update-answers-like-whoami',
    meddle: json(UPDATE, () => true),
  },
  {
    name: 'PATCH /account answers what was before',
    clause: 'accounts/update-answer-shows-change',
    meddle: json(UPDATE, (value: Fields) => ({ ...value, firstname: '-', lastname: '-' })),
  },
  ...(['firstname', 'lastname', 'email', 'creatorRef'] as const).map((field) => ({
    name: `${field} cannot be changed`,
    clause: `accounts/update-${field === 'creatorRef' ? 'creator-ref' : field}` as const,
    rewrite: sent(UPDATE, without(field)),
  })),
  {
    name: 'password cannot be changed',
    clause: 'accounts/update-password',
    meddle: refuse(UPDATE, ({ request }) => 'password' in (jsonOf(request) as object)),
  },
  {
    name: 'a change of firstname changes lastname too',
    clause: 'accounts/update-leaves-the-rest',
    rewrite: sent(UPDATE, (fields: Fields) => ({
      ...fields,
      lastname: fields['firstname'] ?? fields['lastname'],
    })),
  },
  {
    name: 'PATCH /account changes the Integrator',
    clause: 'accounts/update-leaves-the-parent',
    rewrite: forTheParent(UPDATE),
  },
  {
    name: 'the old creatorRef goes on identifying',
    clause: 'accounts/update-creator-ref-identifies',
    rewrite: sent(UPDATE, without('creatorRef')),
  },
  {
    name: 'a refused PATCH has changed the names already',
    clause: 'accounts/update-refused-changes-nothing',
    rewrite: sent(UPDATE, ({ firstname, lastname }: Fields) => ({ firstname, lastname })),
    meddle: refuse(UPDATE, ({ request }) => 'password' in (jsonOf(request) as object)),
  },

  // Deleting
  {
    name: 'DELETE /account deletes nothing',
    clause: 'accounts/delete',
    rewrite: instead(DELETE, () => ({ method: 'GET', path: '/noop' })),
  },
  {
    name: 'the Integrator goes with its Child',
    clause: 'accounts/delete-leaves-the-parent',
    meddle: (answer) => (afterDeletion(answer) && !isForChild(answer.request) ? { status: 401 } : undefined),
  },
  {
    name: 'all Children go with one',
    clause: 'accounts/delete-leaves-other-children',
    meddle: (answer) =>
      afterDeletionOfSibling(answer) && isForChild(answer.request) ? { status: 401 } : undefined,
  },
  { name: 'keys of a deleted Child work', clause: 'accounts/delete-keys-stop', rules: rememberingKeys() },

  // State
  { name: 'no state to read', clause: 'accounts/state-read', meddle: status(STATE, 404) },
  {
    name: 'the state is an object',
    clause: 'accounts/state-json-string',
    meddle: json(STATE, (state) => ({ state })),
  },
  {
    name: 'active is called enabled',
    clause: 'accounts/state-active',
    meddle: json(STATE, (state: string) => (state === 'active' ? 'enabled' : state)),
  },
  {
    name: 'suspended is called blocked',
    clause: 'accounts/state-suspended',
    meddle: json(STATE, (state: string) => (state === 'suspended' ? 'blocked' : state)),
  },
  {
    name: 'a new Child is suspended',
    clause: 'accounts/state-initially-active',
    meddle: account({ state: 'suspended' }),
  },
  {
    name: 'a Child cannot be suspended',
    clause: 'accounts/state-suspend',
    rewrite: sent(SET_STATE, () => 'active'),
  },
  {
    name: 'a Child cannot be reactivated',
    clause: 'accounts/state-activate',
    rewrite: sent(SET_STATE, () => 'suspended'),
  },
  {
    name: 'the account object is always active',
    clause: 'accounts/state-in-account-object',
    meddle: account({ state: 'active' }),
  },
  {
    name: 'any other state means active',
    clause: 'accounts/state-other-refused',
    rewrite: sent(SET_STATE, (state) => (state === 'suspended' ? state : 'active')),
  },
  {
    name: 'the Integrator is suspended with its Child',
    clause: 'accounts/state-leaves-the-parent',
    meddle: (answer) => (isForChild(answer.request) ? undefined : account({ state: 'suspended' })(answer)),
  },

  // Tags
  { name: 'tags cannot be created', clause: 'accounts/tag-create', meddle: refuse(SET_TAG) },
  {
    name: 'tags cannot be replaced',
    clause: 'accounts/tag-update',
    rewrite: instead(SET_TAG, ({ path }) => {
      const isKnown = tagsWritten.has(path);
      tagsWritten.add(path);
      return isKnown ? { method: 'GET', body: '' } : undefined;
    }),
  },
  { name: 'tags cannot be read', clause: 'accounts/tag-read', meddle: status(TAG, 404) },
  {
    name: 'tags cannot be removed',
    clause: 'accounts/tag-delete',
    rewrite: onlyLooking(/^DELETE \/account\/tag\//),
  },
  {
    name: 'a missing tag is null',
    clause: 'accounts/tag-read-missing',
    meddle: acceptRefused(TAG),
  },
  {
    name: 'a tag name has a punctuation mark',
    clause: 'accounts/tag-name-letters-digits',
    meddle: refuse(SET_TAG, ({ path }) => /\/tag\/[A-Za-z0-9]+$/.test(path)),
  },
  {
    name: 'a tag name has no dot',
    clause: 'accounts/tag-name-dot-dash-underscore',
    meddle: refuse(SET_TAG, ({ path }) => path.includes('.')),
  },
  {
    name: 'a tag name may have blanks',
    clause: 'accounts/tag-name-other-refused',
    rewrite: instead(SET_TAG, ({ path }) => ({ path: path.replaceAll('%20', '_') })),
  },
  {
    name: 'tag values are trimmed',
    clause: 'accounts/tag-value-string',
    rewrite: sent(SET_TAG, (value: string) => value.trim()),
  },
  { name: 'Tags is always empty', clause: 'accounts/tag-in-account-object', meddle: account({ Tags: [] }) },
  {
    name: 'tags of a Child are those of its Integrator',
    clause: 'accounts/tags-per-account',
    rewrite: forTheParent(/\/account\/tag\//),
  },

  // API keys
  { name: 'keys cannot be created', clause: 'accounts/api-key-create', meddle: refuse(MAKE_KEY) },
  { name: 'keys cannot be read', clause: 'accounts/api-key-read', meddle: status(KEY, 404) },
  {
    name: 'keys cannot be deleted',
    clause: 'accounts/api-key-delete',
    rewrite: onlyLooking(/^DELETE \/account\/apikey\//),
  },
  {
    name: 'a created key does not work',
    clause: 'accounts/api-key-authenticates',
    meddle: json(MAKE_KEY, (key: string) => key.split('').toReversed().join('')),
  },
  {
    name: 'an account has one key whatever its name',
    clause: 'accounts/api-key-many',
    rewrite: instead(MAKE_KEY, () => ({ path: '/account/apikey/the-only-one' })),
  },
  { name: 'a deleted key works', clause: 'accounts/api-key-deleted-401', rules: rememberingKeys() },

  // Client keys
  { name: 'no client keys', clause: 'client-downloads/client-key', meddle: status(CLIENT_KEY, 404) },
  {
    name: 'client keys for one edition',
    clause: 'client-downloads/client-key-edition',
    meddle: status(CLIENT_KEY, 404, ({ path }) => !path.includes('edition=standard')),
  },
  {
    name: 'client keys for one version',
    clause: 'client-downloads/client-key-version',
    meddle: status(CLIENT_KEY, 404, ({ path }) => !path.includes('version=1.2.3')),
  },
  {
    name: 'a client key that connects nobody',
    clause: 'client-downloads/client-key-connects',
    meddle: json(CLIENT_KEY, (key: string) => key.split('').toReversed().join('')),
  },
  {
    name: 'a client key is an API key',
    clause: 'client-downloads/client-key-no-api-key',
    rules: {
      authenticate: (authorization, findByKey) =>
        SERVICE_RULES.authenticate(authorization, (key) =>
          findByKey(key.startsWith('ck-') ? FIRST_KEY : key),
        ),
    },
  },
  {
    name: 'a client key has 48 characters',
    clause: 'limits/client-key',
    meddle: json(CLIENT_KEY, (key: string) => `${key}x`),
  },
  {
    name: 'no client keys for a Child',
    clause: 'authentication/delegated-key-of-child',
    meddle: status(CLIENT_KEY, 403, ({ request }) => isForChild(request)),
  },
  {
    name: 'the client key of a Child is one of its Integrator',
    clause: 'authentication/delegated-child-on-the-fly',
    rewrite: forTheParent(CLIENT_KEY),
  },

  // Client downloads
  {
    name: 'no list of downloads',
    clause: 'client-downloads/list',
    meddle: status(/^GET \/download\/clients$/, 404),
  },
  {
    name: 'a set of downloads is empty',
    clause: 'client-downloads/list-set',
    meddle: json(/^GET \/download\/clients\/\d/, () => []),
  },
  {
    name: 'a set of downloads shows all',
    clause: 'client-downloads/list-set-only',
    rewrite: instead(/^GET \/download\/clients\/\d/, () => ({ path: '/download/clients' })),
  },
  { name: 'no latest version', clause: 'client-downloads/latest', meddle: status(LATEST, 404) },
  { name: 'osx is unknown', clause: 'client-downloads/latest-osx', meddle: status(/clients\/osx$/, 404) },
  {
    name: 'windows is unknown',
    clause: 'client-downloads/latest-windows',
    meddle: status(/clients\/windows$/, 404),
  },
  {
    name: 'any operating system will do',
    clause: 'client-downloads/latest-other-refused',
    rewrite: instead(/^GET \/download\/clients?\/beos$/, () => ({ path: '/download/clients/osx' })),
  },
  {
    name: 'osx gets the version for windows',
    clause: 'client-downloads/latest-own-os',
    rewrite: instead(/^GET \/download\/clients\/osx$/, () => ({ path: '/download/clients/windows' })),
  },
  {
    name: 'the latest version is the first one',
    clause: 'client-downloads/latest-highest',
    meddle: json(LATEST, (download: Fields) => ({ ...download, version: '4.8.1' })),
  },
  {
    name: 'versions are compared as texts',
    clause: 'client-downloads/latest-numeric',
    meddle: json(LATEST, (download: Fields) =>
      download['version'] === '4.10.0' ? { ...download, version: '4.9.3' } : download,
    ),
  },
  {
    name: 'the latest version is the highest, enabled or not',
    clause: 'client-downloads/latest-skips-disabled',
    meddle: json(LATEST, (download: Fields) => ({ ...download, version: '5.0.0-beta.1' })),
  },
  {
    name: 'no short path',
    clause: 'client-downloads/latest-short-path',
    meddle: status(/^GET \/download\/client\//, 404),
  },
  { name: 'downloads cannot be changed', clause: 'client-downloads/update', meddle: refuse(ENABLE) },
  {
    name: 'enabled is overlooked',
    clause: 'client-downloads/update-enabled',
    rewrite: onlyLooking(ENABLE),
  },
  {
    name: 'PATCH changes all downloads',
    clause: 'client-downloads/update-leaves-others',
    rewrite: instead(ENABLE, () => ({ path: '/download/clients/1,2,3,4,5,6,7,8,9,10' })),
  },
  {
    name: 'PATCH changes the downloads of another account',
    clause: 'client-downloads/update-own-account',
    rewrite: (request) => {
      if (request.method !== 'PATCH') return undefined;
      const bare = forTheParent(ENABLE)(request)?.headers ?? request.headers;
      return { headers: withKey(bare, SECOND_KEY) };
    },
  },
  {
    name: 'yes enables a download',
    clause: 'client-downloads/update-no-boolean-refused',
    rewrite: sent(ENABLE, ({ enabled }: Fields) => ({ enabled: enabled === 'yes' ? true : enabled })),
  },

  // Computers
  {
    name: 'DELETE /computers deletes nothing',
    clause: 'computers/delete-all',
    rewrite: onlyLooking(/^DELETE \/computers$/),
  },
];
