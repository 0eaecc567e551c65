/**
 * start({ tls }): everything of a workbench over TLS, for programs that hold it.
 */

import { expect, it } from 'vitest';

import { start } from '../../../src/index.ts';
import { ScaleFeedClient } from '../../support/scale-feed-client.ts';
import { printRequest } from '../../support/print-request.ts';

it('serves HTTPS, which this process trusts, to the room, the scale feed and receivers of webhooks', async () => {
  await using platen = await start({ port: 0, clock: 'virtual', tls: true });
  expect(platen.url).toMatch(/^https:/);
  expect(platen.certificate).toContain('BEGIN CERTIFICATE');
  await using inbox = await platen.webhooks.receive();
  const jobId = await printRequest(platen, { printerId: 1 });
  await inbox.wait({ jobId, state: 'done' });
  await using feed = await ScaleFeedClient.connect(platen.url, platen.apiKey);
  expect(feed.heard).toContainEqual(['system', 'authenticateResponse', expect.anything()]);
});

it('is trusted beside others that this process started', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) {
    await using platen = await start({ port: 0, clock: 'virtual', tls: true });
    statuses.push((await fetch(`${platen.url}/ping`)).status);
  }
  expect(statuses).toEqual([200, 200, 200]);
});

it('serves plain HTTP unless asked, and has no certificate then', async () => {
  await using platen = await start({ port: 0, clock: 'virtual', room: 'none' });
  expect([platen.url.slice(0, 5), platen.certificate]).toEqual(['http:', undefined]);
});
