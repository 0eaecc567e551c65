/**
 * A service as the commands see it that ask a running one.
 */

import { createServer } from 'node:http';

import { afterEach, expect, it } from 'vitest';

import { portOf } from '../../../../src/common/port-of.ts';
import { Remote } from '../../../../src/cli/remote/remote.ts';

const servers: { close(): unknown }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A service that answers the same to everything, as far as it was asked. */
async function serve(status: number, most: number): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    // Who asks without end would never come to one.
    response.statusCode = asked.length > most ? 200 : status;
    response.end(JSON.stringify({ uid: 'u', code: 'Any', message: 'not now' }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server)}`, asked };
}

it.each([
  [429, '/_platen/clock'],
  [500, '/_platen/health'],
])('asks once about a %i, also of a service that gives it to every request', async (status, about) => {
  const { url, asked } = await serve(status, 10);
  const answer = new Remote({ url, key: 'k' }).get('/printers');
  await expect(answer).rejects.toMatchObject({ name: 'Refusal', status });
  expect(asked).toEqual(['/printers', about]);
});

it('tells of a workbench that cannot keep what it is given', async () => {
  const server = createServer((_, response) => {
    response.statusCode = 503;
    response.end(JSON.stringify({ uid: 'u', code: 'NotReady', message: 'the data file cannot be written' }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const remote = new Remote({ url: `http://127.0.0.1:${portOf(server)}`, key: 'k' });
  await expect(remote.ensureHealthy()).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'the service failed: the data file cannot be written',
  });
});
