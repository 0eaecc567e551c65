import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import type { EventFault } from '../../../../src/record/moments.ts';
import { MomentSender } from '../../../../src/workbench/moment/moment-sender.ts';

interface Received {
  readonly path: string;
  readonly secret: unknown;
  readonly states: readonly string[];
}

const closing: (() => void)[] = [];

afterEach(() => closing.splice(0).forEach((close) => close()));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Sends the states of a job to two webhooks of one app. @returns what came, by its path */
async function received(fault: EventFault, states: readonly string[]): Promise<ReadonlyMap<string, Received[]>> {
  const all: Received[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const events = JSON.parse(body) as readonly { readonly data: { readonly state: string } }[];
      const secret = request.headers['x-service-webhook-secret'];
      all.push({ path: request.url ?? '', secret, states: events.map(({ data }) => data.state) });
      response.writeHead(200, { 'x-service-webhook-status': 'OK' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sender = new MomentSender({ clock: systemClock, forbiddenAddresses: undefined }, fault, {
    sinceStartMs: () => 0,
    speed: 1,
  });
  closing.push(() => (sender.close(), server.closeAllConnections(), server.close()));
  const { port } = server.address() as AddressInfo;
  for (const state of states) {
    const body = JSON.stringify([{ type: 'print job state', data: { state } }]);
    for (const [webhookId, path] of ['/a', '/b'].entries()) {
      await sender.send({ webhookId, url: `http://127.0.0.1:${port}${path}`, secret: `of ${path}` }, body);
    }
  }
  await expect.poll(() => sender.pending, { timeout: 5_000 }).toBe(0);
  await expect.poll(() => sender.underWay, { timeout: 5_000 }).toBe(0);
  return Map.groupBy(all, ({ path }) => path);
}

it('forges an event for each webhook of an app, once with another secret and once with none', async () => {
  const byPath = await received('forged', ['new', 'done']);
  for (const path of ['/a', '/b']) {
    expect(byPath.get(path)).toEqual([
      { path, secret: 'forged', states: ['done'] },
      { path, secret: undefined, states: ['done'] },
      { path, secret: `of ${path}`, states: ['new'] },
      { path, secret: `of ${path}`, states: ['done'] },
    ]);
  }
});

it('sends an event of a new type before the others of each request', async () => {
  const byPath = await received('new-type', ['new', 'done']);
  for (const path of ['/a', '/b']) {
    expect(byPath.get(path)?.map(({ states }) => states)).toEqual([
      [undefined, 'new'],
      [undefined, 'done'],
    ]);
  }
});

it('gives each webhook its own events in reverse', async () => {
  const byPath = await received('reversed', ['new', 'done']);
  for (const path of ['/a', '/b']) {
    expect(byPath.get(path)).toEqual([{ path, secret: `of ${path}`, states: ['done', 'new'] }]);
  }
});
