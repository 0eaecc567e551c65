import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

import { platen, type Finished } from '../support/command-line.ts';

/** What needs no container engine; the rest is in test/container. */
function check(argv: readonly string[], preload = ''): Promise<Finished> {
  const env = preload === '' ? {} : { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}` };
  return platen(['check', ...argv, '--out', path.join(tmpdir(), 'platen-check-image')], { env });
}

const NO_TESTCONTAINERS = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      return next(name === 'testcontainers' ? 'testcontainers-that-is-not-here' : name, context);
    },
  });`;

/** testcontainers takes any engine it finds, whatever DOCKER_HOST says. */
const NO_SOCKET = `
  import fs from 'node:fs';
  const exists = fs.existsSync;
  fs.existsSync = (file) => !String(file).endsWith('docker.sock') && exists(file);
  process.env.DOCKER_HOST = 'tcp://127.0.0.1:1';`;

it.each([
  [
    'an address beside the image',
    ['http://127.0.0.1:1', '--image', 'service'],
    '',
    64,
    /an address and an image are given: .*\nGive one/,
  ],
  ['a port without an image', ['--image-port', '80'], '', 64, /--image-port.*\n.*--image NAME/],
  [
    'testcontainers that is not installed',
    ['--image', 'service'],
    NO_TESTCONTAINERS,
    64,
    /testcontainers.*cannot be loaded.*\nnpm install/s,
  ],
  ['an engine that is not there', ['--image', 'service'], NO_SOCKET, 75, /no container engine.*\nStart Docker/],
] as const)('refuses %s, with the next step', async (_, argv, preload, code, message) => {
  const finished = await check(argv, preload);
  expect(finished).toMatchObject({ code, stderr: expect.stringMatching(message) as string });
});
