import { describe, expect, it } from 'vitest';

import { ensurePermission } from '../../../src/load/permission.ts';
import { start } from '../../../src/workbench/start.ts';
import { outerAddress } from '../../support/outer-address.ts';

/** A name that does not resolve, so it does not answer. */
const FOREIGN = 'http://printing.invalid';

describe('permission to load', () => {
  it.each(['http://127.0.0.1:8631', 'http://localhost', 'http://[::1]:1'])(
    'needs nothing for this machine: %s',
    async (url) => {
      await expect(ensurePermission(url, { allowedHosts: [], token: undefined })).resolves.toBeUndefined();
    },
  );

  it('is refused for a host that was not named', async () => {
    await expect(ensurePermission(FOREIGN, { allowedHosts: [], token: 'secret' })).rejects.toMatchObject({
      kind: 'usage',
      nextStep: expect.stringContaining('--allow-load-on printing.invalid') as string,
    });
  });

  it('is refused for a host that is named without a token', async () => {
    const permission = { allowedHosts: ['printing.invalid'], token: undefined };
    await expect(ensurePermission(FOREIGN, permission)).rejects.toThrow('token');
  });

  it('is refused when the host does not serve the token', async () => {
    const permission = { allowedHosts: ['printing.invalid'], token: 'secret' };
    await expect(ensurePermission(FOREIGN, permission)).rejects.toThrow('does not permit a load');
  });

  describe.runIf(outerAddress() !== undefined)('of a workbench that others reach', () => {
    const host = outerAddress() ?? '';

    it('is given by its token', async () => {
      await using workbench = await start({ port: 0, host, room: 'none', loadToken: 'agreed' });
      const permission = { allowedHosts: [host], token: 'agreed' };
      await expect(ensurePermission(workbench.url, permission)).resolves.toBeUndefined();
      const other = ensurePermission(workbench.url, { ...permission, token: 'another' });
      await expect(other).rejects.toThrow('has another token');
      const unnamed = ensurePermission(workbench.url, { ...permission, allowedHosts: [] });
      await expect(unnamed).rejects.toThrow('no option allows a load on it');
    });

    it('is not given without one', async () => {
      await using workbench = await start({ port: 0, host, room: 'none' });
      const permission = ensurePermission(workbench.url, { allowedHosts: [host], token: 'agreed' });
      await expect(permission).rejects.toThrow('does not answer with 200');
    });
  });
});
