/**
 * Children of a check: Child Accounts that exist for it alone.
 *
 * The specification does not show what POST /account answers, so a new account is found by the email it
 * was made with. Each is deleted after the check, a refused one too if it exists after all; but only once the
 * service has shown that its header leads to another account than the Integrator's own.
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { messageOf } from '../../common/error-message.ts';
import { isObject, type JsonObject, parseJson } from '../../common/json-value.ts';
import type { HeaderPair } from '../../common/header-pairs.ts';
import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS, REQUEST_HEADERS } from '../../specification/headers.ts';
import { isId, isText } from '../expect/records.ts';
import { expectSuccess, type Answer } from '../expect/answer.ts';
import type { ApiClient, Content } from './api-client.ts';
import { CheckEnded } from './check-ended.ts';
import type { History } from './history.ts';

/** The body of POST /account. */
export interface Creation {
  readonly Account: JsonObject;
  readonly ApiKeys?: unknown;
  readonly Tags?: unknown;
}

export const ENCODINGS = ['json', 'form'] as const;
export type Encoding = (typeof ENCODINGS)[number];
/** Writes a value in another way than plain JSON or a form. */
export type Write = (value: object | string) => Content;

export interface Child {
  readonly id: number;
  readonly email: string;
  readonly creatorRef: string;
  /** What makes a request of the Integrator act as this Child. */
  readonly byId: HeaderPair;
  readonly byEmail: HeaderPair;
  readonly byCreatorRef: HeaderPair;
  /** Acts as the Child, by its id or else by a name that leads to it. */
  readonly api: ApiClient;
  /** As `api`, for the cleaning up. */
  readonly cleaner: ApiClient;
}

export interface Children {
  /** A valid creation, for an account that does not exist yet. */
  sound(more?: JsonObject): Creation;
  /** Sends a creation, and accepts any answer. */
  send(creation: Creation, encoding?: Encoding | Write): Promise<Answer>;
  /** As `send`, by the second account, who may not do it. */
  sendBySecond(creation: Creation): Promise<Answer>;
  /** The account that a creation made. Ends the check as blocked when it is not found. */
  find(creation: Creation): Promise<Child>;
  /** A new Child. Ends the check as blocked when it cannot be made. */
  create(more?: Omit<Creation, 'Account'>): Promise<Child>;
  /** A new Child of the second account, who must be an Integrator too. */
  ofSecondAccount(): Promise<Child>;
  /** The check has deleted it and has seen that it is gone: nothing is left to do. */
  isGone(child: Child): void;
  /** Deletes what is left, and returns a line for each account that could not be. */
  close(): Promise<readonly string[]>;
}

export interface Parent {
  readonly apiKey: string;
  readonly api: ApiClient;
  readonly cleaner: ApiClient;
  /** A client of this account that sends these headers with every request. */
  readonly acting: (headers: readonly HeaderPair[]) => Pick<Child, 'api' | 'cleaner'>;
}

export interface ChildrenOptions {
  readonly parent: Parent;
  readonly second: Parent;
  readonly history: History;
  readonly uniqueText: (what: string) => string;
}

const PASSWORD = 'aaaaaaaa';

/** An account that may be there. */
interface Made {
  readonly owner: Parent;
  /** Each of these headers should lead to it. */
  readonly names: readonly HeaderPair[];
  isRefused: boolean;
}

/** What an account is, as it shows itself. */
interface Look {
  readonly id: string | undefined;
  readonly children: number | undefined;
}

export function createChildren({ parent, second, history, uniqueText }: ChildrenOptions): Children {
  const made = new Map<Creation, Made>();
  const ownIds = new Map<Parent, string | undefined>();
  /** How many Children an owner had before a creation that it may refuse. */
  const childrenBefore = new Map<Parent, number | undefined>();

  const post = async (owner: Parent, creation: Creation, encoding: Encoding | Write): Promise<Answer> => {
    if (!ownIds.has(owner)) ownIds.set(owner, idShownBefore(history, owner) ?? (await lookAt(owner.cleaner)).id);
    const one = { owner, names: namesOf(creation), isRefused: false };
    made.set(creation, one);
    const content = typeof encoding === 'string' ? { [encoding]: creation } : encoding(creation);
    const answer = await owner.api.send({ method: 'POST', path: '/account', ...content });
    one.isRefused = answer.status >= 400;
    return answer;
  };

  /** As `post`, of what the service may refuse. */
  const send = async (owner: Parent, creation: Creation, encoding: Encoding | Write): Promise<Answer> => {
    if (!childrenBefore.has(owner)) {
      const { id, children } = await lookAt(owner.cleaner);
      ownIds.set(owner, id);
      childrenBefore.set(owner, children);
    }
    return post(owner, creation, encoding);
  };

  const find = async (owner: Parent, creation: Creation): Promise<Child> => {
    const child = await childOf(owner, creation, ownIds.get(owner));
    made.set(creation, { owner, names: [child.byId, ...namesOf(creation)], isRefused: false });
    return child;
  };

  const create = async (owner: Parent, creation: Creation): Promise<Child> => {
    const mismatch = expectSuccess(await post(owner, creation, 'json'));
    if (mismatch) throw new CheckEnded('blocked', mismatch);
    return find(owner, creation);
  };

  const children: Children = {
    sound(more) {
      const creatorRef = uniqueText('child');
      const email = `${creatorRef}@example.test`;
      return { Account: { firstname: '-', lastname: '-', email, password: PASSWORD, creatorRef, ...more } };
    },
    send: (creation, encoding = 'json') => send(parent, creation, encoding),
    sendBySecond: (creation) => send(second, creation, 'json'),
    find: (creation) => find(parent, creation),
    create: (more) => create(parent, { ...children.sound(), ...more }),
    ofSecondAccount: () => create(second, children.sound()),
    isGone({ byEmail }) {
      for (const [creation, { names }] of made) {
        if (names.some(([name, value]) => name === byEmail[0] && value === byEmail[1])) made.delete(creation);
      }
    },
    async close() {
      const problems: string[] = [];
      for (const [owner, ownId] of ownIds) {
        const ofOwner = [...made.values()].filter((one) => one.owner === owner);
        problems.push(...(await removeChildren(ofOwner, ownId, () => hasThisMany(owner, childrenBefore.get(owner)))));
      }
      return problems;
    },
  };
  return children;
}

async function childOf(owner: Parent, creation: Creation, ownId: string | undefined): Promise<Child> {
  const { id, name, isSure: isSureOfName } = await foundBy(owner.api, creation, ownId);
  const byId = headerById(id);
  const shownById = await shownTo(owner.api, byId);
  const [header, isSure] = shownById.id === id ? [byId, shownById.isSure] : [name, isSureOfName];
  const { api, cleaner } = owner.acting([header]);
  const { email, creatorRef } = creation.Account;
  return {
    id,
    email: String(email),
    creatorRef: String(creatorRef),
    byId,
    byEmail: headerByEmail(String(email)),
    byCreatorRef: headerByCreatorRef(String(creatorRef)),
    // What a check changes as the Child must not be changed on its parent, where a service is mixed up.
    api: isSure ? api : onlyLooking(api, header),
    cleaner,
  };
}

/** @param areAsMany - whether the owner has as many Children as before those that were refused */
async function removeChildren(
  all: readonly Made[],
  ownId: string | undefined,
  areAsMany: () => Promise<boolean>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const one of all.filter(({ isRefused }) => !isRefused)) problems.push(...(await removeChild(one, ownId)));
  const refused = all.filter(({ isRefused }) => isRefused);
  // As many as before: none of the refused ones exists, and there is no need to ask for each.
  if (refused.length === 0 || (await areAsMany())) return problems;
  for (const one of refused) problems.push(...(await removeChild(one, ownId)));
  return problems;
}

export const headerById = (id: number): HeaderPair => [REQUEST_HEADERS.childAccountById.name, String(id)];
export const headerByEmail = (email: string): HeaderPair => [REQUEST_HEADERS.childAccountByEmail.name, email];
export const headerByCreatorRef = (creatorRef: string): HeaderPair => [
  REQUEST_HEADERS.childAccountByCreatorRef.name,
  creatorRef,
];

/**
 * By its email, or by its creatorRef: each creation of a check has its own, unless that is what is missing.
 */
function namesOf({ Account: { email, creatorRef } }: Creation): readonly HeaderPair[] {
  return [
    ...(isText(email) ? [headerByEmail(email)] : []),
    ...(isText(creatorRef) ? [headerByCreatorRef(creatorRef)] : []),
  ];
}

/** The account that a creation made, and what leads to it. Ends the check as blocked when nothing does. */
async function foundBy(
  api: ApiClient,
  creation: Creation,
  ownId: string | undefined,
): Promise<{ readonly id: number; readonly name: HeaderPair; readonly isSure: boolean }> {
  const seen: string[] = [];
  for (const name of namesOf(creation)) {
    const { id, isSure } = await shownTo(api, name);
    if (id !== undefined && String(id) !== ownId) return { id, name, isSure };
    seen.push(`${name[0]} led to ${id ?? 'no account'}`);
  }
  throw new CheckEnded('blocked', `the created account was not found: ${seen.join(', ')}`);
}

interface Shown {
  /** The id in the body. */
  readonly id: number | undefined;
  /** The header says the same. */
  readonly isSure: boolean;
}

/** The account that a header leads to, by what the service says of it. */
async function shownTo(api: ApiClient, name: HeaderPair): Promise<Shown> {
  const answer = await api.get('/whoami', [name]);
  const id = isObject(answer.value) ? answer.value['id'] : undefined;
  if (answer.status >= 300 || !isId(id)) return { id: undefined, isSure: false };
  return { id, isSure: answer.header(AUTHENTICATION_HEADERS.account.name) === String(id) };
}

/** A client for a Child that may be its parent after all. */
function onlyLooking(api: ApiClient, [name]: HeaderPair): ApiClient {
  const refuse = (): Promise<never> =>
    Promise.reject(new CheckEnded('blocked', `cannot confirm that ${name} selects the Child: nothing was changed`));
  return {
    ...api,
    send: (request) => (request.method === 'GET' ? api.send(request) : refuse()),
    attempt: refuse,
    post: refuse,
    put: refuse,
    patch: refuse,
    delete: refuse,
  };
}

/** The id of this account, where the run has seen it. */
function idShownBefore({ exchanges }: History, { apiKey }: Parent): string | undefined {
  const authorization = basicAuthorization(apiKey);
  const shown = exchanges.find(
    ({ request, response }) =>
      request.path === '/whoami' &&
      response.status < 300 &&
      request.headers.length === 1 &&
      request.headers[0]?.[1] === authorization,
  );
  return shown && idIn(parseJson(shown.response.body));
}

function idIn(account: unknown): string | undefined {
  const id = isObject(account) ? account['id'] : undefined;
  return isId(id) ? String(id) : undefined;
}

async function lookAt(api: ApiClient): Promise<Look> {
  const { value } = await api.get('/whoami');
  const childAccounts = isObject(value) ? value['childAccounts'] : undefined;
  return { id: idIn(value), children: Array.isArray(childAccounts) ? childAccounts.length : undefined };
}

async function hasThisMany({ cleaner }: Parent, count: number | undefined): Promise<boolean> {
  try {
    const { children } = await lookAt(cleaner);
    return children !== undefined && children === count;
  } catch {
    return false;
  }
}

/**
 * Deletes an account by the first header that leads to it. A DELETE that the service took for the
 * Integrator itself would be the end of everything: body and header must both say that it is another.
 */
async function removeChild({ owner, names }: Made, ownId: string | undefined): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [name, value] of names) {
    const child = owner.acting([[name, value]]).cleaner;
    try {
      let answer = await child.get('/whoami');
      if (answer.status === ERRORS.InvalidCredentials.status) continue;
      if (answer.status >= 400) {
        // A suspended account may show nothing of itself.
        await child.put('/account/state', 'active');
        answer = await child.get('/whoami');
      }
      const shown = answer.header(AUTHENTICATION_HEADERS.account.name);
      const id = isObject(answer.value) ? String(answer.value['id']) : undefined;
      const isChild = ownId !== undefined && id !== undefined && id !== ownId && shown === id;
      if (!isChild) problems.push(`cannot confirm that ${name}: ${value} selects a Child`);
      else if ((await child.delete('/account')).status < 300) return [];
      else problems.push(`DELETE /account of ${value} was refused`);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return problems.map((problem) => `not cleaned up: ${problem}`);
}
