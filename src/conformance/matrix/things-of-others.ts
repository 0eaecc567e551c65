/**
 * Things of another account in every position of every path: each is answered like an id that does not exist, no list
 * shows them, and nothing that is asked of them happens.
 *
 *   caller                  whose things
 *   another account         the account's
 *   a Child                 its sibling's, its Integrator's
 *   the Integrator itself   its Child's
 *   another account         a Child's
 */

import { isObject, showValue, sortedJson } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import type { PathPartName } from '../../specification/endpoints.ts';
import { apiKeyPath, tagPath } from '../context/account-paths.ts';
import type { CheckContext } from '../context/context.ts';
import { readHistories } from '../context/jobs.ts';
import { expectRefusal, mismatchIn, showsAny, type Answer } from '../expect/answer.ts';
import { firstOf } from '../expect/that.ts';
import { expectSame, lastingPart, takeInventory, type Inventory } from './inventory.ts';
import { atEndpoint, firstReason, nameOf, type MatrixRules } from './matrix-rule.ts';
import { childParty, furnish, furnishIfPossible, ownParty, secondParty, type Furnished } from './party.ts';
import { inOrder } from './refusals.ts';
import { ownedParts, pathOf, soundRequest, UNKNOWN, type Values } from './sound-request.ts';

/** Who asks for whose things. All of the others must stay as they are. */
interface Encounter {
  readonly caller: Furnished;
  readonly others: readonly Furnished[];
  /** That an Integrator needs a header to reach its Child is printed; that it reaches nothing without one is not. */
  readonly isControlled?: true;
  /** What callers were answered for ids that do not exist, by endpoint and place. */
  readonly unknowns?: Unknowns;
  /** Looks for ids that do not exist before the caller does: each account has a rate of its own. */
  readonly seeker?: Furnished;
}

type Unknowns = Map<string, Answer>;

/** Lists and other endpoints that name nothing, and so must find nothing of another account. */
const SHOWS_ALL: ReadonlySet<Endpoint['returns']> = new Set([
  'account',
  'computers',
  'printers',
  'print jobs',
  'states',
  'webhooks',
]);

const namesThings = (endpoint: Endpoint): boolean =>
  ownedParts(endpoint).length > 0 || nameOf(endpoint) === 'POST /printjobs';

/** Whether another account could come to harm by it, or be seen. */
function whyNot(endpoint: Endpoint): string | undefined {
  const isAboutAll = endpoint.isUnrestricted || (endpoint.parts.length === 0 && SHOWS_ALL.has(endpoint.returns));
  return firstReason(
    [!endpoint.authenticated, 'shows and changes nothing of an account'],
    [endpoint.account !== 'caller', 'names its account by a Child header, which has its own columns'],
    [!namesThings(endpoint) && !isAboutAll, 'names nothing that belongs to an account'],
  );
}

export const FOREIGN_THING_RULES: MatrixRules = {
  'matrix/things-of-another-account': {
    columns: ['things of another account'],
    title: 'Every position of every path treats another account’s record like one that does not exist',
    needs: ['computer', 'second-account'],
    locks: ['account', 'second-account'],
    whyNot,
    async judge(context, endpoints) {
      const owner = await furnish(context, ownParty(context), endpoints);
      const caller = await furnishIfPossible(context, secondParty(context), endpoints);
      await judgeEncounter(context, endpoints, { caller, others: [owner] });
    },
  },
  'matrix/things-of-sibling': {
    columns: ["a sibling's things"],
    title: 'A Child cannot see or reach its sibling’s resources',
    needs: ['computer', 'child-account'],
    whyNot,
    async judge(context, endpoints) {
      const sibling = await furnish(context, await childParty(context, 'its sibling'), endpoints);
      const caller = await furnishIfPossible(context, await childParty(context, 'a Child'), endpoints);
      await judgeEncounter(context, endpoints, { caller, others: [sibling] });
    },
  },
  'matrix/things-of-family': {
    columns: ["its parent's things", "its Child's things"],
    title: 'An Integrator and its Child cannot see or reach each other’s resources with their own keys',
    needs: ['computer', 'child-account'],
    locks: ['account'],
    whyNot,
    async judge(context, endpoints) {
      const parent = await furnish(context, { ...ownParty(context), title: 'the Integrator' }, endpoints);
      const child = await furnishIfPossible(context, await childParty(context, 'a Child'), endpoints);
      // The one that calls deletes what it has.
      const other = await furnish(context, await childParty(context, 'another Child'), endpoints);
      const unknowns: Unknowns = new Map();
      await judgeEncounter(context, endpoints, { caller: child, others: [parent], unknowns, seeker: other });
      await judgeEncounter(context, endpoints, { caller: parent, others: [other], isControlled: true, unknowns });
    },
  },
  'matrix/things-of-other-integrator': {
    columns: ["another Integrator's Child's things"],
    title: 'Another account cannot see or reach a Child’s resources',
    needs: ['computer', 'child-account', 'second-account'],
    locks: ['second-account'],
    whyNot,
    async judge(context, endpoints) {
      const owner = await furnish(context, await childParty(context, 'a Child'), endpoints);
      const caller = await furnishIfPossible(context, secondParty(context), endpoints);
      await judgeEncounter(context, endpoints, { caller, others: [owner] });
    },
  },
};

async function judgeEncounter(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  encounter: Encounter,
): Promise<void> {
  const { caller, others } = encounter;
  const sent = endpoints.filter(({ isUnrestricted }) => !isUnrestricted || caller.isDisposable);
  if (sent.length < endpoints.length) {
    context.note(`no DELETE of everything is sent by ${caller.title}, which was not made for the run`);
  }
  const before = await inventoriesOf(others);
  for (const endpoint of inOrder(sent)) {
    for (const owner of others) await judgeEndpoint(context, endpoint, encounter, owner);
  }
  const changed = compare(others, before, await inventoriesOf(others));
  if (changed) await findCulprit(context, sent, encounter, changed);
  else context.judge(clauseOfChange(encounter), undefined);
}

function clauseOfChange({ isControlled }: Encounter): ClauseId {
  return isControlled ? 'service/isolation-sets' : 'service/isolation-deletes';
}

async function inventoriesOf(parties: readonly Furnished[]): Promise<readonly Inventory[]> {
  const taken: Inventory[] = [];
  for (const { api, values } of parties) {
    const paths = [
      ...(values.name === undefined ? [] : [tagPath(values.name)]),
      ...(values.description === undefined ? [] : [apiKeyPath(values.description)]),
    ];
    taken.push(await takeInventory(api, paths));
  }
  return taken;
}

function compare(
  parties: readonly Furnished[],
  before: readonly Inventory[],
  after: readonly Inventory[],
): Mismatch | undefined {
  return firstOf(...parties.map(({ title }, index) => expectSame(before[index] ?? {}, after[index] ?? {}, title)));
}

/** Which request changed something of the others: each again, on new things. */
async function findCulprit(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  encounter: Encounter,
  changed: Mismatch,
): Promise<void> {
  const { caller, others } = encounter;
  let isFound = false;
  for (const endpoint of endpoints) {
    const renewed: Furnished[] = [];
    for (const owner of others) renewed.push(await furnish(context, owner, [endpoint]));
    const before = await inventoriesOf(renewed);
    for (const owner of renewed) {
      for (const { values } of placesOf(endpoint, caller, owner)) {
        await caller.api.send(await soundRequest(context, endpoint, values));
      }
    }
    const mismatch = compare(renewed, before, await inventoriesOf(renewed));
    isFound ||= mismatch !== undefined;
    context.judge(clauseOfChange(encounter), atEndpoint(endpoint, `asked by ${caller.title}`, mismatch));
  }
  if (!isFound) context.note(`${changed.at} changed once, and not when the requests were repeated one by one`);
}

async function judgeEndpoint(
  context: CheckContext,
  endpoint: Endpoint,
  { caller, isControlled, unknowns = new Map(), seeker }: Encounter,
  owner: Furnished,
): Promise<void> {
  const { judge } = context;
  const shows = isControlled ? 'service/isolation-sets' : 'service/isolation-lists';
  // What it has is not to be deleted.
  const sought = seeker && endpoint.effect === 'none' ? placesOf(endpoint, seeker, owner) : [];
  for (const [index, place] of placesOf(endpoint, caller, owner).entries()) {
    const { what, values, query = '', asUnknown } = place;
    const sound = await soundRequest(context, endpoint, values);
    const request = { ...sound, path: sound.path + query };
    // What its owner has just seen is not shown to the next account that asks the same.
    if (endpoint.paginated && endpoint.effect === 'none') await owner.api.send(request);
    const answer = await caller.api.send(request);
    const at = (mismatch: Mismatch | undefined) =>
      atEndpoint(endpoint, `${what} of ${owner.title} asked by ${caller.title}`, mismatch);
    judge(shows, at(expectNothingOf(owner, caller, endpoint, answer)));
    if (asUnknown) {
      const key = `${nameOf(endpoint)} ${what}`;
      const known = unknowns.get(key) ?? (await answerTo(context, endpoint, seeker, sought[index]?.asUnknown));
      // As another caller was answered is as good; if not, this one may get another answer.
      const isAsKnown = known !== undefined && expectAlike(endpoint, answer, known) === undefined;
      const unknown = isAsKnown ? known : await caller.api.send(await soundRequest(context, endpoint, asUnknown));
      unknowns.set(key, unknown);
      judge('service/isolation-sets', at(expectAlike(endpoint, answer, unknown)));
    }
    if (nameOf(endpoint) === 'POST /printjobs') {
      judge('print-jobs/printer-id-foreign-refused', at(expectRefusal(answer)));
    } else if (endpoint.effect === 'creates' && endpoint.parts.length > 0) {
      await caller.api.delete(pathOf(endpoint, values));
    }
  }
}

async function answerTo(
  context: CheckContext,
  endpoint: Endpoint,
  party: Furnished | undefined,
  values: Values | undefined,
): Promise<Answer | undefined> {
  return values && party?.api.send(await soundRequest(context, endpoint, values));
}

interface Place {
  readonly what: string;
  readonly values: Values;
  readonly query?: string;
  /** The same with ids that do not exist; absent where the answer may be another one. */
  readonly asUnknown?: Values;
}

/** Each position of the path, and all of them together, with things of the owner; sets with own things among them. */
function placesOf(endpoint: Endpoint, caller: Furnished, owner: Furnished): readonly Place[] {
  if (nameOf(endpoint) === 'POST /printjobs') {
    return [{ what: 'a job for a printer', values: owner.values, asUnknown: {} }];
  }
  const owned = ownedParts(endpoint);
  if (owned.length === 0) {
    const page = { what: 'everything by pages', values: {}, query: '?limit=100' };
    return [{ what: 'everything', values: {} }, ...(endpoint.paginated ? [page] : [])];
  }
  // A tag and a key are created under a name that another account has as well.
  if (endpoint.effect === 'creates') return [{ what: 'a name', values: owner.values }];
  // A number says nothing without its name.
  const names = owned.map(({ name }) => name as PathPartName).filter((name) => name !== 'device_number');
  const groups = names.length === 1 ? [names] : [...names.map((name) => [name]), names];
  const places = groups.map((foreign): Place => {
    const placed = (values: Values): Values => ({ ...caller.values, ...only(values, foreign) });
    return {
      what: `${foreign.join(' and ')} of another account`,
      values: placed(owner.values),
      asUnknown: placed(UNKNOWN),
    };
  });
  const sets = owned.filter(({ isSet }) => isSet).map(({ name }) => name as PathPartName);
  // What the own ones lose in a DELETE is no matter here.
  const mixed = endpoint.effect === 'none' ? sets.slice(0, 1) : [];
  return [
    ...places,
    ...mixed.map((name): Place => {
      const mix = (other: Values): Values => ({ ...caller.values, [name]: `${caller.values[name]},${other[name]}` });
      return { what: `a ${name} with own things and those`, values: mix(owner.values), asUnknown: mix(UNKNOWN) };
    }),
  ];
}

function only(values: Values, names: readonly PathPartName[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** Expects nothing of the owner in the answer: none of its texts, none of its ids. */
function expectNothingOf(
  { title, texts, values, accountId: unwanted }: Furnished,
  { accountId: wanted }: Furnished,
  endpoint: Endpoint,
  answer: Answer,
): Mismatch | undefined {
  // A refusal may say what it refuses.
  if (answer.status >= 300) return undefined;
  const idsOf = /printjobs/.test(endpoint.path) ? values.print_job_set : values.computer_set;
  const shows =
    showsAny(answer, texts) ||
    (endpoint.returns === 'account' && isAnother(answer.value, wanted, unwanted)) ||
    readHistories(answer)?.has(Number(values.print_job_set)) === true ||
    [answer.value].flat(3).some((item) => {
      if (!isObject(item)) return endpoint.returns === 'ids' && String(item) === idsOf;
      return String(item['printJobId']) === values.print_job_set || String(item['computerId']) === values.computer_set;
    });
  return shows ? mismatchIn(answer, `nothing of ${title}`) : undefined;
}

function isAnother(account: unknown, wanted: unknown, unwanted: unknown): boolean {
  const id = isObject(account) ? account['id'] : undefined;
  return id === unwanted || (wanted !== undefined && id !== wanted);
}

/** Expects the answer that an unknown id gets. */
function expectAlike(endpoint: Endpoint, answer: Answer, unknown: Answer): Mismatch | undefined {
  const isAlike =
    answer.status === unknown.status &&
    (answer.status >= 300 || withoutAsked(endpoint, answer) === withoutAsked(endpoint, unknown));
  return isAlike ? undefined : mismatchIn(answer, `as for an id that does not exist, ${shown(unknown)}`, shown(answer));
}

/** The answer without what its request named: it may say what it was asked for. */
function withoutAsked(endpoint: Endpoint, answer: Answer): string {
  const printed = endpoint.path.split('/');
  const asked = answer.exchange.request.path.split('/').filter((part, index) => part !== printed[index]);
  const text = sortedJson(lastingPart(endpoint, answer));
  return asked.map(decodeURIComponent).reduce((left, part) => left.replaceAll(JSON.stringify(part), '"asked"'), text);
}

/** A body that differs shows in a message. */
function shown({ status, value }: Answer): string {
  return `status ${status} with ${showValue(value)}`;
}
