/**
 * The three headers with which an Integrator acts as its Child, at every endpoint: each acts as the Child, and one that
 * names no Child of the caller is refused and does nothing.
 *
 *   Integrator, its Child        acts as the Child
 *   Integrator, an unknown one   401
 *   Integrator, another's Child  401
 *   another account, the Child   401
 *   a Child, its sibling         401
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { HeaderPair } from '../../common/header-pairs.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { ERRORS } from '../../specification/errors.ts';
import { AUTHENTICATION_HEADERS } from '../../specification/headers.ts';
import { accountOf, expectAccountHeader, expectActsFor, isChildOf } from '../context/account-view.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { headerByCreatorRef, headerByEmail, headerById, type Child } from '../context/children.ts';
import type { ApiRequest } from '../context/api-client.ts';
import type { CheckContext } from '../context/context.ts';
import { readHistories } from '../context/jobs.ts';
import { webhookAt, webhookIdOf } from '../context/webhook-settings.ts';
import {
  expectHeader,
  expectHeaderValue,
  expectStatus,
  idsIn,
  mismatchIn,
  showsAny,
  type Answer,
} from '../expect/answer.ts';
import { expectSame, takeInventory, takeUnlisted } from './inventory.ts';
import { atEndpoint, expectServed, firstReason, nameOf, type MatrixRule, type MatrixRules } from './matrix-rule.ts';
import {
  childParty,
  enableDownload,
  furnish,
  ownParty,
  secondParty,
  unlistedPaths,
  valuesFor,
  type Furnished,
  type Party,
} from './party.ts';
import { inOrder, judgeRefusals, type RefusalPlan, type Trial } from './refusals.ts';
import { isMissing, soundRequest, UNKNOWN, type Values } from './sound-request.ts';

type Strategy = 'byId' | 'byEmail' | 'byCreatorRef';

interface HeaderRule {
  readonly strategy: Strategy;
  readonly column: string;
  readonly acts: ClauseId;
  readonly says: ClauseId;
  readonly unknown: ClauseId;
  readonly unknownHeader: (context: CheckContext) => HeaderPair;
}

const HEADERS: readonly HeaderRule[] = [
  {
    strategy: 'byId',
    column: 'its Child by id',
    acts: 'authentication/child-by-id',
    says: 'authentication/child-strategy-by-id',
    unknown: 'authentication/child-by-unknown-id-401',
    unknownHeader: () => headerById(Number(UNKNOWN.computer_id)),
  },
  {
    strategy: 'byEmail',
    column: 'its Child by email',
    acts: 'authentication/child-by-email',
    says: 'authentication/child-strategy-by-email',
    unknown: 'authentication/child-by-unknown-email-401',
    unknownHeader: ({ uniqueText }) => headerByEmail(`${uniqueText('unknown')}@example.test`),
  },
  {
    strategy: 'byCreatorRef',
    column: 'its Child by creatorRef',
    acts: 'authentication/child-by-creator-ref',
    says: 'authentication/child-strategy-by-creator-ref',
    unknown: 'authentication/child-by-unknown-creator-ref-401',
    unknownHeader: ({ uniqueText }) => headerByCreatorRef(uniqueText('unknown')),
  },
];

const NO_CREDENTIALS = 'needs no credentials';
const CREATES_CHILD = 'is for the Integrator itself: a Child cannot create accounts';

const NEEDS_SINGLE =
  'needs a second account that is a Single Account; matrix/child-of-other-integrator judges two Integrators';

const UNKNOWN_CHILD = 'an unknown Child';
const OF_ANOTHER = "another account's Child";
const OF_OTHER_INTEGRATOR = "an Integrator that names another's Child";
const SIBLING = 'a Child that names its sibling';

const isAuthenticated: MatrixRule['whyNot'] = ({ authenticated }) => firstReason([!authenticated, NO_CREDENTIALS]);

export const CHILD_HEADER_RULES: MatrixRules = {
  'matrix/child-headers': {
    columns: HEADERS.map(({ column }) => column),
    title: 'Each of the three headers makes an Integrator act only as its Child at every endpoint',
    needs: ['child-account', 'computer'],
    locks: ['account'],
    whyNot: ({ authenticated, account }) =>
      firstReason([!authenticated, NO_CREDENTIALS], [account === 'integrator', CREATES_CHILD]),
    judge: judgeActing,
  },
  'matrix/unknown-child': {
    columns: [UNKNOWN_CHILD],
    title: 'No endpoint accepts a header that names no Child, and none acts on the Integrator itself',
    needs: ['integrator', 'computer'],
    locks: ['account'],
    whyNot: isAuthenticated,
    judge: judgeUnknown,
  },
  'matrix/child-of-another': {
    columns: [OF_ANOTHER],
    title: 'No endpoint lets a Single Account act as a Child, by any header',
    needs: ['child-account', 'second-account'],
    locks: ['account', 'second-account'],
    whyNot: isAuthenticated,
    async judge(context, endpoints) {
      const { isIntegrator } = await unrelatedAccount(context);
      if (isIntegrator) throw new CheckEnded('untestable', NEEDS_SINGLE);
      const second = () => Promise.resolve(secondParty(context));
      await judgeStrangers(context, endpoints, 'authentication/child-header-of-single-401', second);
    },
  },
  'matrix/child-of-other-integrator': {
    columns: [OF_OTHER_INTEGRATOR],
    title: 'No endpoint lets an Integrator act as an account that another one controls, by any header',
    needs: ['integrator', 'second-account'],
    locks: ['account', 'second-account'],
    whyNot: isAuthenticated,
    judge: judgeOtherIntegrator,
  },
  'matrix/sibling-named': {
    columns: [SIBLING],
    title: 'No endpoint lets a Child act as its sibling, by any header',
    needs: ['child-account'],
    locks: ['account'],
    whyNot: isAuthenticated,
    judge: (context, endpoints) =>
      judgeStrangers(context, endpoints, 'authentication/child-header-of-child-401', () =>
        childParty(context, 'its sibling'),
      ),
  },
};

/** All three; where each request costs time, one of them for each endpoint. */
function headersFor(context: CheckContext): readonly HeaderRule[] {
  return context.target.timekeeper.isVirtual ? HEADERS : [context.random.pick(HEADERS)];
}

function noteSelection(context: CheckContext): void {
  if (!context.target.timekeeper.isVirtual) context.note('one of the three headers is tried at each endpoint');
}

async function judgeActing(context: CheckContext, endpoints: readonly Endpoint[]): Promise<void> {
  noteSelection(context);
  const parent = await furnish(context, { ...ownParty(context), title: 'the Integrator' }, endpoints);
  const party = await childParty(context, 'a Child');
  const child = await furnish(context, party, endpoints);
  const { id: integratorId } = await accountOf(context, context.api);
  // A key or a tag that is made for the Integrator instead.
  const paths = unlistedPaths(endpoints, child);
  const before = await takeInventory(parent.api, paths);
  const acted: [Endpoint, HeaderRule][] = [];
  for (const endpoint of inOrder(endpoints)) {
    for (const header of headersFor(context)) {
      await judgeOne(context, endpoint, header, { ...child, child: party.child, parent, integratorId });
      acted.push([endpoint, header]);
    }
  }
  const changed = expectSame(before, await takeInventory(parent.api, paths), parent.title);
  if (!changed) return;
  for (const [endpoint, header] of acted) {
    const renewed = await furnish(context, party, [endpoint]);
    const unlisted = unlistedPaths([endpoint], renewed);
    const again = await takeInventory(parent.api, unlisted);
    await judgeOne(context, endpoint, header, { ...renewed, child: party.child, parent, integratorId });
    const mismatch = expectSame(again, await takeInventory(parent.api, unlisted), parent.title);
    context.judge(header.acts, atEndpoint(endpoint, `acting as a Child ${header.strategy}`, mismatch));
  }
}

/** The Child with its things, and who acts as it. */
interface Acting extends Furnished {
  readonly child: Child;
  readonly parent: Furnished;
  readonly integratorId: unknown;
}

async function judgeOne(
  context: CheckContext,
  endpoint: Endpoint,
  { strategy, acts, says }: HeaderRule,
  { child, parent, integratorId, ...party }: Acting,
): Promise<void> {
  const isLast = nameOf(endpoint) === 'DELETE /account';
  const acted = isLast ? await context.children.create() : child;
  const api = context.callAs(context.target.apiKey, [acted[strategy]]);
  const values = { ...valuesFor(endpoint, party), ...(await freshFor(endpoint, party)) };
  if (isMissing(endpoint, values)) return;
  const created = endpoint.effect === 'creates' ? unlistedPaths([endpoint], party) : [];
  const before = await takeUnlisted(parent.api, created);
  const request = await soundRequest(context, endpoint, values);
  const answer = await api.send(request);
  const changed = expectSame(before, await takeUnlisted(parent.api, created), parent.title);
  if (isLast && answer.status < 300) context.children.isGone(acted);
  // Not every service takes a name again. Where the header is overlooked, the Child's key is one of the Integrator.
  for (const path of created) await party.api.delete(path);
  const isSuspended = endpoint.method === 'PUT' && endpoint.account === 'child';
  if (isSuspended) await api.put('/account/state', 'active');
  if (endpoint.effect === 'creates' && endpoint.returns === 'webhooks') await removeMade(api, request, answer);
  if (endpoint.returns === 'downloads' && endpoint.effect === 'changes') {
    await api.patch(`/download/clients/${values.download_id_set}`, { enabled: true });
  }
  const at = (mismatch: Mismatch | undefined) => atEndpoint(endpoint, `acting as a Child ${strategy}`, mismatch);
  context.judge(
    acts,
    at(expectServed(endpoint, answer)),
    at(expectAccountHeader(answer, acted.id)),
    at(expectOf(endpoint, { ...party, values, accountId: acted.id }, answer)),
    at(expectNothingOf(parent, answer)),
    at(changed),
  );
  if (answer.status >= 300) return;
  context.judge(says, at(expectHeader(answer, acted[strategy][0])));
  const { name } = AUTHENTICATION_HEADERS.authorizedAs;
  context.judge('authentication/child-x-authorized-as', at(expectHeaderValue(answer, name, String(integratorId))));
}

/** New things for what a DELETE takes away, since the next header wants some as well. */
async function freshFor({ effect, path }: Endpoint, { fresh, values }: Furnished): Promise<Values> {
  if (effect !== 'deletes') return {};
  if (/printjobs/.test(path)) return { print_job_set: await fresh('print_job_set') };
  if (/computers/.test(path)) return { computer_set: values.computer_set && (await fresh('computer_set')) };
  if (/webhook/.test(path)) return { webhook_id: await fresh('webhook_id') };
  return { name: await fresh('name'), description: await fresh('description') };
}

/** An account may have only five webhooks. */
async function removeMade(api: Party['api'], { json }: ApiRequest, answer: Answer): Promise<void> {
  const made = isObject(json) ? webhookAt(answer, String(json['url'])) : undefined;
  if (made) await api.delete(`/webhook/${webhookIdOf(made)}`);
}

/** Expects what the Child has, where an answer shows such things. */
function expectOf(endpoint: Endpoint, { texts, values, accountId }: Furnished, answer: Answer): Mismatch | undefined {
  const deleted = /printjobs/.test(endpoint.path) ? values.print_job_set : values.computer_set;
  const shows: Readonly<Partial<Record<Endpoint['returns'], () => boolean>>> = {
    account: () => isObject(answer.value) && answer.value['id'] === accountId,
    states: () => readHistories(answer)?.has(Number(values.print_job_set)) === true,
    ids: () => Array.isArray(answer.value) && answer.value.map(String).includes(deleted ?? ''),
    ...Object.fromEntries(LISTS.map((list) => [list, () => showsAny(answer, texts)])),
    // What else such a record has is not printed.
    'print jobs': () => idsIn(answer)?.includes(Number(values.print_job_set)) === true,
  };
  const isJudged = endpoint.effect === 'none' || endpoint.returns === 'ids' || endpoint.returns === 'account';
  return isJudged && shows[endpoint.returns]?.() === false ? mismatchIn(answer, 'what the Child has') : undefined;
}

const LISTS = ['computers', 'printers', 'print jobs', 'readings', 'reading', 'webhooks'] as const;

function expectNothingOf({ texts, title }: Furnished, answer: Answer): Mismatch | undefined {
  return showsAny(answer, texts) ? mismatchIn(answer, `nothing of ${title}`) : undefined;
}

async function judgeUnknown(context: CheckContext, endpoints: readonly Endpoint[]): Promise<void> {
  noteSelection(context);
  const isDisposable = context.target.isDisposable === true;
  const tried = endpoints.filter(({ account, method, isUnrestricted }) =>
    // Without its header a DELETE /account is one of the Integrator itself.
    isUnrestricted || (account === 'child' && method !== 'GET') ? isDisposable : true,
  );
  if (tried.length < endpoints.length) {
    context.note('what could end or empty the Integrator Account is not sent: it was not made for the run');
  }
  const open: RefusalPlan['open'] = async (some) => {
    const party = await furnish(context, { ...ownParty(context), title: 'the Integrator' }, some);
    return {
      watched: [{ party, paths: unlistedPaths(some, party) }],
      trials: async (endpoint) => {
        const trials: Trial[] = [];
        for (const { strategy, unknown, unknownHeader } of headersFor(context)) {
          const api = context.callAs(context.target.apiKey, [unknownHeader(context)]);
          const request = await soundRequest(context, endpoint, valuesFor(endpoint, party));
          trials.push({ what: `naming an unknown Child ${strategy}`, api, request, expected: refusedBy(unknown) });
        }
        return trials;
      },
      restore: () => enableDownload(party),
    };
  };
  await judgeRefusals(context, tried, { open, nothing: 'authentication/child-bad-header-never-parent' });
}

/** The second account, which must not be a Child of the first. */
async function unrelatedAccount(context: CheckContext): Promise<{ second: JsonObject; isIntegrator: boolean }> {
  const second = await accountOf(context, context.secondApi);
  if (isChildOf(await accountOf(context, context.api), second)) {
    throw new CheckEnded('untestable', 'needs a second account that is not a Child of the first');
  }
  return { second, isIntegrator: second['canCreateSubAccounts'] === true };
}

/** A caller that does not control the Child, and names it. */
async function judgeStrangers(
  context: CheckContext,
  endpoints: readonly Endpoint[],
  clause: ClauseId,
  callerOf: () => Promise<Party>,
): Promise<void> {
  noteSelection(context);
  const caller = await callerOf();
  const key = typeof caller.owner === 'string' ? (context.target.secondApiKey ?? '') : (caller.owner.apiKey ?? '');
  const tried = endpoints.filter(
    ({ isUnrestricted, account }) => caller.isDisposable || !(isUnrestricted || account === 'child'),
  );
  if (tried.length < endpoints.length) {
    context.note(`what could end or empty ${caller.title} is not sent: it was not made for the run`);
  }
  const open: RefusalPlan['open'] = async (some) => {
    const party = await childParty(context, 'a Child');
    for (const { strategy } of HEADERS) {
      const parent = context.callAs(context.target.apiKey, [party.child[strategy]]);
      context.require(expectActsFor(await parent.get('/noop'), party.child.id));
    }
    const named = await furnish(context, party, some);
    return {
      watched: [
        { party: named, paths: unlistedPaths(some, named) },
        { party: caller, paths: [] },
        { party: ownParty(context), paths: [] },
      ],
      trials: async (endpoint) => {
        const trials: Trial[] = [];
        for (const { strategy } of headersFor(context)) {
          const api = context.callAs(key, [party.child[strategy]]);
          const request = await soundRequest(context, endpoint, valuesFor(endpoint, named));
          const what = `${caller.title} naming a Child ${strategy}`;
          trials.push({ what, api, request, expected: refusedBy(clause) });
        }
        return trials;
      },
      restore: () => enableDownload(named),
    };
  };
  await judgeRefusals(context, tried, { open, nothing: 'authentication/refused-does-nothing' });
}

/** The Integrator names a Child of the second account; where that is no Integrator, the second account itself. */
async function judgeOtherIntegrator(context: CheckContext, endpoints: readonly Endpoint[]): Promise<void> {
  const { target, children, note } = context;
  const isDisposable = target.isDisposable === true;
  const { second, isIntegrator } = await unrelatedAccount(context);
  if (!isIntegrator) note('the second account has no Children: it is named itself');
  // Sent by an Integrator whose header is overlooked, or for an account that it must not touch.
  const tried = endpoints.filter(
    ({ isUnrestricted, account, method }) =>
      isDisposable || !(isUnrestricted || (account === 'child' && method !== 'GET')),
  );
  if (tried.length < endpoints.length)
    note('what could end or empty an account is not sent: none was made for the run');
  const open: RefusalPlan['open'] = async (some) => {
    const named = isIntegrator ? await children.ofSecondAccount() : undefined;
    const party: Party = named
      ? { title: 'a Child of another Integrator', api: named.api, owner: 'second-account', isDisposable: true }
      : secondParty(context);
    const owner = await furnish(context, secondParty(context), some);
    const headers = named
      ? HEADERS.map(({ strategy }) => named[strategy])
      : [headerById(Number(second['id'])), headerByEmail(String(second['email']))];
    const used = target.timekeeper.isVirtual ? headers : [context.random.pick(headers)];
    return {
      watched: [
        { party, paths: [] },
        { party: owner, paths: unlistedPaths(some, owner) },
        { party: ownParty(context), paths: unlistedPaths(some, owner) },
      ],
      trials: async (endpoint) => {
        const trials: Trial[] = [];
        for (const header of used) {
          const request = await soundRequest(context, endpoint, valuesFor(endpoint, owner));
          const api = context.callAs(target.apiKey, [header]);
          const expected = refusedBy('authentication/child-of-another-401');
          trials.push({ what: `the Integrator naming ${party.title} in ${header[0]}`, api, request, expected });
        }
        return trials;
      },
    };
  };
  await judgeRefusals(context, tried, { open, nothing: 'authentication/refused-does-nothing' });
}

const refusedBy = (clause: ClauseId): Trial['expected'] => [
  [clause, (answer) => expectStatus(answer, ERRORS.InvalidCredentials.status)],
];
