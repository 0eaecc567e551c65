/**
 * A computer that logs in at the caller's endpoint, which gets the key from the reference service.
 */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import type { RoomDescription } from '../../../../src/devices/room.ts';
import { startAuthEndpoint, type AuthEndpoint, type ClientIdentity } from '../../../../src/sink/auth-endpoint.ts';
import { createChild, type CreatedChild } from '../../../support/child-account.ts';
import { ServiceRoom } from '../../../support/service-room.ts';

let workbench: ServiceRoom | undefined;
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
  await workbench?.[Symbol.asyncDispose]();
  workbench = undefined;
  await endpoint.close();
});

async function obtainClientKey({ uuid, version, edition }: ClientIdentity): Promise<string> {
  if (!workbench) throw new Error('there is no service yet');
  if (makesChild) {
    child = await createChild(workbench.service);
    ({ headers } = child);
  }
  const query = new URLSearchParams({ version, edition }).toString();
  const answer = await workbench.service.call('GET', `/client/key/${uuid}?${query}`, { headers });
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
    workbench = await ServiceRoom.make({ description: descriptionWith('secret') });
    await workbench.room.connect();
    expect(workbench.desk.connected).toBe(true);
    expect(workbench.printed(await workbench.print())).toBe(1);
    expect(endpoint.log.entries).toMatchObject([{ user: 'ann', parameters: { computerName: 'DESK' } }]);
  });

  it('keeps the key over a drop, and over the death of its program', async () => {
    workbench = await ServiceRoom.make({ description: descriptionWith('secret') });
    await workbench.room.connect();
    workbench.desk.cut();
    await workbench.service.clock.advance('1m');
    workbench.desk.crash();
    await workbench.service.clock.advance('1m');
    expect(workbench.desk.connected).toBe(true);
    expect(endpoint.log.entries).toHaveLength(1);
  });

  it('belongs to a Child Account that the endpoint made on the fly', async () => {
    workbench = await ServiceRoom.make({ description: descriptionWith('secret') });
    makesChild = true;
    await workbench.room.connect();
    const { body } = await workbench.service.call('GET', '/computers', { key: child?.key ?? '' });
    expect(body).toMatchObject([{ id: workbench.desk.id, name: 'DESK' }]);
    expect((await workbench.service.call('GET', '/computers')).body).toEqual([]);
  });

  it('says why it is not let in, and does not try for ever', async () => {
    workbench = await ServiceRoom.make({ description: descriptionWith('guessed') });
    await expect(workbench.room.connect()).rejects.toMatchObject({ failure: { reason: 'unauthorized' } });
    expect(workbench.desk.lastFailure).toEqual({
      reason: 'unauthorized',
      message: 'User name or password is wrong.',
    });
    workbench.desk.start();
    await workbench.service.clock.advance('1h');
    expect(endpoint.log.entries).toHaveLength(2);
    expect(workbench.desk.connected).toBe(false);
  });

  it('tries again where the endpoint had no key to give', async () => {
    workbench = await ServiceRoom.make({ description: descriptionWith('secret') });
    headers = { 'x-child-account-by-id': '999' };
    workbench.desk.start();
    await workbench.service.clock.settle();
    expect(workbench.desk.lastFailure?.reason).toBe('refused');
    headers = {};
    await workbench.service.clock.advance('1m');
    expect(workbench.desk.connected).toBe(true);
  });

  it('logs in again when its key is no longer good', async () => {
    workbench = await ServiceRoom.make({ description: descriptionWith('secret') });
    ({ headers } = await createChild(workbench.service));
    await workbench.room.connect();
    await workbench.service.call('PUT', '/account/state', { headers, body: '"suspended"' });
    await workbench.service.clock.advance('1m');
    expect(workbench.desk.connected).toBe(false);
    await workbench.service.call('PUT', '/account/state', { headers, body: '"active"' });
    await workbench.service.clock.advance('1m');
    expect(workbench.desk.connected).toBe(true);
    expect(endpoint.log.entries).toHaveLength(2);
  });
});
