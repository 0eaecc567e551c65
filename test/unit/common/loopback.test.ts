import { expect, it } from 'vitest';

import { isLoopback, isLoopbackName } from '../../../src/common/loopback.ts';

it.each(['localhost', 'LOCALHOST', 'bench.localhost', 'my_app.localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])(
  'can only be this machine: %s',
  (name) => {
    expect(isLoopbackName(name)).toBe(true);
  },
);

it.each([
  '0.0.0.0',
  '::',
  '10.0.0.1',
  'example.test',
  'notlocalhost',
  'localhost.evil.example',
  '127.evil.example',
  '127.999.999.999',
  '127.1',
  '2130706433',
  '[::ffff:127.0.0.1]',
  '',
])("may be another machine, or be led anywhere: '%s'", (name) => {
  expect(isLoopbackName(name)).toBe(false);
});

it.each([
  ['http://127.0.0.1:8631/', true],
  ['https://[::1]', true],
  ['http://127.0.0.1.print.example', false],
  ['http://localhost@print.example', false],
  ['127.0.0.1', false],
])('is an address of this machine: %s, %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
