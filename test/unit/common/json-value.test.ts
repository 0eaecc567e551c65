import { expect, it } from 'vitest';

import { NotJson, parseJson, showValue } from '../../../src/common/json-value.ts';

it.each([
  ['[-0]', [0]],
  ['{"mass":[-0.0,null]}', { mass: [0, null] }],
  ['-0', 0],
  ['[0.5,-0.5,"-0"]', [0.5, -0.5, '-0']],
])('reads the value of %s, in which -0 is 0', (text, value) => {
  expect(parseJson(Buffer.from(text))).toStrictEqual(value);
});

it('says of a body that is not JSON what it is', () => {
  expect(parseJson(Buffer.from('hello'))).toEqual(new NotJson('hello'));
});

it.each([
  ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
])('says of %s in each other without end that they are nested too deep', (_, text) => {
  expect(showValue(parseJson(Buffer.from(text)))).toMatch(/^a body that is nested deeper than 1000 levels: "/);
});
