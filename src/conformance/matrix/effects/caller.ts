/**
 * Callers: each kind of account that can use the API, and each way to act for one.
 *
 *   an Integrator     with its key, for itself
 *   a Single Account  the second account, where it is one
 *   a Child           with a key of its own; acted for by its Integrator, named by each of three headers
 */

import type { JsonObject } from '../../../common/json-value.ts';
import type { Need } from '../../../specification/clause.ts';
import { accountOf, isChildOf } from '../../context/account-view.ts';
import type { ApiClient } from '../../context/api-client.ts';
import { CheckEnded } from '../../context/check-ended.ts';
import type { Child } from '../../context/children.ts';
import type { ComputerOwner, Owner } from '../../context/computers.ts';
import type { CheckContext } from '../../context/context.ts';
import { newKey } from '../../context/keys-and-tags.ts';
import { isId } from '../../expect/records.ts';
import { expectThat } from '../../expect/that.ts';
import { lazily } from './lazily.ts';

/** Someone whose requests are judged, and the account that they are about. */
export interface Caller {
  /** For messages: `a Child by email`. */
  readonly title: string;
  readonly api: ApiClient;
  /** Whose computers they are. */
  readonly owner: () => Promise<Owner | ComputerOwner>;
  /** Where things are left that do not go with their account. */
  readonly lasting?: Owner;
  /** What is known of the account; its id among it. */
  readonly account: JsonObject & { readonly id: number };
  /** The id of its controlling account. */
  readonly controllerId: () => Promise<number>;
  /** Made for the check or the run: all that it has may be deleted. */
  readonly isDisposable: boolean;
  /** A new Child, and a client that acts for it as this caller does; of a caller that acts by a header. */
  readonly spare?: () => Promise<{ readonly child: Child; readonly api: ApiClient }>;
}

export interface CallerKind {
  /** Begins the ids of its checks. */
  readonly id: string;
  /** Ends the titles of its checks: `as a Single Account`. */
  readonly by: string;
  readonly columns: readonly string[];
  readonly needs: readonly Need[];
  /** Whose account it works in, where that is not a new one. */
  readonly owner?: Owner;
  readonly isIntegrator?: true;
  /** Names a Child in a header, as some endpoints want it. */
  readonly namesChild?: true;
  readonly callers: (context: CheckContext) => Promise<readonly Caller[]>;
}

const STRATEGIES = [
  ['byId', 'a Child by id'],
  ['byEmail', 'a Child by email'],
  ['byCreatorRef', 'a Child by creatorRef'],
] as const;

const columnOf = (title: string): string => `what is done for ${title}`;

export const CALLER_KINDS: readonly CallerKind[] = [
  {
    id: 'integrator',
    by: 'as an Integrator, for itself',
    columns: [columnOf('an Integrator itself')],
    needs: ['integrator'],
    owner: 'account',
    isIntegrator: true,
    async callers(context) {
      const { api, target } = context;
      const id = await idOf(context, api);
      const isDisposable = target.isDisposable === true;
      const controllerId = () => Promise.resolve(id);
      return [{ title: 'an Integrator', api, ...ofLasting('account'), account: { id }, controllerId, isDisposable }];
    },
  },
  {
    id: 'single',
    by: 'as a Single Account',
    columns: [columnOf('a Single Account')],
    needs: ['second-account'],
    owner: 'second-account',
    callers: async (context) => [await singleAccount(context)],
  },
  {
    id: 'child',
    by: 'as a Child with a key of its own',
    columns: [columnOf('a Child by its own key')],
    needs: ['child-account'],
    callers: async (context) => [await childByKey(context)],
  },
  {
    id: 'named-child',
    by: 'as an Integrator, for its Child by each of three headers',
    columns: STRATEGIES.map(([, title]) => columnOf(title)),
    needs: ['child-account'],
    namesChild: true,
    callers: childrenByHeader,
  },
];

async function idOf(context: CheckContext, api: ApiClient): Promise<number> {
  const { id } = await accountOf(context, api);
  context.require(expectThat(isId(id), 'id of GET /whoami', 'an id', id));
  return Number(id);
}

/** The second account. Ends the check as untestable where that is surely or perhaps no Single Account. */
async function singleAccount(context: CheckContext): Promise<Caller> {
  const { api, secondApi, target } = context;
  const second = await accountOf(context, secondApi);
  const { creatorEmail, email, canCreateSubAccounts } = second;
  const isOfAnother = typeof creatorEmail === 'string' && creatorEmail !== email;
  if (canCreateSubAccounts !== false || isOfAnother || isChildOf(await accountOf(context, api), second)) {
    throw new CheckEnded('untestable', 'needs a second account that is a Single Account');
  }
  const id = await idOf(context, secondApi);
  return {
    title: 'a Single Account',
    api: secondApi,
    ...ofLasting('second-account'),
    account: { id },
    controllerId: () => Promise.resolve(id),
    isDisposable: target.isDisposable === true,
  };
}

function ofLasting(owner: Owner): Pick<Caller, 'owner' | 'lasting'> {
  return { owner: () => Promise.resolve(owner), lasting: owner };
}

/** What is known of a Child, and where. */
function ofChild(
  context: CheckContext,
  { id, email, creatorRef, cleaner, api: byId }: Child,
  api: ApiClient,
): Omit<Caller, 'title'> {
  return {
    api,
    owner: lazily(async () => ({ apiKey: await newKey(context, byId, 'computers'), api, cleaner })),
    account: { id, email, creatorRef, state: 'active' },
    controllerId: lazily(() => idOf(context, context.api)),
    isDisposable: true,
  };
}

async function childByKey(context: CheckContext): Promise<Caller> {
  const child = await context.children.create();
  const api = context.callAs(await newKey(context, child.api, 'own'));
  return { title: 'a Child', ...ofChild(context, child, api) };
}

/** Where each request costs time, by one of the headers. */
async function childrenByHeader(context: CheckContext): Promise<readonly Caller[]> {
  const { callAs, children, note, random, target } = context;
  const { isVirtual } = target.timekeeper;
  if (!isVirtual) note('one of the three headers is tried');
  const callers: Caller[] = [];
  for (const [strategy, title] of isVirtual ? STRATEGIES : [random.pick(STRATEGIES)]) {
    const acting = (child: Child): ApiClient => callAs(target.apiKey, [child[strategy]]);
    const child = await children.create();
    const spare: Caller['spare'] = async () => {
      const another = await children.create();
      return { child: another, api: acting(another) };
    };
    callers.push({ title, spare, ...ofChild(context, child, acting(child)) });
  }
  return callers;
}
