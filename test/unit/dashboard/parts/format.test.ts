import { expect, it } from 'vitest';

import { formatAge, formatBytes, prettyJson } from '../../../../src/dashboard/parts/format.ts';

it.each([
  [0, 'now'],
  [999, 'now'],
  [1_000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [14 * 86_400_000, '14 d'],
])('an age of %i ms is %s', (ms, text) => expect(formatAge(ms)).toBe(text));

it.each([
  [12, '12 B'],
  [48_211, '48.2 KB'],
  [50_000_000, '50 MB'],
])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it('lays JSON out, and leaves other text as it is', () => {
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(prettyJson('{"a":')).toBe('{"a":');
});

it('shows the beginning of a document in JSON', () => {
  const text = JSON.stringify({ content: 'x'.repeat(5_000) });
  expect(prettyJson(text)).toContain(`"${'x'.repeat(60)}… (5,000 characters)"`);
});
