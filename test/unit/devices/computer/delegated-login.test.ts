import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { logIn } from '../../../../src/devices/computer/delegated-login.ts';
import { startAuthEndpoint, type AuthEndpoint } from '../../../../src/sink/auth-endpoint.ts';

const IDENTITY = {
  uuid: '3f2b8c1e-6d4a-4f7b-9a2c-1d5e8f7a6b4c',
  version: '1.2.3',
  edition: 'shop & co',
  computer: 'FRONT-DESK',
};
const KEY = `ck-${'A'.repeat(44)}`;

let endpoint: AuthEndpoint;
let clientKey: string;
beforeEach(async () => {
  clientKey = KEY;
  endpoint = await startAuthEndpoint({
    clock: systemClock,
    users: [{ user: 'ann', pass: 'pässword' }],
    obtainClientKey: () => Promise.resolve(clientKey),
  });
});
afterEach(() => endpoint.close());

function login(pass: string, url = endpoint.url): ReturnType<typeof logIn> {
  const authUrl = `${url}/login?uuid={uuid}&version={version}&edition={edition}&computerName={computer}`;
  return logIn({ authUrl, user: 'ann', pass }, IDENTITY, systemClock);
}

describe('a delegated login', () => {
  it('gets the client key and tells the endpoint who asks', async () => {
    expect(await login('pässword')).toEqual({ ok: true, value: { kind: 'client-key', key: KEY } });
    expect(endpoint.log.entries[0]?.parameters).toEqual({
      uuid: IDENTITY.uuid,
      version: '1.2.3',
      edition: 'shop & co',
      computerName: 'FRONT-DESK',
    });
  });

  it('gives the end user the message of a refusal', async () => {
    const refused = await login('wrong');
    expect(refused).toMatchObject({
      ok: false,
      error: { reason: 'unauthorized', message: expect.stringMatching(/\w+ \w+/) },
    });
  });

  it('does not take an answer that is not a client key', async () => {
    clientKey = 'too-short';
    expect(await login('pässword')).toMatchObject({
      ok: false,
      error: { reason: 'refused', message: expect.stringContaining('client key') },
    });
  });

  it('says so when nothing answers', async () => {
    await endpoint.close();
    expect(await login('pässword')).toMatchObject({
      ok: false,
      error: { reason: 'unreachable', message: expect.stringContaining('cannot be used') },
    });
  });
});
