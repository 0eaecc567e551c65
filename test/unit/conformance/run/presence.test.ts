import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { portOf } from '../../../../src/common/port-of.ts';
import { createPresence, type Presence } from '../../../../src/conformance/run/presence.ts';
import { createHttpSender, type HttpSender } from '../../../../src/wire/http-exchange.ts';

let server: Server;
let port: number;
let sender: HttpSender;
let presence: Presence;

beforeEach(async () => {
  server = createServer((_, response) => response.end('{}'));
  await listen(0);
  port = portOf(server);
  sender = createHttpSender();
  const target = { baseUrl: `http://127.0.0.1:${port}` };
  presence = createPresence({ target, sender, restartLimit: '1s' });
  await stop();
});

afterEach(async () => {
  await sender.close();
  server.close();
});

async function listen(on: number): Promise<void> {
  server.listen(on, '127.0.0.1');
  await once(server, 'listening');
}

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

async function statusOf(checkId: string): Promise<number | string> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const outcome = await presence.patient(sender, checkId).send({ method: 'GET', baseUrl, path: '/', headers: [] });
  return outcome.ok ? outcome.value.response.status : outcome.error.kind;
}

it('sends again what was refused while the target restarted', async () => {
  const statuses = Promise.all([statusOf('a/one'), statusOf('a/two')]);
  await listen(port);
  expect(await statuses).toEqual([200, 200]);
  expect([presence.lostIn, presence.gone.aborted]).toEqual([undefined, false]);
});

it('takes a target for gone at whose address nothing listens again, and names the check that noticed first', async () => {
  expect(await Promise.all([statusOf('a/one'), statusOf('a/two')])).toEqual(['refused', 'refused']);
  expect(presence.lostIn).toBe('a/one');
  expect(presence.gone.reason).toMatchObject({ verdict: 'blocked', message: 'the target went away during a/one' });
});

it('passes on what was not refused, also where no answer came', async () => {
  server = createServer((request) => request.socket.destroy());
  await listen(port);
  expect(await statusOf('a/one')).toBe('reset');
  expect(presence.gone.aborted).toBe(false);
});
