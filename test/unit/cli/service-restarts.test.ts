import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

import { expect, it } from 'vitest';

import { sleep, systemClock } from '../../../src/common/clock.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { within } from '../../../src/common/waiter.ts';
import { restartOf } from '../../../src/cli/service-restarts.ts';

const ping: RequestListener = (_, response) => void response.end('"pong"');

async function listening(listener: RequestListener, port = 0): Promise<Server> {
  const server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** Watches a server while this is done to it; whether that was taken for a restart. */
async function isNoticed(listener: RequestListener, act: (server: Server) => Promise<Server>): Promise<boolean> {
  const stopped = new AbortController();
  const first = await listening(listener);
  let isRestart = false;
  const begun = Promise.withResolvers<void>();
  const watching = restartOf(`http://127.0.0.1:${portOf(first)}`, stopped.signal, begun.resolve).then(() => {
    isRestart = !stopped.signal.aborted;
  });
  await begun.promise;
  const last = await act(first);
  await sleep(systemClock, 700);
  stopped.abort();
  await within(watching, { description: 'the end of the watch', limit: '2s' });
  await stop(last);
  return isRestart;
}

const again = async (server: Server, awayMs: number): Promise<Server> => {
  const port = portOf(server);
  await stop(server);
  await sleep(systemClock, awayMs);
  return listening(ping, port);
};

it('notices a service that went away and is back', async () => {
  expect(await isNoticed(ping, (server) => again(server, 500))).toBe(true);
});

it('notices a service that is back between two looks', async () => {
  expect(await isNoticed(ping, (server) => again(server, 0))).toBe(true);
});

it('notices a service behind a proxy that answered 502 meanwhile', async () => {
  let status = 200;
  const proxy: RequestListener = (_, response) => void response.writeHead(status).end();
  const blink = async (server: Server): Promise<Server> => {
    status = 502;
    await sleep(systemClock, 500);
    status = 200;
    return server;
  };
  expect(await isNoticed(proxy, blink)).toBe(true);
});

it.each<readonly [string, RequestListener]>([
  ['keeps its connections', ping],
  ['closes each connection', (_, response) => void response.setHeader('connection', 'close').end()],
  ['answers 404', (_, response) => void response.writeHead(404).end()],
])('takes nothing for a restart of a service that stays and %s', async (_, listener) => {
  expect(await isNoticed(listener, (server) => Promise.resolve(server))).toBe(false);
});

it('takes no service that stays away for one that was restarted', async () => {
  const awayForGood = async (server: Server): Promise<Server> => {
    await stop(server);
    return listening(ping);
  };
  expect(await isNoticed(ping, awayForGood)).toBe(false);
});
