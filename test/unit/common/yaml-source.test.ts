import fc from 'fast-check';
import { expect, it } from 'vitest';

import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { readYaml } from '../../../src/common/yaml-source.ts';

function messagesOf(text: string): string[] {
  const read = readYaml(text);
  return read.ok ? [] : read.error.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

it('gives the value of a file', () => {
  const read = readYaml('a: 1\nb:\n  - c: "x"\n');
  expect(read.ok && read.value.value).toEqual({ a: 1, b: [{ c: 'x' }] });
});

it('knows where each part stands', () => {
  const read = readYaml('a: 1\nb:\n  - c: "x"\n    d: 2\n');
  if (!read.ok) throw new Error('refused');
  expect(read.value.problemAt(['b', 0, 'd'], 'no')).toEqual({
    line: 4,
    column: 8,
    at: 'b[0].d',
    message: 'no',
  });
  expect(read.value.problemWithKey(['b', 0], 'd', 'no')).toMatchObject({ line: 4, column: 5 });
  expect(read.value.problemAt(['b', 0, 'missing'], 'no')).toMatchObject({ line: 3, column: 5 });
});

it('refuses a repeated key, at its second place', () => {
  expect(messagesOf('a: 1\nb: 2\na: 3\n')).toEqual(["3:1 the key 'a' appears here twice"]);
});

it.each([
  ['anchors and aliases', 'a: &a [x]\nb: [*a, *a]\n', 'anchors are not part of the format'],
  ['tags', 'a: !!binary AAAA\n', 'tags are not part of the format'],
  ['keys that are objects', '? [a]\n: 1\n', 'a key must be a plain string'],
  ['two documents', 'a: 1\n---\nb: 2\n', '2:1 a file is one document, and a second one begins here'],
  ['a key without its colon', 'why\n  it matters\nb: 2\n', 'a colon may be missing here'],
  ['a last key without one', 'a: 1\nwhy\n', 'a colon may be missing here'],
  ['broken syntax', 'a: [1\nb: 2\n', 'Flow sequence'],
])('refuses %s', (_, text, message) => {
  expect(messagesOf(text).join('\n')).toContain(message);
});

it('reports every alias of a bomb and expands none', () => {
  const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`);
  const elapsedMs = startStopwatch();
  expect(messagesOf(`l0: &l0 x\n${levels.join('\n')}\n`).length).toBeGreaterThan(1);
  expect(elapsedMs()).toBeLessThan(1_000);
});

it.each([
  ['brackets', '['.repeat(60_000)],
  ['balanced brackets', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['brackets over many lines', '[\n'.repeat(30_000)],
  ['maps in maps', '{a: '.repeat(15_000)],
  ['lists on one line', '- '.repeat(30_000)],
  ['indentation', Array.from({ length: 350 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
  ['explicit keys', '? '.repeat(30_000)],
  ['size', 'x'.repeat(70_000)],
  ['many values', '-\n'.repeat(30_000)],
  ['many keys', Array.from({ length: 6_000 }, (_, key) => `k${key}: 1`).join('\n')],
])('is not harmed by %s without end', (_, text) => {
  const elapsedMs = startStopwatch();
  expect(messagesOf(text).length).toBeGreaterThan(0);
  expect(elapsedMs()).toBeLessThan(3_000);
});

it('never throws, whatever the file', () => {
  const pieces = fc.constantFrom(
    'a: ',
    '- ',
    '\n',
    '  ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '|',
    '>',
    '&a ',
    '*a',
    '!t ',
    '#',
    'x',
    '1',
    ': ',
    '\t',
  );
  const property = fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
    const read = readYaml(parts.join(''));
    return read.ok || read.error.every(({ line, column }) => line >= 1 && column >= 1);
  });
  expect(fc.check(property, { numRuns: 300, seed: 1 })).toMatchObject({ failed: false });
});

it('says one mistake of YAML once, and how a variable is written between braces', () => {
  const read = readYaml('url: x\nkeys: {main: ${NOT_SET}}\n');
  expect(read.ok ? [] : read.error).toEqual([
    expect.objectContaining({
      line: 2,
      column: 15,
      message: expect.stringContaining("write '${NAME}' in quotes") as string,
    }),
  ]);
});
