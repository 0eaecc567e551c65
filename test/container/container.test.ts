import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PlatenContainer, type StartedPlatenContainer } from '../../src/testcontainers.ts';
import { PROJECT } from '../support/command-line.ts';
import { buildImage, hasContainerEngine, IMAGE, removeImage } from '../support/container-engine.ts';

/** The cleaner of testcontainers is an image of its own, which has to be pulled. */
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';

const SETUP_LIMIT_MS = 180_000;
const IN_CONTAINER = ['node', '/opt/platen/node_modules/platen/bin/platen.js'];

describe.runIf(hasContainerEngine())('platen in a container', () => {
  let platen: StartedPlatenContainer;

  beforeAll(async () => {
    buildImage();
    platen = await new PlatenContainer(IMAGE).withApiKey('of-the-test').withClock('virtual').start();
  }, SETUP_LIMIT_MS);

  afterAll(async () => {
    await platen.stop();
    removeImage();
  }, SETUP_LIMIT_MS);

  it('serves the API to whoever has its key', async () => {
    const known = await api('/whoami');
    expect(known.status).toBe(200);
    const unknown = await api('/whoami', { headers: { authorization: basic('somebody-else') } });
    expect(unknown.status).toBe(401);
  });

  it('prints', async () => {
    const content = readFileSync(path.join(PROJECT, 'fixtures/documents/invoice.pdf')).toString('base64');
    const [printer] = (await (await api('/printers')).json()) as { id: number }[];
    const job = { printerId: printer?.id, title: 'Invoice', contentType: 'pdf_base64', content };
    const body = JSON.stringify({ ...job, source: 'test' });
    const submitted = await api('/printjobs', {
      method: 'POST',
      headers: { authorization: basic(platen.getApiKey()), 'content-type': 'application/json' },
      body,
    });
    expect(submitted.status).toBe(201);
    const waited = await control('/jobs/wait?title=Invoice&state=done&printouts=1');
    expect(await waited.json()).toMatchObject({ state: 'done' });
  });

  it('lets time pass for whoever has the token, and for nobody else', async () => {
    const before = (await (await control('/clock')).json()) as { nowMs?: number; now?: string };
    const by = JSON.stringify({ by: '14d' });
    expect((await control('/clock/advance', { method: 'POST', body: by })).status).toBe(200);
    const after = (await (await control('/clock')).json()) as { nowMs?: number; now?: string };
    expect(after).not.toEqual(before);
    const refused = await fetch(`${platen.getUrl()}/_platen/clock`);
    expect([401, 403]).toContain(refused.status);
  });

  it('does not run as root', async () => {
    const { output } = await platen.exec(['node', '-p', 'process.getuid()']);
    expect(output.trim()).toBe('10001');
  });

  it('is healthy by its own command', async () => {
    expect(await platen.exec([...IN_CONTAINER, 'ready'])).toMatchObject({ exitCode: 0 });
  });

  it('checks and keeps the report, as any other command line', async () => {
    const checked = await platen.exec([...IN_CONTAINER, 'check', '--profile', 'smoke', '--out', 'report']);
    expect(checked).toMatchObject({ exitCode: 0 });
    const written = await platen.exec(['node', '-p', 'fs.readdirSync("/work/report").join()']);
    expect(written.output).toContain('junit.xml,run.json');
  }, 60_000);

  function api(pathname: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${platen.getUrl()}${pathname}`, {
      headers: { authorization: basic(platen.getApiKey()) },
      ...init,
    });
  }

  function control(pathname: string, init: RequestInit = {}): Promise<Response> {
    const authorization = `Bearer ${platen.getControlToken()}`;
    return fetch(`${platen.getUrl()}/_platen${pathname}`, { ...init, headers: { authorization } });
  }
});

function basic(key: string): string {
  return `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
}
