/** Where a service shows the key of a new Child Account is for it to choose. */

import { expect, it, onTestFinished } from 'vitest';

import { createChildAccount } from '../../../src/targets/child-account.ts';
import { ServiceClient } from '../../../src/targets/service-client.ts';
import { startMeddlingProxy, type Meddle } from '../../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../../support/embedded-target.ts';

const CHILD = { email: 'child@example.test', password: 'long enough' };

async function clientOf(meddle: Meddle): Promise<ServiceClient> {
  const target = await startEmbeddedTarget();
  const proxy = await startMeddlingProxy(target.baseUrl, { meddle });
  const client = new ServiceClient({ ...target, baseUrl: proxy.url });
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
    await target.close();
  });
  return client;
}

const idAlone: Meddle = ({ method, path, body }) =>
  `${method} ${path}` === 'POST /account' ? { body: String(JSON.parse(body).Account.id) } : undefined;

it.each<[string, Meddle]>([
  ['in the answer to its creation', () => undefined],
  ['when it is asked for', idAlone],
  [
    'when one more is made, alone',
    (answer) =>
      answer.path.startsWith('/account/apikey/') && answer.method === 'GET' ? { body: '{}' } : idAlone(answer),
  ],
])('is found %s', async (_, meddle) => {
  const client = await clientOf(meddle);
  const { id, apiKey } = await createChildAccount(client, CHILD);
  expect((await client.lookFor('/whoami', { apiKey })).value).toMatchObject({ id, email: CHILD.email });
});

it('shows no text of an answer that may have a key which was not found', async () => {
  const client = await clientOf(({ path }) =>
    path === '/account' ? { status: 201, body: '{"ApiKeys":{"platen":"short"}}' } : { status: 404 },
  );
  await expect(createChildAccount(client, CHILD)).rejects.toThrow(
    'cannot create a Child Account: POST /account answers 201 without a key that authenticates',
  );
});

it('says what a service answers that makes none', async () => {
  const client = await clientOf(({ path }) => (path === '/account' ? { status: 501, body: '"later"' } : undefined));
  await expect(createChildAccount(client, CHILD)).rejects.toThrow(
    'cannot create a Child Account: POST /account answers 501 "later"',
  );
});

it('waits where a rate limit refuses the creation', async () => {
  let creations = 0;
  const client = await clientOf(({ path }) =>
    path === '/account' && creations++ === 0 ? { status: 429, body: '"too many"' } : undefined,
  );
  expect(await createChildAccount(client, CHILD)).toMatchObject({ id: expect.any(Number) });
  expect(creations).toBe(2);
});

it.each([
  [400, 'Give the key of an Integrator Account with --key'],
  [501, 'Look for the reason in the log of the service.'],
])('after %i, says what to do next', async (status, nextStep) => {
  const client = await clientOf(({ path }) => (path === '/account' ? { status, body: '"no"' } : undefined));
  await expect(createChildAccount(client, CHILD)).rejects.toMatchObject({
    nextStep: expect.stringContaining(nextStep),
  });
});
