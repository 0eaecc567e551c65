import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { curlCommand } from '../../../src/wire/curl.ts';
import type { HttpRequest } from '../../../src/wire/http-exchange.ts';

const KEY = '0123456789abcdef0123456789abcdef01234567';
const SECRETS = [{ value: KEY, variable: 'PLATEN_API_KEY' }];

function request(more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', baseUrl: 'http://localhost:1', path: '/noop', headers: [], ...more };
}

function basic(credentials: string): HttpRequest {
  return request({ headers: [['Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]] });
}

/** What the shell hands to curl: a stand-in prints its arguments and standard input, each ended by NUL. */
function shellArguments(command: string): readonly string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'curl-'));
  writeFileSync(join(folder.path, 'curl'), '#!/bin/sh\nprintf "%s\\0" "$@"\n[ -t 0 ] || cat\n', { mode: 0o755 });
  const env = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, PLATEN_API_KEY: KEY };
  return execFileSync('sh', ['-c', command], { env, input: '' }).toString('utf8').split('\0');
}

it('writes a plain GET with the key as a variable', () => {
  expect(curlCommand(basic(`${KEY}:`), SECRETS)).toBe(
    `curl -sS -i --path-as-is --globoff -u "$PLATEN_API_KEY:" 'http://localhost:1/noop'`,
  );
});

it('never contains the key, wherever it is in the request', () => {
  const requests = [
    basic(`${KEY}:`),
    basic(KEY),
    basic(`x:${KEY}`),
    request({ path: `/x?key=${KEY}` }),
    request({ method: 'POST', body: `{"key":"${KEY}"}`, headers: [['X-Key', KEY]] }),
  ];
  for (const each of requests) {
    const command = curlCommand(each, SECRETS);
    expect(command).not.toContain(KEY);
    expect(command).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 20));
    expect(command).toContain('$PLATEN_API_KEY');
  }
});

it('sends the same credentials as the request when they carry the key in an odd form', () => {
  const words = shellArguments(curlCommand(basic(KEY), SECRETS));
  expect(words).toContain(`Authorization: Basic ${Buffer.from(KEY).toString('base64')}`);
});

it('sends a body without a type as one', () => {
  const post = { method: 'POST', body: '{}' };
  expect(shellArguments(curlCommand(request(post), []))).toContain('Content-Type:');
  const typed = request({ ...post, headers: [['content-type', 'text/plain']] });
  expect(shellArguments(curlCommand(typed, []))).not.toContain('Content-Type:');
});

it('survives any text in the body and in a header through the shell', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      fc.string({ minLength: 1 }),
      (body, value) => {
        const command = curlCommand(
          request({ method: 'POST', body: `b${body}`, headers: [['X-Text', value]] }),
          SECRETS,
        );
        const words = shellArguments(command);
        expect(words).toContain(`b${body}`);
        expect(words).toContain(`X-Text: ${value}`);
      },
    ),
    { numRuns: 25, seed: 1 },
  );
});

it('pipes a body that is not text, byte for byte', () => {
  const words = shellArguments(
    curlCommand(request({ method: 'POST', body: Buffer.from([0x41, 0x0a, 0x27]) }), SECRETS),
  );
  expect(words).toContain("A\n'");
  const binary = curlCommand(request({ method: 'POST', body: Buffer.from([0xff, 0x00]) }), SECRETS);
  expect(binary).toMatch(/^printf '\\377\\000' \| curl .*--data-binary @-/);
});

it('names a large body instead of showing it', () => {
  const command = curlCommand(request({ method: 'POST', body: 'x'.repeat(5_000) }), SECRETS);
  expect(command).toContain('5000 bytes');
  expect(command.length).toBeLessThan(300);
});

it('sends an empty header as an empty header', () => {
  expect(curlCommand(request({ headers: [['X-Idempotency-Key', '']] }), SECRETS)).toContain(`-H 'X-Idempotency-Key;'`);
});
