/**
 * Lanes: where checks work on a target whose clock is real. A lane is an account that many checks work in at the same
 * time; requests go out from whichever source address has its turn, at the rate that an address and an account are
 * granted each.
 *
 *   lane 1 …    a Child Account each                                     ┐   usual address
 *   accounts    Child Accounts, leased to one check at a time            ├── 127.0.0.11      ──► target
 *   Integrator  for the checks of Child Accounts, in any lane            ┘   127.0.0.12 …
 *   quiet lanes a Child Account and an address each, for one check of the request rate at a time
 *
 * Where no Child Account can be made and used, or the target is reached from one address only, there is one lane: the
 * account that the run was given, from the usual address.
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { createRandom } from '../../common/random.ts';
import { isObject, parseJson } from '../../common/json-value.ts';
import { realTimekeeper } from '../../common/timekeeper.ts';
import { AUTHENTICATION_HEADERS, MEDIA_TYPES, REQUEST_HEADERS } from '../../specification/headers.ts';
import type { Target } from '../../targets/target.ts';
import { type HttpRequest, type HttpSender } from '../../wire/http-exchange.ts';
import { apiKeyPath } from '../context/account-paths.ts';
import { placeOfKey } from '../context/keys-and-tags.ts';
import { valueAt } from '../../common/places.ts';
import { headerValues, type HeaderPair } from '../../common/header-pairs.ts';
import { isId } from '../expect/records.ts';
import { createTurns, type Turns } from '../context/pacing.ts';

export interface Lane {
  /** The target, with the key of the account of this lane. */
  readonly target: Target;
  /** The same with the key of an Integrator Account, if there is one. */
  readonly integrator: Target | undefined;
  readonly turns: Turns;
  /** From the usual address of the lane, whether or not it is its turn. */
  readonly sender: HttpSender;
}

export interface Lanes {
  /** Many checks work in each at the same time. */
  readonly shared: readonly [Lane, ...Lane[]];
  /** Accounts that are leased to one check at a time, in any lane. */
  readonly accounts: readonly Target[];
  /** Each for one check at a time that looks at the request rate. */
  readonly quiet: readonly Lane[];
  /** Why there is but one lane; undefined where there are more, or one is enough. */
  readonly lack: string | undefined;
  /** Keys of the accounts that were made. */
  readonly keys: readonly string[];
  /** Removes what was made, and returns a line for each thing that could not be. */
  close(): Promise<readonly string[]>;
}

export interface LanesOptions {
  readonly target: Target;
  /** Makes a sender, from this source address if one is given. */
  readonly senderFrom: (localAddress?: string) => HttpSender;
  readonly runTag: string;
  /** Where POST /account answers the key called `{name}`; undefined where that cannot be known. */
  readonly placeOfKey: (lane: Lane) => Promise<string | undefined>;
  /** How many checks want an account of their own. */
  readonly accounts: number;
  /** How many checks look at the request rate. */
  readonly rateChecks: number;
  /** Whether several lanes are worked in at the same time. */
  readonly isOverlapping: boolean;
  /** False: make no accounts. */
  readonly isWorthwhile: boolean;
}

const ACCOUNTS_MOST = 12;
const KEY_NAME = 'lane';
/** Beside the usual address. Linux has all of 127/8 for itself. */
const LANE_ADDRESSES = Array.from({ length: 19 }, (_, index) => `127.0.0.${11 + index}`);
const QUIET_ADDRESSES = ['127.0.0.30', '127.0.0.31'] as const;
/** Source addresses that requests go out from. */
export const ADDRESSES = 1 + LANE_ADDRESSES.length;
export const LANES_MOST = 10;
export const QUIET_LANES = QUIET_ADDRESSES.length;
/** A quiet lane has a second account of its own. */
const QUIET_ACCOUNTS = 2;

/** Finds out what the target allows, and makes the accounts. Never throws for anything the target does. */
export async function openLanes(options: LanesOptions): Promise<Lanes> {
  const { target, senderFrom } = options;
  const usual = senderFrom();
  const integrator = integratorOf(target);
  const isWorthwhile = options.isWorthwhile && target.isReadOnly !== true;
  const isSpread = isWorthwhile && options.isOverlapping && (await hasOtherAddresses(target, senderFrom));
  const senders: [HttpSender, ...HttpSender[]] = [usual, ...(isSpread ? LANE_ADDRESSES.map(senderFrom) : [])];
  const maker = laneOf({ ...target, apiKey: (integrator ?? target).apiKey }, integrator, senders);
  const quietAddresses = isSpread ? QUIET_ADDRESSES.slice(0, options.rateChecks) : [];
  const quietCount = quietAddresses.length * QUIET_ACCOUNTS;
  const leased = Math.min(options.accounts, ACCOUNTS_MOST);
  const wanted = leased + (isSpread ? LANES_MOST : 0) + quietCount;
  const { children, lack } = await makeChildren(maker, options, isWorthwhile ? wanted : 0);
  const accounts = children.map(({ key }): Target => ({
    ...target,
    apiKey: key,
    isIntegrator: false,
    isDisposable: true,
  }));
  // The first to go without where there are too few accounts.
  const quietAccounts = children.length === wanted ? accounts.splice(0, quietCount) : [];
  const laneCount = Math.min(LANES_MOST, Math.max(accounts.length - leased, Math.ceil(accounts.length / 2)));
  const [own, ...others] = isSpread ? accounts.splice(0, laneCount) : [];
  // The Integrator has one rate for what it makes and for what it does afterwards.
  const first = own ? { ...maker, target: own } : laneOf(target, integrator, [usual]);
  const quiet = quietAddresses.flatMap((address, index): Lane[] => {
    const [account, second] = quietAccounts.slice(index * QUIET_ACCOUNTS);
    if (!account) return [];
    return [laneOf({ ...account, secondApiKey: second?.apiKey }, integrator, [senderFrom(address)])];
  });
  const shared: Lanes['shared'] = [first, ...others.map((account) => ({ ...first, target: account }))];
  return {
    shared,
    accounts,
    quiet,
    lack: lackOf(options, lack, shared.length),
    keys: children.map(({ key }) => key),
    async close() {
      const problems = await removeChildren(maker, children);
      for (const sender of [...senders, ...quiet.map((lane) => lane.sender)]) await sender.close();
      return problems;
    },
  };
}

/** The target with the key of an Integrator Account: its own, or one that it has beside it. */
function integratorOf({ integratorApiKey, ...target }: Target): Target | undefined {
  if (integratorApiKey !== undefined) return { ...target, apiKey: integratorApiKey, isIntegrator: true };
  return target.isIntegrator === true ? target : undefined;
}

function laneOf(target: Target, integrator: Target | undefined, senders: readonly [HttpSender, ...HttpSender[]]): Lane {
  const limits = target.timekeeper.moved?.limits;
  const requestsPerSecond = limits === 'none' ? undefined : target.requestsPerSecond;
  const timekeeper = limits === 'real' ? realTimekeeper : target.timekeeper;
  return { target, integrator, turns: createTurns({ timekeeper, requestsPerSecond, senders }), sender: senders[0] };
}

/** Whether the target is reached from other source addresses: some systems have but one on loopback. */
async function hasOtherAddresses({ baseUrl }: Target, senderFrom: LanesOptions['senderFrom']): Promise<boolean> {
  if (!new URL(baseUrl).hostname.startsWith('127.')) return false;
  const sender = senderFrom(QUIET_ADDRESSES[0]);
  const outcome = await sender.send({ method: 'GET', baseUrl, path: '/ping', headers: [] });
  await sender.close();
  return outcome.ok;
}

interface Child {
  readonly creatorRef: string;
  readonly key: string;
}

interface Made {
  readonly children: readonly Child[];
  /** Why there are not more. */
  readonly lack?: string | undefined;
}

/** Why checks share one lane that would be done sooner in several. */
function lackOf(
  { target, isWorthwhile, isOverlapping }: LanesOptions,
  lack: string | undefined,
  lanes: number,
): string | undefined {
  if (!isWorthwhile || !isOverlapping || lanes > 1) return undefined;
  if (target.isReadOnly === true) return 'nothing may be created on the target';
  return lack ?? 'this machine reaches the target from one address';
}

/** As many Child Accounts as can be made, up to `count`. */
async function makeChildren(maker: Lane, { runTag, placeOfKey }: LanesOptions, count: number): Promise<Made> {
  const children: Child[] = [];
  while (children.length < count) {
    const child = await makeChild(maker, `platen-${runTag}-lane-${children.length + 1}`, placeOfKey);
    if (typeof child === 'string') return { children, lack: child };
    // What holds for the first holds for the others.
    if (children.length === 0 && !(await isKeyOfAnotherAccount(maker, child.key))) {
      await removeChildren(maker, [child]);
      return { children: [], lack: 'the key of a Child Account leads to its Integrator' };
    }
    children.push(child);
  }
  return { children };
}

/** Sends a request when it is its turn. */
async function send({ target, turns }: Lane, request: Omit<HttpRequest, 'baseUrl'>): ReturnType<HttpSender['send']> {
  const sender = await turns.next(request.headers);
  const outcome = await sender.send({ baseUrl: target.baseUrl, ...request });
  if (outcome.ok) turns.saw(outcome.value);
  return outcome;
}

/** A Child Account and its key, or why it could not be made. */
async function makeChild(lane: Lane, name: string, placeOf: LanesOptions['placeOfKey']): Promise<Child | string> {
  const password = createRandom(name).hex(24);
  const account = {
    firstname: '-',
    lastname: '-',
    email: `${name}@platen.example`,
    password,
    creatorRef: name,
  };
  const created = await send(lane, {
    method: 'POST',
    path: '/account',
    headers: [
      ['Authorization', basicAuthorization(lane.target.apiKey)],
      ['Content-Type', MEDIA_TYPES.json.value],
    ],
    body: JSON.stringify({ Account: account, ApiKeys: [KEY_NAME], Tags: {} }),
  });
  if (!created.ok) return `POST /account got no answer (${created.error.message})`;
  const { status, body } = created.value.response;
  if (status >= 300) return `no Child Account could be made: POST /account answered ${status}`;
  const value = parseJson(body);
  const key = keyIn(value) ?? (await keyAt(lane, value, { name, answer: await placeOf(lane) }));
  if (key !== undefined) return { creatorRef: name, key };
  await removeChildren(lane, [{ creatorRef: name, key: '' }]);
  return 'no key of a Child Account was found in the answer to POST /account';
}

/** The specification does not show the answer; an object of keys by name, or a list of them, is read. */
function keyIn(value: unknown): string | undefined {
  const keys = isObject(value) ? value['ApiKeys'] : undefined;
  if (typeof keys !== 'object' || keys === null) return undefined;
  return (Object.values(keys) as unknown[]).find((key) => typeof key === 'string');
}

/** The key where the target says that it stands; undefined where that could not be found out. */
async function keyAt(
  lane: Lane,
  created: unknown,
  { name, answer }: { readonly name: string; readonly answer: string | undefined },
): Promise<string | undefined> {
  if (answer === undefined) return undefined;
  const { isOfGet, place } = placeOfKey(answer, KEY_NAME);
  const key = valueAt(isOfGet ? await shownKey(lane, name) : created, place);
  return typeof key === 'string' ? key : undefined;
}

/** What the GET of its name answers of the key of a lane's account. */
async function shownKey(lane: Lane, creatorRef: string): Promise<unknown> {
  const headers = [
    ['Authorization', basicAuthorization(lane.target.apiKey)],
    [REQUEST_HEADERS.childAccountByCreatorRef.name, creatorRef],
  ] as const;
  const read = await send(lane, { method: 'GET', path: apiKeyPath(KEY_NAME), headers });
  return read.ok ? parseJson(read.value.response.body) : undefined;
}

/** A key that the service takes for that of the first account would keep nothing apart. */
async function isKeyOfAnotherAccount(first: Lane, key: string): Promise<boolean> {
  const own = await accountOf(first, [['Authorization', basicAuthorization(first.target.apiKey)]]);
  const other = await accountOf(first, [['Authorization', basicAuthorization(key)]]);
  return own !== undefined && other !== undefined && own !== other;
}

/** Whose account these headers lead to; undefined where body and X-Account do not say the same. */
async function accountOf(lane: Lane, headers: readonly HeaderPair[]): Promise<number | undefined> {
  const answer = await send(lane, { method: 'GET', path: '/whoami', headers });
  if (!answer.ok || answer.value.response.status >= 300) return undefined;
  const { headers: answered, body } = answer.value.response;
  const account = parseJson(body);
  const id = isObject(account) ? account['id'] : undefined;
  const named = headerValues(answered, AUTHENTICATION_HEADERS.account.name)[0];
  return isId(id) && named === String(id) ? id : undefined;
}

async function removeChildren(first: Lane, children: readonly Child[]): Promise<readonly string[]> {
  const authorization = ['Authorization', basicAuthorization(first.target.apiKey)] as const;
  const problems: string[] = [];
  const unsure: string[] = [];
  const own = children.length > 0 ? await accountOf(first, [authorization]) : undefined;
  for (const { creatorRef } of children) {
    const headers = [authorization, [REQUEST_HEADERS.childAccountByCreatorRef.name, creatorRef]] as const;
    // A service that overlooks the header would delete the account that it was given.
    const meant = own === undefined ? undefined : await accountOf(first, headers);
    if (meant === undefined || meant === own) {
      unsure.push(creatorRef);
      continue;
    }
    const outcome = await send(first, { method: 'DELETE', path: '/account', headers });
    const isGone = outcome.ok && outcome.value.response.status < 300;
    if (!isGone) problems.push(`not cleaned up: Child Account ${creatorRef}`);
  }
  return unsure.length === 0 ? problems : [...problems, notRemoved(unsure)];
}

function notRemoved([first = '', ...others]: readonly string[]): string {
  const names = others.length === 0 ? first : `${first} to ${others.at(-1)}, ${others.length + 1} in all`;
  return (
    `not cleaned up: Child Account ${names}: GET /whoami with its creatorRef did not show an account other than the ` +
    "Integrator's, so a DELETE might have removed that one"
  );
}
