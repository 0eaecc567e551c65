import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it } from 'vitest';

import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { Accounts, type Account } from '../../../src/service/domain/account.ts';
import { Computers } from '../../../src/service/domain/computer.ts';
import { Scales } from '../../../src/service/domain/scale.ts';
import { isReadingRetained } from '../../../src/service/gate/scale-retention.ts';
import { ScaleFeed } from '../../../src/service/scale-feed.ts';
import { Database } from '../../../src/service/store/database.ts';
import { ScaleFeedClient } from '../../support/scale-feed-client.ts';

interface RunningFeed extends AsyncDisposable {
  readonly url: string;
  readonly clock: VirtualClock;
  readonly account: Account;
}

/** A scale feed of its own on a real port, for an account that the test can change. */
async function runFeed(): Promise<RunningFeed> {
  const clock = new VirtualClock();
  const database = Database.open(undefined);
  const accounts = new Accounts(database);
  const account = accounts.create({
    firstname: 'Single',
    lastname: 'Account',
    email: 'single@example.test',
    creatorRef: null,
    parentId: null,
    isIntegrator: false,
    tags: {},
    apiKeys: { default: 'the-key' },
  });
  const scales = new Scales({ clock, isRetained: isReadingRetained });
  const computers = new Computers(database, { value: 0 });
  const feed = new ScaleFeed({ clock, accounts, computers, scales, connectionsOf: () => [] });
  const server = createServer();
  server.on('upgrade', (request, socket, head) => feed.accept(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    account,
    async [Symbol.asyncDispose]() {
      feed.close();
      scales.close();
      server.close();
      await once(server, 'close');
      database.close();
    },
  };
}

it('refuses the key of a suspended account', async () => {
  await using feed = await runFeed();
  feed.account.state = 'suspended';
  await using client = await ScaleFeedClient.open(feed.url);
  expect(await client.ask('authenticate', { apiKey: 'the-key' })).toContainEqual([
    'system',
    'authenticateResponse',
    { error: 'the account is suspended' },
  ]);
});

it('ends a websocket at the next heartbeat after its account was suspended', async () => {
  await using feed = await runFeed();
  await using client = await ScaleFeedClient.connect(feed.url, 'the-key');
  feed.account.state = 'suspended';
  await feed.clock.advance('30s');
  expect(await client.end()).toEqual({ code: 4401, reason: 'the account is suspended' });
});
