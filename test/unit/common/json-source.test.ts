import fc from 'fast-check';
import { expect, it } from 'vitest';

import { readJson } from '../../../src/common/json-source.ts';
import type { Problem } from '../../../src/common/problem.ts';

function problemOf(text: string): Problem | undefined {
  const read = readJson(text);
  return read.ok ? undefined : read.error[0];
}

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const read = readJson(text);
      expect(read.ok && read.value.value).toEqual(JSON.parse(text));
    }),
  );
});

it('finds a fault in every text that JSON.parse refuses, within the text', () => {
  const broken = fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', '"', '}', ']', ',', ':', 'x', '{', '\u0001'))
    .map(([text, at, insert]) => text.slice(0, at % (text.length + 1)) + insert + text.slice((at % text.length) + 1));
  fc.assert(
    fc.property(broken, (text) => {
      const found = problemOf(text);
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(found === undefined).toBe(isJson);
      expect(found?.column ?? 1).toBeLessThanOrEqual(text.length + 1);
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['', 1, 1, 'Unexpected end of JSON input; was the file cut off?'],
  ['{"a": [1,\n 2', 2, 3, "Expected ',' or ']' after array element; was the file cut off?"],
  ['{"a": "text that', 1, 17, 'Unterminated string; was the file cut off?'],
  ['{"a": 1,}', 1, 9, 'Expected double-quoted property name'],
  ['{"a" 1}', 1, 6, "Expected ':' after property name"],
  ['{\n  "a": tru,\n  "b": 1\n}', 2, 11, "Unexpected token ','"],
  [`[${'10, '.repeat(100)}x, 2]`, 1, 402, "Unexpected token 'x'"],
  ['[1] 2 ', 1, 5, 'Unexpected non-whitespace character after JSON'],
])('names the place of the first fault in %j', (text, line, column, message) => {
  expect(problemOf(text)).toEqual({ line, column, at: '', message: `not valid JSON: ${message}` });
});

function place({ line, column, at }: Problem): unknown {
  return [line, column, at];
}

it('knows the place of a value and of its key', () => {
  const read = readJson('{\n  "a\\"b": [10, {"x": "}]"}, 20],\n  "c": 1,\n  "c": 2\n}');
  if (!read.ok) throw new Error('it is JSON');
  expect(place(read.value.problemAt(['a"b', 1, 'x'], ''))).toEqual([2, 22, 'a"b[1].x']);
  expect(place(read.value.problemAt(['a"b', 2], ''))).toEqual([2, 29, 'a"b[2]']);
  expect(place(read.value.problemWithKey([], 'c', ''))).toEqual([4, 3, '']);
  expect(place(read.value.problemAt(['missing', 'deeper'], ''))).toEqual([1, 1, 'missing.deeper']);
});

it('refuses a text that is nested too deep or holds too many values before parsing it', () => {
  expect(problemOf('['.repeat(10_000_000))?.message).toBe('nested more than 64 levels deep');
  expect(problemOf('{"a":'.repeat(65))?.message).toBe('nested more than 64 levels deep');
  expect(problemOf(`[${'[],'.repeat(3_000_000)}0]`)?.message).toBe('more than 5000000 values');
});
