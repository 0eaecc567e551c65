import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { EXAMPLE, targetPage } from '../../../docs/generate/target.ts';
import { formatProblem } from '../../../src/common/problem.ts';
import { readDescriptor } from '../../../src/target/descriptor.ts';

const KEYS = { PRINT_KEY: 'k-1', PRINT_SECOND_KEY: 'k-2', RESET_TOKEN: 't' };

function problemsOf(file: string): readonly string[] {
  const read = readDescriptor(file, KEYS);
  return read.ok ? [] : read.error.map((problem) => formatProblem('target.yaml', problem));
}

it('reads the example of the documentation, with keys from the environment', () => {
  const read = readDescriptor(EXAMPLE, KEYS);
  expect(read).toMatchObject({
    ok: true,
    value: { url: 'https://print.example', keys: { main: 'k-1', second: 'k-2' }, link: 'websocket' },
  });
});

it('takes what stands for a variable that is not set', () => {
  const read = readDescriptor('url: ${NOWHERE:-http://127.0.0.1:1}\nkeys: {main: a}\n', {});
  expect(read).toMatchObject({ ok: true, value: { url: 'http://127.0.0.1:1' } });
});

it.each([
  [
    'a variable that is not set',
    'url: http://a.example\nkeys:\n  main: ${NO_SUCH}\n',
    'target.yaml:3:9: keys.main: the environment variable NO_SUCH is not set',
  ],
  [
    'a key that is mistyped',
    'url: http://a.example\nkeys: {main: a}\nhoks: {}\n',
    "target.yaml:3:1: there is no key 'hoks' here; did you mean 'hooks'?",
  ],
  ['a key that is missing', 'keys: {main: a}\n', 'target.yaml:1:1: url: is missing: a text'],
  [
    'a capability that is mistyped',
    'url: http://a.example\nkeys: {main: a}\ncapabilities:\n  scael: true\n',
    'target.yaml:4:3',
  ],
  [
    'a link that is none',
    'url: http://a.example\nkeys: {main: a}\nlink: carrier-pigeon\n',
    'target.yaml:3:7: link: ',
  ],
  ['what is no YAML', 'url: [\n', 'target.yaml:'],
])('tells line and column of %s', (_, file, problem) => {
  expect(problemsOf(file)[0]).toContain(problem);
});

it('is documented as it is', () => {
  expect(readFileSync(new URL('../../../docs/target.md', import.meta.url), 'utf8')).toBe(targetPage());
});
