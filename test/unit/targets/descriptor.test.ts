import { expect, it } from 'vitest';

import { CLIENT_EXAMPLE, EXAMPLE, IMAGE_EXAMPLE, START_EXAMPLE } from '../../../docs/generate/target.ts';
import { formatProblem } from '../../../src/common/problem.ts';
import { readDescriptor } from '../../../src/targets/descriptor.ts';

const KEYS = { PRINT_KEY: 'k-1', PRINT_SECOND_KEY: 'k-2', RESET_TOKEN: 't' };

function problemsOf(file: string): readonly string[] {
  const read = readDescriptor(file, KEYS);
  return read.ok ? [] : read.error.map((problem) => formatProblem('target.yaml', problem));
}

it.each(['url: http://a.example\n', 'url: http://a.example\nkeys: {second: b}\n'])(
  'takes the main key from PLATEN_API_KEY where the file has none: %j',
  (file) => {
    expect(readDescriptor(file, { PLATEN_API_KEY: 'k' })).toMatchObject({
      ok: true,
      value: { keys: { main: 'k' } },
    });
  },
);

it('prefers the key in the file to PLATEN_API_KEY', () => {
  const read = readDescriptor('url: http://a.example\nkeys: {main: a}\n', { PLATEN_API_KEY: 'k' });
  expect(read).toMatchObject({ ok: true, value: { keys: { main: 'a' } } });
});

it('reports a variable that is not set together with everything else that is wrong', () => {
  const read = readDescriptor('url: http://a.example\nkey: a\nkeys: {main: "${NOT_SET}"}\nlink: websockt\n', {});
  const messages = read.ok ? [] : read.error.map(({ line, message }) => `${line}: ${message}`);
  expect(messages).toEqual([
    '3: the environment variable NOT_SET is not set',
    "2: there is no key 'key' here; did you mean 'keys'?",
    "4: must be websocket, not 'websockt'; did you mean 'websocket'?",
  ]);
});

it('reads the example of the documentation, with keys from the environment', () => {
  const read = readDescriptor(EXAMPLE, KEYS);
  expect(read).toMatchObject({
    ok: true,
    value: { url: 'https://print.example', keys: { main: 'k-1', second: 'k-2' }, link: 'websocket' },
  });
});

it('reads the example of a service that platen starts', () => {
  const start = { command: './serve --port {port} --data {folder}', environment: { ADMIN_KEY: '{key}' } };
  expect(readDescriptor(START_EXAMPLE, KEYS)).toMatchObject({ ok: true, value: { start } });
});

it('reads the example of an image', () => {
  const environment = { ADMIN_KEY: 'k-1' };
  const image = { name: 'print-service:latest', port: 8_080, environment, command: ['serve', '--verbose'] };
  expect(readDescriptor(IMAGE_EXAMPLE, KEYS)).toMatchObject({ ok: true, value: { image } });
});

it('leaves to a shell what only a shell understands', () => {
  const command = 'restart ${PORT%0} ${PRINT_KEY}';
  const read = readDescriptor(
    `url: http://a.example\nkeys: {main: a}\nhooks: {restart: {command: '${command}'}}\n`,
    KEYS,
  );
  expect(read).toMatchObject({ ok: true, value: { hooks: { restart: { command: 'restart ${PORT%0} k-1' } } } });
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
    'a variable whose name has a blank',
    'url: http://a.example\nkeys:\n  main: ${PRINT KEY}\n',
    "target.yaml:3:9: keys.main: '${PRINT KEY}' names no variable: write ${NAME}, or ${NAME:-text} for one that may be missing",
  ],
  [
    'a variable without a name',
    'url: http://${}.example\nkeys: {main: a}\n',
    "target.yaml:1:6: url: '${}' names no variable",
  ],
  [
    'a key that is mistyped',
    'url: http://a.example\nkeys: {main: a}\nhoks: {}\n',
    "target.yaml:3:1: there is no key 'hoks' here; did you mean 'hooks'?",
  ],
  ['a key that is missing', 'url: http://a.example\nkeys: {second: b}\n', 'target.yaml:2:7: keys.main: is missing'],
  ['a target that is nowhere', 'keys: {main: a}\n', 'target.yaml:1:1: a target has a `url`, a `start` or an `image`'],
  [
    'a printer of the account beside a link',
    'url: http://a.example\nkeys: {main: a}\nlink: websocket\nuse: {printer: Laser}\n',
    'target.yaml:4:6: use: printers are reached by `link` or by `use`, not by both',
  ],
  [
    'a printer of the account beside a client program',
    'url: http://a.example\nkeys: {main: a}\nuse: {printer: Laser}\nclient: {command: [a]}\n',
    'target.yaml:3:6: use: printers are reached by `client` or by `use`, not by both',
  ],
  [
    'a command beside an image',
    'start: {command: a}\nimage: {name: a}\nkeys: {main: a}\n',
    'target.yaml:2:8: image: a service is started by `start` or from an `image`, not by both',
  ],
  [
    'a time without a unit',
    'start:\n  command: a\n  startLimit: 5\nkeys: {main: a}\n',
    'target.yaml:3:15: start.startLimit: must be a duration such as 250ms, 45s, 1h30m or 14d',
  ],
  [
    'a time that is not one',
    'image:\n  name: a\n  startLimit: soon\nkeys: {main: a}\n',
    'target.yaml:3:15: image.startLimit: must be a duration such as 250ms, 45s, 1h30m or 14d',
  ],
  [
    'a nesting of statistics that renames the measures',
    "url: http://a.example\nkeys: {main: a}\ndialect:\n  statistics-nesting: '{statistic}.x-{measure}'\n",
    'target.yaml:4:23: dialect.statistics-nesting: must name {statistic} and {measure}',
  ],
  [
    'the place of an id as JSONPath',
    'url: http://a.example\nkeys: {main: a}\ndialect:\n  job-id: $.job.number\n',
    'target.yaml:4:11: dialect.job-id: must be written with dots alone, such as `job.number`',
  ],
  [
    'a capability that is mistyped',
    'url: http://a.example\nkeys: {main: a}\ncapabilities:\n  scael: true\n',
    'target.yaml:4:3',
  ],
  [
    'a link of an unknown kind',
    'url: http://a.example\nkeys: {main: a}\nlink: carrier-pigeon\n',
    'target.yaml:3:7: link: ',
  ],
  ['what is no YAML', 'url: [\n', 'target.yaml:'],
])('tells line and column of %s', (_, file, problem) => {
  expect(problemsOf(file)[0]).toContain(problem);
});

it('reads the example of a client program, and refuses one beside a link or without a program', () => {
  expect(readDescriptor(CLIENT_EXAMPLE, KEYS)).toMatchObject({
    ok: true,
    value: { client: { command: ['/opt/acme/acme-client', '--foreground'] } },
  });
  expect(problemsOf(`${CLIENT_EXAMPLE}link: websocket\n`)).toEqual([
    'target.yaml:5:3: client: printers are reached by `link` or by `client`, not by both',
  ]);
  expect(problemsOf('url: http://a.example\nkeys: {main: a}\nclient: {environment: {A: b}}\n')).toEqual([
    'target.yaml:3:9: client: a client has a `command` or an `image`',
  ]);
});
