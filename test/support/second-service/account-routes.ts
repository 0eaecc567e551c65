/**
 * Accounts, tags, API keys, client keys and downloads.
 */

import {
  badRequest,
  integerIn,
  isObject,
  notFound,
  onlyQuery,
  readBody,
  readObject,
  readSet,
  Refusal,
  stringIn,
  type Answer,
  type Call,
} from './reading-requests.ts';
import type { Routes } from './http-front.ts';
import { randomText, type Account, type Json, type JsonObject, type Store } from './store.ts';

const MOST_NAMES = 10;
const KEY_NAME_BYTES = 16;

export interface AccountWatcher {
  /** Keys stopped being good, or an account was suspended or deleted. */
  accessChanged(): void;
}

export function accountRoutes(store: Store, watcher: AccountWatcher): Routes {
  return [
    ['GET /whoami', ({ account }) => ({ json: whoami(store, account) })],
    ['POST /account', (call) => createChild(store, call)],
    ['PATCH /account', (call) => changeChild(store, call)],
    [
      'DELETE /account',
      (call) => {
        const child = childOf(call);
        for (const computer of store.computersOf(child)) store.removeComputer(computer);
        store.accounts.delete(child.id);
        watcher.accessChanged();
        return { status: 204 };
      },
    ],
    ['GET /account/state', ({ account }) => ({ json: account.state })],
    [
      'PUT /account/state',
      (call) => {
        const child = childOf(call);
        const state = readBody(call);
        if (state !== 'active' && state !== 'suspended') throw badRequest('The state is active or suspended');
        child.state = state;
        watcher.accessChanged();
        return { json: { state } };
      },
    ],
    ['GET /account/controllable', ({ caller }) => ({ json: [caller, ...store.childrenOf(caller)].map(briefly) })],
    ['GET /account/tag/:name', ({ account, path }) => ({ json: existing(account.tags, path['name']) })],
    ['POST /account/tag/:name', setTag],
    [
      'DELETE /account/tag/:name',
      ({ account, path }) => {
        existing(account.tags, path['name']);
        return { json: account.tags.delete(path['name'] ?? '') };
      },
    ],
    [
      'GET /account/apikey/:name',
      ({ account, path }) => ({
        json: { name: path['name'] ?? '', key: existing(account.keys, path['name']) },
      }),
    ],
    [
      'POST /account/apikey/:name',
      ({ account, path }) => {
        const name = path['name'] ?? '';
        const key = account.keys.get(name) ?? randomText(32);
        account.keys.set(name, key);
        return { status: 201, json: { name, key } };
      },
    ],
    [
      'DELETE /account/apikey/:name',
      ({ account, path }) => {
        existing(account.keys, path['name']);
        account.keys.delete(path['name'] ?? '');
        watcher.accessChanged();
        return { status: 204 };
      },
    ],
    [
      'GET /client/key/:uuid',
      (call) => {
        onlyQuery(call, ['edition', 'version']);
        const key = randomText(47);
        call.account.clientKeys.add(key);
        return { json: key };
      },
    ],
    ['GET /download/client/:os', (call) => ({ json: latest(call) })],
    ['GET /download/clients', ({ account }) => ({ json: downloadsOf(account) })],
    [
      'GET /download/clients/:set',
      (call) => ({ json: /^[a-z]+$/.test(call.path['set'] ?? '') ? latest(call) : selected(call) }),
    ],
    [
      'PATCH /download/clients/:set',
      (call) => {
        const { enabled } = readObject(call);
        if (typeof enabled !== 'boolean' && enabled !== 'true' && enabled !== 'false') {
          throw badRequest('enabled must be a boolean');
        }
        const chosen = selected(call);
        for (const { id } of chosen) {
          if (String(enabled) === 'true') call.account.disabledDownloads.delete(id);
          else call.account.disabledDownloads.add(id);
        }
        return { json: chosen.map(({ id }) => id) };
      },
    ],
  ];
}

function whoami(store: Store, account: Account): Json {
  const computers = store.computersOf(account);
  return {
    id: account.id,
    firstname: account.firstname,
    lastname: account.lastname,
    email: account.email,
    canCreateSubAccounts: account.mayHaveChildren,
    creatorEmail: account.parent?.email ?? null,
    creatorRef: account.creatorRef,
    childAccounts: store.childrenOf(account).map(({ id, email }) => ({ id, email })),
    credits: null,
    numComputers: computers.length,
    totalPrints: store.jobsOf(account).filter(({ states }) => states.some(({ state }) => state === 'done')).length,
    versions: [...new Set(computers.flatMap(({ version }) => version ?? []))],
    connected: computers.filter(({ isConnected }) => isConnected).map(({ id }) => id),
    Tags: tagsOf(account),
    state: account.state,
    permissions: ['Unrestricted'],
    plan: 'second',
  };
}

function tagsOf({ tags }: Account): Json {
  return tags.size === 0 ? [] : Object.fromEntries(tags);
}

function briefly({ id, firstname, lastname, email, creatorRef, state }: Account): Json {
  return { id, firstname, lastname, email, creatorRef, state };
}

function createChild(store: Store, call: Call): Answer {
  const { account, caller } = call;
  if (account !== caller || !account.mayHaveChildren) {
    throw new Refusal(403, 'Forbidden', 'Only an Integrator Account creates Child Accounts');
  }
  const { Account: fields, ApiKeys: names, Tags: tags } = readObject(call);
  if (!isObject(fields)) throw badRequest('Account must be an object');
  const given = readAccountFields(fields);
  for (const key of ['firstname', 'lastname', 'email', 'password'] as const) {
    if (!given[key]) throw badRequest(`Account[${key}] is required`);
  }
  refuseTaken(store, given, undefined);
  const keyNames = readNames(names);
  const values = readTags(tags);
  const child = store.addAccount({ email: '', ...given, parent: account, mayHaveChildren: false });
  for (const name of keyNames) child.keys.set(name, randomText(32));
  for (const [name, value] of values) child.tags.set(name, value);
  return {
    status: 200,
    json: {
      Account: { ...(briefly(child) as JsonObject), credits: null },
      ApiKeys: child.keys.size === 0 ? [] : Object.fromEntries(child.keys),
      Tags: tagsOf(child),
    },
  };
}

const FIELDS = ['firstname', 'lastname', 'email', 'password', 'creatorRef'] as const;
type AccountFields = Partial<Record<(typeof FIELDS)[number], string>>;

function readAccountFields(fields: JsonObject): AccountFields {
  const given: AccountFields = {};
  for (const key of FIELDS) {
    if (fields[key] === undefined || (key === 'creatorRef' && fields[key] === null)) continue;
    const value = stringIn(fields, key);
    if (value === '') throw badRequest(`${key} must not be empty`);
    given[key] = value;
  }
  if (given.password !== undefined && Buffer.byteLength(given.password) < 8) {
    throw badRequest('A password has at least 8 bytes');
  }
  return given;
}

function refuseTaken(store: Store, { email, creatorRef }: AccountFields, except: Account | undefined): void {
  for (const other of store.accounts.values()) {
    if (other === except) continue;
    if (other.email === email) throw badRequest('There is an account with this email');
    if (creatorRef !== undefined && other.creatorRef === creatorRef) {
      throw badRequest('There is an account with this creatorRef');
    }
  }
}

function readNames(names: Json | undefined): readonly string[] {
  if (names === undefined || names === null) return [];
  if (!Array.isArray(names) || names.length > MOST_NAMES) throw badRequest('ApiKeys are up to 10 names');
  return names.map((name: Json) => {
    if (typeof name !== 'string' || name === '' || Buffer.byteLength(name) > KEY_NAME_BYTES) {
      throw badRequest('The name of an API key is a string of at most 16 bytes');
    }
    return name;
  });
}

function readTags(tags: Json | undefined): readonly (readonly [string, string])[] {
  if (tags === undefined || tags === null || (Array.isArray(tags) && tags.length === 0)) return [];
  if (!isObject(tags)) throw badRequest('Tags must be an object');
  return Object.entries(tags).map(([name, value]) => {
    if (typeof value !== 'string' || Buffer.byteLength(value) > 1024) {
      throw badRequest('The value of a tag is a string of at most 1024 bytes');
    }
    return [tagName(name), value] as const;
  });
}

function tagName(name: string): string {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) throw badRequest(`'${name}' is no name of a tag`);
  return name;
}

function changeChild(store: Store, call: Call): Answer {
  const child = childOf(call);
  const given = readAccountFields(readObject(call));
  refuseTaken(store, given, child);
  Object.assign(child, given);
  return { json: whoami(store, child) };
}

/** The Child Account that a header has selected. */
function childOf({ account, caller }: Call): Account {
  if (account === caller) throw badRequest('Say which Child Account, with an X-Child-Account-By-* header');
  return account;
}

function setTag(call: Call): Answer {
  const name = tagName(call.path['name'] ?? '');
  const value = readBody(call);
  if (typeof value !== 'string' || value.length > 1024) {
    throw badRequest('The value of a tag is a JSON string of at most 1024 characters');
  }
  const isNew = !call.account.tags.has(name);
  call.account.tags.set(name, value);
  return { json: isNew ? 'create' : 'update' };
}

function existing(map: ReadonlyMap<string, string>, name = ''): string {
  const value = map.get(name);
  if (value === undefined) throw notFound(`There is no '${name}'`);
  return value;
}

type Download = {
  readonly id: number;
  readonly os: string;
  readonly version: string;
  readonly enabled: boolean;
  readonly edition: string;
  readonly url: string;
};

const RELEASES = [
  { id: 2_000_000_011, os: 'windows', version: '4.27.8' },
  { id: 2_000_000_033, os: 'windows', version: '4.9.12' },
  { id: 2_000_000_040, os: 'windows', version: '4.27.10' },
  { id: 2_000_000_051, os: 'osx', version: '4.10.0' },
  { id: 2_000_000_088, os: 'osx', version: '4.9.9' },
];

function downloadsOf({ disabledDownloads }: Account): readonly Download[] {
  return RELEASES.map((release) => ({
    ...release,
    enabled: !disabledDownloads.has(release.id),
    edition: 'standard',
    url: `https://downloads.example/${release.os}/${release.version}`,
  }));
}

function selected(call: Call): readonly Download[] {
  const isIn = readSet(call.path['set'] ?? '');
  return downloadsOf(call.account).filter(({ id }) => isIn(id));
}

function latest({ account, path }: Call): Json {
  const os = path['os'] ?? path['set'];
  if (os !== 'osx' && os !== 'windows') throw notFound(`There is no client for '${os}'`);
  const enabled = downloadsOf(account).filter((one) => one.os === os && one.enabled);
  const newest = enabled.toSorted((a, b) => compareVersions(b.version, a.version))[0];
  if (!newest) throw notFound(`No client for ${os} is enabled`);
  return newest;
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map((part) => integerIn(part, 'version', 0)));
  const differing = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return differing < 0 ? 0 : (left?.[differing] ?? 0) - (right?.[differing] ?? 0);
}
