import { describe, expect, it } from 'vitest';

import { childOf, keysIn, Parties, setTag, settleTag } from '../../../../src/oracle/account/parties.ts';
import { collectFacts } from '../../../../src/oracle/account/job-facts.ts';
import { ask } from '../../../support/told-history.ts';

const makes = ask('POST /account', { value: { Account: { id: 9 } } });

function parties(): Parties {
  return new Parties(collectFacts([makes]));
}

it('knows all of an account that was made', () => {
  const all = parties();
  expect(all.of('9')).toMatchObject({ state: 'active', isDeleted: false, isWhole: true });
  expect(all.of('7').isWhole).toBe(false);
  expect(all.of('9')).toBe(all.of('9'));
});

it('knows the account of a key, by who made it or by what it answered', () => {
  const all = parties();
  const [own, child] = [all.of('7'), all.of('9')];
  all.takeKey('9 till', ['one', 'two'], '9');
  expect(['key', 'two', 'other'].map((key) => all.ofKey(key))).toEqual([own, child, undefined]);
  expect(all.ofKey('two')).toBe(child);
  expect(all.ofKey('key')).toBe(own);
});

it('knows which references others have', () => {
  const all = parties();
  all.of('9').names.set('creatorRef', { value: 'ref', isChanged: false });
  expect([all.isTaken('ref', '7'), all.isTaken('ref', '9'), all.isTaken('x', '7')]).toEqual([true, false, false]);
  all.of('9').isDeleted = true;
  expect(all.isTaken('ref', '7')).toBe(false);
});

it('reads the Child of a request', () => {
  expect(childOf(ask('GET /noop', { child: '9' }))).toBe('9');
  expect(childOf(ask('GET /noop', { headers: { 'x-child-account-by-id': '5' } }))).toBe('5');
  expect(childOf(ask('GET /noop', { headers: { 'X-Other': '5' } }))).toBeUndefined();
});

it.each([
  ['a key', 'k'.repeat(16), ['k'.repeat(16)]],
  ['a shorter text', 'k'.repeat(15), []],
  ['a key in a record', { name: 'till', key: 'k'.repeat(20) }, ['k'.repeat(20)]],
  ['the name of a member', { ['k'.repeat(20)]: 5 }, []],
  ['two', ['k'.repeat(20), 'l'.repeat(20)], ['k'.repeat(20), 'l'.repeat(20)]],
  ['a sentence', 'not a key but a sentence', []],
  ['nothing', undefined, []],
])('finds in %s what may be a key', (_, value, expected) => {
  expect(keysIn(value)).toEqual(expected);
});

describe('a tag', () => {
  it('that was set at the same time to several values is the one that is shown first', () => {
    const party = parties().of('9');
    for (const sent of ['3', '4']) setTag(party, 'floor', ask('POST /account/tag/floor', { sent, together: 1 }));
    settleTag(party, 'floor', '"5"');
    expect([party.tags.get('floor'), party.openTags.size]).toEqual(['4', 1]);
    settleTag(party, 'floor', '"3"');
    expect([party.tags.get('floor'), party.openTags.size]).toEqual(['3', 0]);
    settleTag(party, 'floor', '"4"');
    expect(party.tags.get('floor')).toBe('3');
  });

  it('that was set at the same time is the first of several that are shown', () => {
    const party = parties().of('9');
    for (const sent of ['3', '4']) setTag(party, 'floor', ask('POST /account/tag/floor', { sent, together: 1 }));
    settleTag(party, 'floor', '["4","3"]');
    expect(party.tags.get('floor')).toBe('3');
  });

  it('that was set at the same time may be any of them', () => {
    const party = parties().of('9');
    for (const sent of ['3', '4', '5']) setTag(party, 'floor', ask('POST /account/tag/floor', { sent, together: 1 }));
    settleTag(party, 'floor', '"4"');
    expect(party.tags.get('floor')).toBe('4');
  });

  it('that was set alone is the last one', () => {
    const party = parties().of('9');
    setTag(party, 'floor', ask('POST /account/tag/floor', { sent: '3', together: 1 }));
    setTag(party, 'floor', ask('POST /account/tag/floor', { sent: '4' }));
    settleTag(party, 'floor', '"3"');
    expect(party.tags.get('floor')).toBe('4');
  });

  it('that was set at another time is not among those of before', () => {
    const party = parties().of('9');
    setTag(party, 'floor', ask('POST /account/tag/floor', { sent: '3', together: 1 }));
    setTag(party, 'floor', ask('POST /account/tag/floor', { sent: '4', together: 2 }));
    settleTag(party, 'floor', '"3"');
    expect(party.tags.get('floor')).toBe('4');
  });
});
