import { expect, it } from 'vitest';

import { showsTag } from '../../../src/oracle/shown-tag.ts';

it.each([
  ['names that lead to values', { shop: 'north', other: 'x' }, true],
  ['an array of names and values', [{ name: 'shop', value: 'north' }], true],
  ['an array of pairs', [['shop', 'north']], true],
  ['an array of names', ['other', 'shop'], true],
  ['texts of both', ['shop=north'], true],
  ['names that lead to objects', { shop: { is: 'north' } }, true],
  ['another value of the name', { shop: 'south' }, false],
  ['the value under another name', { other: 'north' }, false],
  ['other names', ['other', 'north'], false],
  ['names that are a part of it', ['hop=north', 'sho=north'], false],
  ['nothing', [], false],
  ['no tags at all', undefined, false],
])('a tag among %s', (_, tags, isShown) => {
  expect(showsTag(tags, 'shop', 'north')).toBe(isShown);
});

it('is found where its name has to be escaped in JSON', () => {
  expect(showsTag(['a"b'], 'a"b', 'x')).toBe(true);
});
