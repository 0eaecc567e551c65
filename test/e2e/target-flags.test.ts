/**
 * Flags beside --target: each wins over the descriptor, or is refused; none is ignored in silence.
 *
 *   every command that takes --target × every flag of a service, with a value that cannot be used: if the flag counts,
 *   the command ends with 64 and names it
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { EXIT } from '../../src/cli/exit-code.ts';
import { createProgram } from '../../src/cli/main.ts';
import { findTarget } from '../../src/cli/options/open-target.ts';
import { start, type StartedPlaten } from '../../src/index.ts';
import { call } from '../support/called-command.ts';
import { madeUpRun } from '../support/run-records.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'platen-flags-'));
const descriptor = path.join(folder, 'target.yaml');
const record = path.join(folder, 'run.json');

let platen: StartedPlaten;
beforeAll(async () => {
  platen = await start({ port: 0, clock: 'real', limits: 'off' });
  const { url, apiKey, secondApiKey } = platen;
  const keys = { main: apiKey, second: secondApiKey, integrator: apiKey };
  writeFileSync(descriptor, JSON.stringify({ url, keys, link: 'websocket', callback: { host: '127.0.0.1' } }));
  writeFileSync(record, JSON.stringify(madeUpRun({ results: 1, failures: 1 })));
});
afterAll(async () => {
  await platen.close();
  rmSync(folder, { recursive: true, force: true });
});

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  check: ['check', '-g', '^misc/noop$'],
  replay: ['replay', record],
  'run a scenario': ['run', 'blank-page'],
  'run a load': ['run', 'ten-seconds'],
  room: ['room'],
  explore: ['explore', '--seeds', '1'],
};

/** A value that cannot be used, and what the message says of it. */
const FLAGS = [
  { flag: '--key', value: 'wrong', says: /refused the API key/ },
  { flag: '--second-key', value: 'wrong', says: /refused the second API key/ },
  { flag: '--integrator-key', value: 'wrong', says: /refused the API key of the Integrator/ },
  { flag: '--link', value: './no-link.ts', says: /no-link\.ts/ },
  { flag: '--image-port', value: '80', says: /names no image/ },
  { flag: '--clock', value: 'virtual', says: /has its own clock/ },
  { flag: '--callback-host', value: 'http://no-host', says: /--callback-host/ },
] as const;

const CALLS = Object.entries(COMMANDS).flatMap(([name, argv]) => FLAGS.map((flag) => ({ name, argv, ...flag })));

it('tries every command that takes --target', () => {
  const taking = createProgram(() => undefined).commands.filter(({ options }) =>
    options.some(({ long }) => long === '--target'),
  );
  const tried = Object.values(COMMANDS).map(([command]) => command);
  expect(new Set(taking.map((command) => command.name()))).toEqual(new Set(tried));
});

it.each(CALLS)(
  'does not ignore $flag of $name',
  async ({ argv, flag, value, says }) => {
    const { code, text } = await call([
      ...argv,
      '--target',
      descriptor,
      '--out',
      path.join(folder, 'out'),
      flag,
      value,
    ]);
    const isKnown = !text.includes(`unknown option '${flag}'`);
    expect({ code, text }).toEqual({
      code: EXIT.usage,
      text: expect.stringMatching(isKnown ? says : /unknown option/),
    });
  },
  60_000,
);

it.each([
  ['run a load', 'Name a printer of the account in its descriptor'],
  ['room', '--link other than none'],
])('needs a link to %s, or: %s', async (name, says) => {
  const { code, text } = await call([...(COMMANDS[name] ?? []), '--target', descriptor, '--link', 'none']);
  expect({ code, text }).toEqual({ code: EXIT.usage, text: expect.stringContaining(says) });
});

describe('what the descriptor says, where the command line says something else', () => {
  it.each([
    ['callbackHost', 'build-7.example', { callbackHost: 'build-7.example' }],
    ['link', 'none', { link: undefined, linkName: undefined }],
  ])('%s gives way', async (flag, value, expected) => {
    const opened = await findTarget(undefined, { key: 'unused', target: descriptor, [flag]: value });
    expect(opened).toMatchObject(expected);
    await opened.close();
  });

  it('takes each key of the command line, even where the variable of the file is not set', async () => {
    const { url, apiKey, secondApiKey } = platen;
    const unset = path.join(folder, 'unset.yaml');
    writeFileSync(unset, `url: ${url}\nkeys: { main: '\${NOT_SET_1}', second: '\${NOT_SET_2}' }\n`);
    const keysGiven = { main: apiKey, second: secondApiKey, integrator: apiKey };
    const opened = await findTarget(undefined, { key: 'unused', target: unset, keysGiven });
    expect(opened).toMatchObject({ apiKey, secondApiKey, integratorApiKey: apiKey });
    await opened.close();
  });

  it('keeps the keys of the file where only a variable of the environment differs', async () => {
    const opened = await findTarget(undefined, { key: 'of the environment', target: descriptor });
    expect(opened.apiKey).toBe(platen.apiKey);
    await opened.close();
  });
});
