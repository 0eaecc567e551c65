/**
 * A computer that logs in at the caller's endpoint, which gets the key from the reference service.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import type { RoomDescription } from '../../../../src/devices/room.ts';
import {
  startAuthEndpoint,
  type AuthEndpoint,
  type ClientIdentity,
} from '../../../../src/sink/auth-endpoint.ts';
import { createChild, type CreatedChild } from '../../../support/child-account.ts';
import { ServiceRoom } from '../../../support/service-room.ts';

let bench: ServiceRoom | undefined;
let endpoint: AuthEndpoint;
/** The Child Account whose keys the endpoint asks for; the Integrator Account's own unless there is one. */
let child: CreatedChild | undefined;
let headers: Record<string, string>;
/** Whether the endpoint makes a Child Account before it asks for the key. */
let makesChild: boolean;

beforeEach(async () => {
  headers = {};
  makesChild = false;
  endpoint = await startAuthEndpoint({
    clock: systemClock,
    users: [{ user: 'ann', pass: 'secret' }],
    obtainClientKey,
  });
});

afterEach(async () => {
  await bench?.[Symbol.asyncDispose]();
  bench = undefined;
  await endpoint.close();
});

async function obtainClientKey({ uuid, version, edition }: ClientIdentity): Promise<string> {
  if (!bench) throw new Error('there is no service yet');
  if (makesChild) {
    child = await createChild(bench.service);
    ({ headers } = child);
  }
  const query = new URLSearchParams({ version, edition }).toString();
  const answer = await bench.service.call('GET', `/client/key/${uuid}?${query}`, { headers });
  if (answer.status !== 200) throw new Error(`the service answered ${answer.status}: ${answer.text}`);
  return answer.body as string;
}

function descriptionWith(pass: string): RoomDescription {
  const authUrl = `${endpoint.url}/login?uuid={uuid}&version={version}&edition={edition}&computerName={computer}`;
  const printers = [{ profile: 'laser-a4', name: 'Laser' }];
  const login = { authUrl, user: 'ann', pass };
  return { computers: [{ name: 'DESK', version: '1.2.3', edition: 'shop', login, printers }] };
}

describe('a computer that logs in', () => {
  it('connects with the client key it was given, and prints', async () => {
    bench = await ServiceRoom.make({ description: descriptionWith('secret') });
    await bench.room.connect();
    expect(bench.desk.connected).toBe(true);
    expect(bench.printed(await bench.print())).toBe(1);
    expect(endpoint.log.entries).toMatchObject([{ user: 'ann', parameters: { computerName: 'DESK' } }]);
  });

  it('keeps the key over a drop, and over the death of its program', async () => {
    bench = await ServiceRoom.make({ description: descriptionWith('secret') });
    await bench.room.connect();
    bench.desk.cut();
    await bench.service.clock.advance('1m');
    bench.desk.crash();
    await bench.service.clock.advance('1m');
    expect(bench.desk.connected).toBe(true);
    expect(endpoint.log.entries).toHaveLength(1);
  });

  it('belongs to a Child Account that the endpoint made on the fly', async () => {
    bench = await ServiceRoom.make({ description: descriptionWith('secret') });
    makesChild = true;
    await bench.room.connect();
    const { body } = await bench.service.call('GET', '/computers', { key: child?.key ?? '' });
    expect(body).toMatchObject([{ id: bench.desk.id, name: 'DESK' }]);
    expect((await bench.service.call('GET', '/computers')).body).toEqual([]);
  });

  it('says why it is not let in, and does not try for ever', async () => {
    bench = await ServiceRoom.make({ description: descriptionWith('guessed') });
    await expect(bench.room.connect()).rejects.toMatchObject({ failure: { reason: 'unauthorized' } });
    expect(bench.desk.lastFailure).toEqual({
      reason: 'unauthorized',
      message: 'User name or password is wrong.',
    });
    bench.desk.start();
    await bench.service.clock.advance('1h');
    expect(endpoint.log.entries).toHaveLength(2);
    expect(bench.desk.connected).toBe(false);
  });

  it('tries again where the endpoint had no key to give', async () => {
    bench = await ServiceRoom.make({ description: descriptionWith('secret') });
    headers = { 'x-child-account-by-id': '999' };
    bench.desk.start();
    await bench.service.clock.settle();
    expect(bench.desk.lastFailure?.reason).toBe('refused');
    headers = {};
    await bench.service.clock.advance('1m');
    expect(bench.desk.connected).toBe(true);
  });

  it('logs in anew when its key is no longer good', async () => {
    bench = await ServiceRoom.make({ description: descriptionWith('secret') });
    ({ headers } = await createChild(bench.service));
    await bench.room.connect();
    await bench.service.call('PUT', '/account/state', { headers, body: '"suspended"' });
    await bench.service.clock.advance('1m');
    expect(bench.desk.connected).toBe(false);
    await bench.service.call('PUT', '/account/state', { headers, body: '"active"' });
    await bench.desk.connect();
    expect(bench.desk.connected).toBe(true);
    expect(endpoint.log.entries).toHaveLength(2);
  });
});
