import { expect, it } from 'vitest';

import { formatAge, prettyJson } from '../../../../src/dashboard/parts/format.ts';

it.each([
  [0, 'now'],
  [999, 'now'],
  [1_000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [14 * 86_400_000, '14 d'],
])('an age of %i ms is %s', (ms, text) => expect(formatAge(ms)).toBe(text));

it('lays JSON out, and leaves other text as it is', () => {
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(prettyJson('{"a":')).toBe('{"a":');
});

it('shows the beginning of a document in JSON', () => {
  const text = JSON.stringify({ content: 'x'.repeat(5_000) });
  expect(prettyJson(text)).toContain(`"${'x'.repeat(60)}… (5,000 characters)"`);
});
