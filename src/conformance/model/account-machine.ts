/**
 * Machine of Child Accounts: created, suspended, reactivated, renamed and deleted side by side.
 */

import * as fc from 'fast-check';

import type { Mismatch } from '../../oracle/mismatch.ts';
import { ERRORS } from '../../specification/errors.ts';
import { expectAccount, expectActsFor } from '../context/account-view.ts';
import type { Child } from '../context/children.ts';
import type { CheckContext } from '../context/context.ts';
import { firstOf } from '../expect/that.ts';
import { expectRefusal, expectStatus, expectSuccess, expectFound } from '../expect/answer.ts';
import { one, pick, type Machine, type Ruling } from './machine.ts';
import type { MoveArguments } from '../context/judgement.ts';

interface Account {
  readonly child: Child;
  readonly email: string;
  firstname: string;
  state: 'active' | 'suspended';
}

interface World {
  readonly context: CheckContext;
  readonly accounts: Account[];
  readonly deleted: Account[];
  /** Whether GET /whoami still shows a suspended account. */
  readonly canReadSuspended: boolean;
}

const MOST_AT_A_TIME = 2;
const which = fc.nat({ max: 5 });

const chosen = ({ accounts }: World, given: MoveArguments): Account | undefined =>
  pick(accounts, one(given, 'account'));
const hasAccounts = ({ accounts }: World): boolean => accounts.length > 0;

/** The account exists and matches the model. */
async function expectAsKnown(
  { canReadSuspended }: Pick<World, 'canReadSuspended'>,
  { child, email, firstname, state }: Account,
): Promise<Mismatch | undefined> {
  if (state === 'suspended' && !canReadSuspended) {
    return expectFound(await child.api.get('/account/state'), 'suspended', (shown) => shown === state);
  }
  const answer = await child.api.get('/whoami');
  const wanted = { id: child.id, email, firstname, state };
  return firstOf(
    expectActsFor(answer, child.id),
    expectAccount(answer.value, wanted, `in ${answer.request} of the Child`),
  );
}

async function expectAllAsKnown(world: World): Promise<Mismatch | undefined> {
  for (const account of world.accounts) {
    const mismatch = await expectAsKnown(world, account);
    if (mismatch) return mismatch;
  }
  return undefined;
}

async function create(world: World): Promise<readonly Ruling[]> {
  const child = await world.context.children.create();
  const account: Account = { child, email: child.email, firstname: '-', state: 'active' };
  world.accounts.push(account);
  const mismatch = await expectAsKnown(world, account);
  return [
    ['accounts/create', mismatch],
    ['accounts/state-initially-active', mismatch],
  ];
}

/** Another account with the creatorRef of one that is there. */
async function createTaken(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const taken = chosen(world, given);
  if (!taken) return [];
  const { children } = world.context;
  const answer = await children.send(children.sound({ creatorRef: taken.child.creatorRef }));
  return [['accounts/create-creator-ref-unique', firstOf(expectRefusal(answer), await expectAllAsKnown(world))]];
}

/** Suspends an active account, reactivates a suspended one. */
async function switchState(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const account = chosen(world, given);
  if (!account) return [];
  account.state = account.state === 'active' ? 'suspended' : 'active';
  const answer = await account.child.api.put('/account/state', account.state);
  const clause = account.state === 'active' ? 'accounts/state-activate' : 'accounts/state-suspend';
  return [[clause, firstOf(expectSuccess(answer), await expectAllAsKnown(world))]];
}

/** What a suspended account may still do is not shown. */
async function reactivate({ context, canReadSuspended }: World, account: Account): Promise<void> {
  if (account.state === 'active' || canReadSuspended) return;
  context.require(expectSuccess(await account.child.api.put('/account/state', 'active')));
  account.state = 'active';
}

async function rename(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const account = chosen(world, given);
  // What a suspended account may still change is not shown.
  if (!account || account.state === 'suspended') return [];
  const firstname = world.context.uniqueText('name');
  const answer = await account.child.api.patch('/account', { firstname });
  account.firstname = firstname;
  const mismatch = firstOf(expectSuccess(answer), await expectAllAsKnown(world));
  return [
    ['accounts/update-firstname', mismatch],
    ['accounts/update-leaves-the-rest', mismatch],
  ];
}

async function remove(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const account = chosen(world, given);
  if (!account) return [];
  await reactivate(world, account);
  // Nothing is deleted before it is sure that it is this one.
  world.context.require(expectActsFor(await account.child.api.get('/whoami'), account.child.id));
  const answer = await account.child.api.delete('/account');
  world.accounts.splice(world.accounts.indexOf(account), 1);
  world.deleted.push(account);
  const gone = expectStatus(await account.child.api.get('/whoami'), ERRORS.InvalidCredentials.status);
  if (!gone) world.context.children.isGone(account.child);
  return [
    ['accounts/delete', expectSuccess(answer)],
    ['authentication/child-deleted-401', gone],
    ['accounts/delete-leaves-other-children', await expectAllAsKnown(world)],
  ];
}

async function lookAtDeleted(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const account = pick(world.deleted, one(given, 'account'));
  if (!account) return [];
  const { byCreatorRef, byEmail, byId } = account.child;
  const header = pick([byId, byEmail, byCreatorRef], one(given, 'by')) ?? byId;
  const answer = await world.context.api.get('/whoami', [header]);
  return [['authentication/child-deleted-401', expectStatus(answer, ERRORS.InvalidCredentials.status)]];
}

export const ACCOUNT_MACHINE: Machine<World> = {
  moves: {
    create: {
      draw: fc.constant({}),
      isPossible: ({ accounts }) => accounts.length < MOST_AT_A_TIME,
      play: create,
    },
    'create-with-taken-ref': {
      draw: fc.record({ account: which }),
      isPossible: hasAccounts,
      play: createTaken,
    },
    'switch-state': { draw: fc.record({ account: which }), isPossible: hasAccounts, play: switchState },
    rename: { draw: fc.record({ account: which }), isPossible: hasAccounts, play: rename },
    delete: {
      draw: fc.record({ account: which }),
      // One that stays shows whether it is left alone.
      isPossible: ({ accounts }) => accounts.length > 1,
      play: remove,
    },
    'look-at-deleted': {
      draw: fc.record({ account: which, by: fc.nat({ max: 2 }) }),
      isPossible: ({ deleted }) => deleted.length > 0,
      play: lookAtDeleted,
    },
  },
  opening: [
    { move: 'create', with: {} },
    { move: 'create', with: {} },
    { move: 'create-with-taken-ref', with: { account: 0 } },
    { move: 'switch-state', with: { account: 0 } },
    { move: 'rename', with: { account: 1 } },
    { move: 'switch-state', with: { account: 0 } },
    // Once more: a service may keep the second suspension for good.
    { move: 'switch-state', with: { account: 0 } },
    { move: 'switch-state', with: { account: 0 } },
    { move: 'delete', with: { account: 0 } },
    { move: 'look-at-deleted', with: { account: 0, by: 2 } },
  ],
  async begin(context) {
    const { whoami } = await context.speak('suspension');
    return { context, accounts: [], deleted: [], canReadSuspended: whoami === 'answered' };
  },
  async end(world) {
    const { context, accounts } = world;
    for (const account of accounts) {
      const { child } = account;
      await reactivate(world, account);
      const answer = await child.api.get('/whoami');
      if (expectActsFor(answer, child.id)) continue;
      if ((await child.api.delete('/account')).status < 300) context.children.isGone(child);
    }
  },
};
