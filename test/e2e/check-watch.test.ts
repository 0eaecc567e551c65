/**
 * platen check --watch, as a person uses it who builds a service.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { cleanEnvironment, platen, PROJECT } from '../support/command-line.ts';
import { soon } from '../support/soon.ts';

/** A service that answers {} to everything, and to GET /noop what it should once it is fixed. */
async function serve(isFixed: boolean, port = 0): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const id = crypto.randomUUID();
    response.writeHead(200, { 'content-type': 'application/json', 'Request-Id': id, 'X-Account': '1' });
    response.end(isFixed && url === '/noop' ? JSON.stringify(id) : '{}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  'checks again what failed when the service is restarted, until %s',
  async (signal) => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'platen-check-watch-'));
    let server = await serve(false);
    const port = portOf(server);
    const argv = ['check', `http://127.0.0.1:${port}`, '--grep', '^misc/noop$', '--watch', '--out', folder.path];
    const child = spawn(process.execPath, [path.join(PROJECT, 'bin/platen.js'), ...argv], {
      env: cleanEnvironment({}),
    });
    let seen = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (seen += String(bytes)));
    const says = async (text: string): Promise<void> => {
      await soon(`'${text}'`, '40s', () => seen.includes(text) || undefined, { every: '20ms', lastSeen: () => seen });
    };
    try {
      await says('Checks what failed again when');
      expect(seen).toContain('FAIL misc/noop');
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      server = await serve(true, port);
      await says('1 fixed, 0 left.');
      await says('Checks everything again when');
      const elapsedMs = startStopwatch();
      child.kill(signal);
      const [code] = await within(once(child, 'exit'), { description: 'the end of the watch', limit: '5s' });
      expect(code).toBe(0);
      expect(elapsedMs()).toBeLessThan(2_000);
    } finally {
      child.kill('SIGKILL');
      server.close();
      server.closeAllConnections();
    }
  },
  130_000,
);

it('refuses to wait for a service that nobody restarts', async () => {
  const { code, stderr } = await platen(['check', '--watch', '--grep', '^misc/ping$']);
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('its command with --start') });
});
