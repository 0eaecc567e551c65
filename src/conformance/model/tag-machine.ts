/**
 * Machine of tags: names with values, set, read, removed and set again.
 */

import * as fc from 'fast-check';

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { CheckContext } from '../context/context.ts';
import { expectErrorObject, expectNoTexts, expectSuccess, expectTexts } from '../expect/answer.ts';
import { firstOf } from '../expect/that.ts';
import { one, pick, type Machine, type Ruling } from './machine.ts';
import type { MoveArguments } from '../context/judgement.ts';
import { tagPath } from '../context/account-paths.ts';
import { postTag } from '../context/keys-and-tags.ts';

interface World {
  readonly context: CheckContext;
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly tags: Map<string, string>;
}

const name = fc.nat({ max: 2 });
const value = fc.nat({ max: 3 });
const nameIn = ({ names }: World, given: MoveArguments): string => pick(names, one(given, 'name')) ?? '';

async function set(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const { context, tags, values } = world;
  const tag = nameIn(world, given);
  const text = pick(values, one(given, 'value')) ?? '';
  context.removeLater(tagPath(tag));
  const answer = await postTag(context, tag, text);
  const clause = tags.has(tag) ? 'accounts/tag-update' : 'accounts/tag-create';
  tags.set(tag, text);
  return [[clause, firstOf(expectSuccess(answer), await expectRead(world, tag))]];
}

async function expectRead({ context, tags }: World, tag: string): Promise<Mismatch | undefined> {
  const answer = await context.api.get(tagPath(tag));
  const text = tags.get(tag);
  return text === undefined ? expectErrorObject(answer) : firstOf(expectSuccess(answer), expectTexts(answer, [text]));
}

async function read(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const tag = nameIn(world, given);
  const clause = world.tags.has(tag) ? 'accounts/tag-read' : 'accounts/tag-read-missing';
  return [[clause, await expectRead(world, tag)]];
}

async function remove(world: World, given: MoveArguments): Promise<readonly Ruling[]> {
  const tag = nameIn(world, given);
  const answer = await world.context.api.delete(tagPath(tag));
  const wasThere = world.tags.delete(tag);
  // What removing nothing is answered with is not shown.
  return wasThere ? [['accounts/tag-delete', firstOf(expectSuccess(answer), await expectRead(world, tag))]] : [];
}

async function account({ context, names, tags }: World): Promise<readonly Ruling[]> {
  const answer = await context.api.get('/whoami');
  const absent = names.filter((tag) => !tags.has(tag));
  return [
    ['accounts/tag-in-account-object', expectTexts(answer, [...tags].flat())],
    ['accounts/tag-delete', expectNoTexts(answer, absent)],
  ];
}

export const TAG_MACHINE: Machine<World> = {
  moves: {
    set: { draw: fc.record({ name, value }), play: set },
    read: { draw: fc.record({ name }), play: read },
    remove: { draw: fc.record({ name }), play: remove },
    account: { draw: fc.constant({}), play: account },
  },
  opening: [
    { move: 'read', with: { name: 0 } },
    { move: 'set', with: { name: 0, value: 0 } },
    { move: 'set', with: { name: 0, value: 1 } },
    { move: 'read', with: { name: 0 } },
    { move: 'account', with: {} },
    { move: 'remove', with: { name: 0 } },
    { move: 'set', with: { name: 0, value: 0 } },
    { move: 'account', with: {} },
  ],
  begin(context) {
    const names = [1, 2, 3].map(() => `check-${context.naming.hex(18)}`);
    const values = [1, 2, 3, 4].map(() => context.uniqueText('value'));
    return Promise.resolve({ context, names, values, tags: new Map() });
  },
  async end({ context, tags }) {
    for (const tag of tags.keys()) await context.api.delete(tagPath(tag));
  },
};
