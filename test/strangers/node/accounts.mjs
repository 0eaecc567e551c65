// Accounts, whose request it is, tags and keys.
import { randomBytes } from 'node:crypto';
import { fieldsOf, object, text } from './body.mjs';
import { Bucket } from './bucket.mjs';
import { Refusal, notFound, unauthorized, unfit } from './errors.mjs';
import { forgetWaiting } from './jobs.mjs';
import { closeWhere } from './link.mjs';
import { nextId, remove, save, state } from './store.mjs';

const buckets = new Map();

/** An account with a key, as there has to be one before the first request. */
export function foundAccount({ email, mayCreate, key }) {
  const id = nextId();
  save('accounts', id, blank({ id, email, mayCreate, parent: null, firstname: '-', lastname: '-', creatorRef: null }));
  save('keys', key, { key, accountId: id, name: 'first' });
}

const blank = (fields) => ({ tags: {}, state: 'active', disabled: {}, ...fields });

export const childrenOf = (account) => [...state.accounts.values()].filter(({ parent }) => parent === account.id);
export const keysOf = (account) => [...state.keys.values()].filter(({ accountId }) => accountId === account.id);

function bucketOf(account) {
  if (!buckets.has(account.id)) buckets.set(account.id, new Bucket());
  return buckets.get(account.id);
}

/** The account of a key, if it may still be used. */
export function accountOfKey(key) {
  const account = state.accounts.get(state.keys.get(key)?.accountId);
  return account?.state === 'active' ? account : undefined;
}

export function userOf(authorization) {
  const [, encoded] = /^basic +([a-z0-9+/]+=*) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  return Buffer.from(encoded, 'base64').toString().split(':')[0];
}

const SELECTORS = {
  'x-child-account-by-id': (child, value) => String(child.id) === value,
  'x-child-account-by-email': (child, value) => child.email === value,
  'x-child-account-by-creatorref': (child, value) => child.creatorRef === value,
};

/** Whose request it is: {own, account, payer, headers of the answer}. */
export function callerOf({ headers }) {
  const own = accountOfKey(userOf(headers.authorization));
  if (!own) throw unauthorized('there is no such key, or it is not in use');
  const named = Object.keys(SELECTORS).filter((name) => headers[name] !== undefined);
  if (named.length === 0) {
    return {
      own,
      account: own,
      payer: { bucket: bucketOf(own) },
      headers: { 'X-AUTH-WITH': 'ApiKey', 'X-ACCOUNT': own.id },
    };
  }
  const fitting = childrenOf(own).filter((child) =>
    named.every((name) => SELECTORS[name](child, Buffer.from(headers[name], 'latin1').toString())),
  );
  // Two Children may have one address, which then names neither.
  if (fitting.length !== 1) throw unauthorized('no header of the request names a Child Account');
  const [account] = fitting;
  const used = Object.fromEntries(named.map((name) => [name, headers[name]]));
  return {
    own,
    account,
    payer: { bucket: bucketOf(account) },
    headers: { 'X-AUTH-WITH': 'ApiKey', 'X-ACCOUNT': account.id, 'X-AUTHORIZED-AS': own.id, ...used },
  };
}

function shown(account) {
  const mine = (kind) => [...state[kind].values()].filter(({ accountId }) => accountId === account.id);
  const computers = mine('computers');
  return {
    state: account.state,
    permissions: [],
    lastname: account.lastname,
    id: account.id,
    firstname: account.firstname,
    email: account.email,
    creatorRef: account.creatorRef,
    creatorEmail: state.accounts.get(account.parent)?.email ?? null,
    canCreateSubAccounts: account.mayCreate,
    childAccounts: childrenOf(account).map(({ email }) => ({ mail: email })),
    credits: 12,
    numComputers: computers.length,
    totalPrints: mine('jobs').filter(({ isDone }) => isDone).length,
    versions: [...new Set(computers.map(({ version }) => version))].map((version) => ({ is: version })),
    connected: computers.filter(({ isConnected }) => isConnected).map(({ id }) => String(id)),
    Tags: Object.keys(account.tags),
    plan: 'fair',
  };
}

export const whoami = ({ account }) => ({ value: shown(account) });

const NAMES = { least: 1, most: 1_000 };
const isKeyName = (name) => typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= 16;
const TAG = /^[A-Za-z0-9._-]{1,64}$/;

function freeRef(own, ref, except) {
  if (ref === undefined) return;
  const isTaken = childrenOf(own).some((child) => child.creatorRef === ref && child.id !== except);
  if (isTaken) throw new Refusal(409, 'RefTaken', `creatorRef ${ref} belongs to another Child`);
}

export function create({ own, account, body }) {
  if (account !== own || !own.mayCreate) throw new Refusal(403, 'NoIntegrator', 'only an Integrator makes accounts');
  const fields = fieldsOf(body);
  const given = object(fields, 'Account') ?? {};
  const record = {
    firstname: text(given, 'firstname', NAMES),
    lastname: text(given, 'lastname', NAMES),
    email: text(given, 'email', { least: 3, most: 320 }),
    creatorRef: text(given, 'creatorRef', { optional: true, ...NAMES }) ?? null,
  };
  text(given, 'password', { bytes: 8 });
  freeRef(own, record.creatorRef ?? undefined);
  const names = fields.ApiKeys ?? [];
  if (!Array.isArray(names) || names.length > 10) throw unfit('ApiKeys has to be a list of at most ten names');
  if (!names.every(isKeyName)) throw unfit('a name in ApiKeys has 1 to 16 bytes');
  const tags = object(fields, 'Tags') ?? {};
  for (const [name, value] of Object.entries(tags)) {
    if (!TAG.test(name) || typeof value !== 'string' || Buffer.byteLength(value) > 1_024) throw unfit(`tag ${name}`);
  }
  const id = nextId();
  const child = save('accounts', id, blank({ id, ...record, parent: own.id, mayCreate: false, tags }));
  const keys = [...new Set(names)].map((name) => newKey(child, name));
  return { status: 201, value: { created: { account: id }, keys: keys.map(({ key, name }) => ({ [name]: key })) } };
}

function newKey(account, name) {
  const key = randomBytes(18).toString('base64url');
  return save('keys', key, { key, name, accountId: account.id });
}

export function update({ own, account, body }) {
  const fields = fieldsOf(body);
  const change = {
    firstname: text(fields, 'firstname', { optional: true, ...NAMES }),
    lastname: text(fields, 'lastname', { optional: true, ...NAMES }),
    email: text(fields, 'email', { optional: true, least: 3, most: 320 }),
    creatorRef: text(fields, 'creatorRef', { optional: true, ...NAMES }),
  };
  text(fields, 'password', { optional: true, bytes: 8 });
  if (account === own && change.creatorRef !== undefined) throw unfit('creatorRef is of a Child Account');
  freeRef(own, change.creatorRef, account.id);
  for (const [name, value] of Object.entries(change)) if (value !== undefined) account[name] = value;
  save('accounts', account.id, account);
  return { value: shown(account) };
}

const needChild = (own, account) => {
  if (account === own) throw new Refusal(403, 'ChildOnly', 'a header has to name a Child Account');
};

export function erase({ own, account }) {
  needChild(own, account);
  for (const kind of ['keys', 'computers', 'printers', 'jobs', 'webhooks', 'idempotency', 'clientKeys']) {
    for (const [id, record] of state[kind]) if (record.accountId === account.id) remove(kind, id);
  }
  forgetWaiting(account);
  remove('accounts', account.id);
  closeWhere((one) => one.account.id === account.id, 4401, 'the account is gone');
  return { value: { gone: account.id } };
}

export const readState = ({ account }) => ({ value: account.state });

export function writeState({ own, account, body }) {
  needChild(own, account);
  if (body !== 'active' && body !== 'suspended') throw unfit('the body is "active" or "suspended"');
  save('accounts', account.id, Object.assign(account, { state: body }));
  if (body === 'suspended') closeWhere((one) => one.account.id === account.id, 4401, 'the account is suspended');
  return { status: 202, value: null };
}

export const controllable = ({ own }) => ({ value: { accounts: childrenOf(own).map(({ id }) => ({ account: id })) } });

const tagNamed = (account, name) => {
  if (!Object.hasOwn(account.tags, name)) throw notFound(`tag ${name}`);
  return account.tags[name];
};

export const readTag = ({ account }, name) => ({ value: { of: name, is: tagNamed(account, name) } });

export function writeTag({ account, body }, name) {
  const value = typeof body === 'object' && body !== null ? body.value : body;
  if (!TAG.test(name)) throw unfit('the name of a tag has up to 64 letters, digits, dots, dashes and underscores');
  if (typeof value !== 'string' || Array.from(value).length > 1_024)
    throw unfit('the value is a string of at most 1024');
  Object.defineProperty(account.tags, name, { value, enumerable: true, writable: true, configurable: true });
  save('accounts', account.id, account);
  return { status: 201, value: { of: name } };
}

export function eraseTag({ account }, name) {
  tagNamed(account, name);
  delete account.tags[name];
  save('accounts', account.id, account);
  return { value: [] };
}

const keyNamed = (account, name) => keysOf(account).find((one) => one.name === name);

export function readKey({ account }, name) {
  const found = keyNamed(account, name);
  if (!found) throw notFound(`key ${name}`);
  return { value: { secret: found.key, description: name } };
}

export function makeKey({ account }, name) {
  if (keyNamed(account, name)) throw new Refusal(409, 'KeyThere', `there is a key ${name}`);
  return { status: 201, value: { secret: newKey(account, name).key, description: name } };
}

export function eraseKey({ account }, name) {
  const found = keyNamed(account, name);
  if (!found) throw notFound(`key ${name}`);
  if (account.parent === null && keysOf(account).length === 1) throw new Refusal(403, 'LastKey', 'it is the last one');
  remove('keys', found.key);
  closeWhere((one) => one.key === found.key, 4401, 'the key is revoked');
  return { value: [] };
}
