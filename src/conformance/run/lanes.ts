/**
 * Workplace: where a check works, on a target whose clock is real: the account it acts for, the address
 * its requests come from, and the request rate that both are granted.
 *
 *   target ─┬─ lane 1: its own account, from the usual address     ┐ many checks at a time in each
 *           ├─ lane 2 …: a Child Account each, from 127.0.0.11 …   ┘
 *           ├─ rooms:  Child Accounts, lent to one check at a time
 *           └─ yard:   a Child Account and an address that nobody else uses, for the request rate
 *
 * Everything but lane 1 needs an Integrator Account, which is tried: where no Child Account can be made
 * and used, there is lane 1 only. Source addresses beyond the usual one exist on loopback alone.
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { createRandom } from '../../common/random.ts';
import { parseJson } from '../../common/json-value.ts';
import { AUTHENTICATION_HEADERS, MEDIA_TYPES, REQUEST_HEADERS } from '../../spec/headers.ts';
import type { Target } from '../../target/target.ts';
import { headerValues, type HeaderPair, type HttpSender } from '../../wire/http-exchange.ts';
import { isId, isObject } from '../expect/records.ts';
import { allOf, createPace, UNLIMITED, type Pace } from '../context/pacing.ts';

export interface Workplace {
  /** The target, with the key of the account of this place. */
  readonly target: Target;
  readonly sender: HttpSender;
  readonly pace: Pace;
}

export interface Workplaces {
  readonly lanes: readonly [Workplace, ...Workplace[]];
  /** One for each account that can be lent out, to be used from any lane. */
  readonly rooms: readonly Target[];
  readonly yard: Workplace | undefined;
  /** Keys of the accounts that were made. */
  readonly keys: readonly string[];
  /** Where a check of this lane works that has an account of its own. */
  readonly inRoom: (lane: Workplace, room: Target) => Workplace;
  /** Removes what was made, and returns a line for each thing that could not be. */
  close(): Promise<readonly string[]>;
}

export interface WorkplaceOptions {
  readonly target: Target;
  /** Makes a sender, from this source address if one is given. */
  readonly senderFrom: (localAddress?: string) => HttpSender;
  readonly runTag: string;
  /** How many checks want an account of their own. */
  readonly rooms: number;
  /** Whether a check looks at the request rate. */
  readonly needsYard: boolean;
  /** False: make no accounts. */
  readonly isWorthwhile: boolean;
}

const ROOMS_MOST = 12;
/** Requests sent at once after a pause, out of the 30 or so that a service tolerates. */
const BURST = 15;
const LANE_ADDRESSES = ['127.0.0.11', '127.0.0.12', '127.0.0.13', '127.0.0.14', '127.0.0.15'] as const;
const YARD_ADDRESS = '127.0.0.16';

/** One workplace: all that a virtual clock has use for. */
export function singleWorkplace(target: Target, sender: HttpSender): Workplace {
  return { target, sender, pace: paceOf(target) };
}

/** Finds out what the target allows, and makes the accounts. Never throws for anything the target does. */
export async function openWorkplaces(options: WorkplaceOptions): Promise<Workplaces> {
  const { target, senderFrom } = options;
  const first = singleWorkplace(target, senderFrom());
  const senders = [first.sender];
  const close = async (): Promise<void> => {
    for (const sender of senders) await sender.close();
  };
  const addresses = options.isWorthwhile ? await otherAddresses(target, senderFrom) : [];
  const isWorthwhile = options.isWorthwhile && target.isReadOnly !== true;
  const rooms = Math.min(options.rooms, ROOMS_MOST) + addresses.length + (options.needsYard ? 1 : 0);
  const children = await makeChildren(first, options.runTag, isWorthwhile ? rooms : 0);
  const take = (): Target | undefined => {
    const child = free.shift();
    return child && { ...target, apiKey: child.key, isIntegrator: false, isDisposable: true };
  };
  const free = [...children];
  const lanes: [Workplace, ...Workplace[]] = [first];
  let yard: Workplace | undefined;
  for (const address of addresses) {
    const isYard = address === YARD_ADDRESS;
    const own = isYard && !options.needsYard ? undefined : take();
    if (!own) continue;
    const sender = senderFrom(address);
    senders.push(sender);
    const stranger = isYard ? take()?.apiKey : undefined;
    const seen = stranger === undefined ? own : { ...own, secondApiKey: stranger };
    const place = singleWorkplace(seen, sender);
    if (isYard) yard = place;
    else lanes.push(place);
  }
  return {
    lanes,
    rooms: free.map(({ key }) => ({ ...target, apiKey: key, isIntegrator: false, isDisposable: true })),
    yard,
    keys: children.map(({ key }) => key),
    inRoom: (lane, room) => ({ target: room, sender: lane.sender, pace: allOf([lane.pace, paceOf(room)]) }),
    close: async () => {
      const problems = await removeChildren(first, children);
      await close();
      return problems;
    },
  };
}

function paceOf({ timekeeper, requestsPerSecond }: Target): Pace {
  return requestsPerSecond === undefined ? UNLIMITED : createPace(timekeeper, requestsPerSecond, BURST);
}

/** Source addresses that reach the target: some systems have but one on loopback. */
async function otherAddresses(
  { baseUrl }: Target,
  senderFrom: WorkplaceOptions['senderFrom'],
): Promise<readonly string[]> {
  if (!new URL(baseUrl).hostname.startsWith('127.')) return [];
  const sender = senderFrom(YARD_ADDRESS);
  const outcome = await sender.send({ method: 'GET', baseUrl, path: '/ping', headers: [] });
  await sender.close();
  // The yard last: it is the first to go without when there are too few accounts.
  return outcome.ok ? [...LANE_ADDRESSES, YARD_ADDRESS] : [];
}

interface Child {
  readonly creatorRef: string;
  readonly key: string;
}

/** As many Child Accounts as can be made, at most so many. */
async function makeChildren(first: Workplace, runTag: string, count: number): Promise<readonly Child[]> {
  const children: Child[] = [];
  while (children.length < count) {
    const child = await makeChild(first, `platen-${runTag}-lane-${children.length + 1}`);
    if (!child) return children;
    // What holds for the first holds for the others.
    if (children.length === 0 && !(await isKeyOfAnotherAccount(first, child.key))) {
      await removeChildren(first, [child]);
      return [];
    }
    children.push(child);
  }
  return children;
}

/** A Child Account and its key; undefined when there is none to be had. */
async function makeChild({ target, sender, pace }: Workplace, name: string): Promise<Child | undefined> {
  const { baseUrl, apiKey } = target;
  const password = createRandom(name).hex(24);
  const account = {
    firstname: '-',
    lastname: '-',
    email: `${name}@platen.example`,
    password,
    creatorRef: name,
  };
  await pace.next();
  const created = await sender.send({
    method: 'POST',
    baseUrl,
    path: '/account',
    headers: [
      ['Authorization', basicAuthorization(apiKey)],
      ['Content-Type', MEDIA_TYPES.json.value],
    ],
    body: JSON.stringify({ Account: account, ApiKeys: ['lane'], Tags: {} }),
  });
  if (!created.ok || created.value.response.status >= 300) return undefined;
  const key = keyIn(parseJson(created.value.response.body));
  if (key !== undefined) return { creatorRef: name, key };
  await removeChildren({ target, sender, pace }, [{ creatorRef: name, key: '' }]);
  return undefined;
}

/** The specification does not show the answer; an object of keys by name, or a list of them, is read. */
function keyIn(value: unknown): string | undefined {
  const keys = isObject(value) ? value['ApiKeys'] : undefined;
  if (typeof keys !== 'object' || keys === null) return undefined;
  return (Object.values(keys) as unknown[]).find((key) => typeof key === 'string');
}

/** A key that the service takes for that of the first account would set nothing apart. */
async function isKeyOfAnotherAccount(first: Workplace, key: string): Promise<boolean> {
  const own = await accountOf(first, [['Authorization', basicAuthorization(first.target.apiKey)]]);
  const other = await accountOf(first, [['Authorization', basicAuthorization(key)]]);
  return own !== undefined && other !== undefined && own !== other;
}

/** Whose account these headers lead to; undefined where body and X-Account do not say the same. */
async function accountOf(
  { target, sender, pace }: Workplace,
  headers: readonly HeaderPair[],
): Promise<number | undefined> {
  await pace.next();
  const answer = await sender.send({ method: 'GET', baseUrl: target.baseUrl, path: '/whoami', headers });
  if (!answer.ok || answer.value.response.status !== 200) return undefined;
  const { headers: answered, body } = answer.value.response;
  const account = parseJson(body);
  const id = isObject(account) ? account['id'] : undefined;
  const named = headerValues(answered, AUTHENTICATION_HEADERS.account.name)[0];
  return isId(id) && named === String(id) ? id : undefined;
}

async function removeChildren(first: Workplace, children: readonly Child[]): Promise<readonly string[]> {
  const { target, sender, pace } = first;
  const authorization = ['Authorization', basicAuthorization(target.apiKey)] as const;
  const problems: string[] = [];
  const own = children.length > 0 ? await accountOf(first, [authorization]) : undefined;
  for (const { creatorRef } of children) {
    const headers = [authorization, [REQUEST_HEADERS.childAccountByCreatorRef.name, creatorRef]] as const;
    // A service that overlooks the header would delete the account that it was given.
    const meant = own === undefined ? undefined : await accountOf(first, headers);
    if (meant === undefined || meant === own) {
      problems.push(
        `not cleaned up: Child Account ${creatorRef}, which could not be told from its Integrator`,
      );
      continue;
    }
    await pace.next();
    const outcome = await sender.send({
      method: 'DELETE',
      baseUrl: target.baseUrl,
      path: '/account',
      headers,
    });
    const isGone = outcome.ok && outcome.value.response.status < 300;
    if (!isGone) problems.push(`not cleaned up: Child Account ${creatorRef}`);
  }
  return problems;
}
