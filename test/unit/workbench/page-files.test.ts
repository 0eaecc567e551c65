import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { portOf } from '../../../src/common/port-of.ts';
import { PageFiles } from '../../../src/workbench/page-files.ts';
import { start, type StartedPlaten } from '../../../src/workbench/start.ts';

const FOR_PEOPLE = { accept: 'text/html,application/xhtml+xml' };
const isBuilt = existsSync(new URL('../../../dist/dashboard/index.html', import.meta.url));

let platen: StartedPlaten;

beforeAll(async () => {
  platen = await start({ port: 0, clock: 'virtual', room: 'none' });
});

afterAll(() => platen.close());

it('leads a browser from the service to the page, and a program nowhere', async () => {
  const browser = await get('/', FOR_PEOPLE);
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/_platen/']);
  const program = await get('/', { accept: '*/*' });
  expect(program.status).not.toBe(302);
});

it.each(['/_platen/jobs', '/_platen/runs', '/_platen/room'])(
  'answers a program with JSON at %s, where a browser gets the page',
  async (path) => {
    const answer = await get(path, { accept: 'application/json' });
    expect(answer.headers.get('content-type')).toBe('application/json');
  },
);

it('does not take what only looks like a view for one', async () => {
  for (const path of ['/_platen/jobs/1/sheets.pdf', '/_platen/health', '/_platen/nothing', '/_platen/assets/']) {
    const answer = await get(path, FOR_PEOPLE);
    expect([path, answer.status]).toEqual([path, path.endsWith('health') ? 200 : 404]);
  }
});

it.each(['/_platen/assets/../../index.js', '/_platen/assets/..%2F..%2Findex.js', '/_platen/assets/..%5C..%5Cindex.js'])(
  'does not leave its folder for %s',
  async (path) => {
    // fetch would resolve the dots itself.
    const asked = request({ port: new URL(platen.url).port, path }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(404);
  },
);

describe.runIf(isBuilt)('the page that was built', () => {
  it('gives the page to a program too at the address that a start prints', async () => {
    const program = await get('/_platen/', { accept: '*/*' });
    expect([program.status, program.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('answers an unknown path with a page to a browser, and with JSON to a program', async () => {
    const browser = await get('/_platen/nothing', FOR_PEOPLE);
    expect([browser.status, browser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const program = await get('/_platen/nothing', { accept: '*/*' });
    expect([program.status, program.headers.get('content-type')]).toEqual([404, 'application/json']);
  });

  it.each(['/_platen/', '/_platen', '/_platen/jobs', '/_platen/jobs/7', '/_platen/runs/some-run'])(
    'is at %s for a browser, with nothing from anywhere else allowed',
    async (path) => {
      const page = await get(path, FOR_PEOPLE);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('vary')).toContain('Accept');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
    },
  );

  it('names scripts and styles that never change under their names, and nothing inline', async () => {
    const html = await (await get('/_platen/', FOR_PEOPLE)).text();
    const names = [...html.matchAll(/"(\/_platen\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) {
      const asset = await get(name, { accept: '*/*' });
      expect(asset.status).toBe(200);
      expect(asset.headers.get('cache-control')).toContain('immutable');
      expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=/);
  });

  it('comes compressed where the client takes that', async () => {
    const packed = await get('/_platen/', { ...FOR_PEOPLE, 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const plain = await get('/_platen/', { ...FOR_PEOPLE, 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(await packed.text());
  });
});

it('says what builds the page, where it has not been built', async () => {
  const page = new PageFiles('/there-is-no-such-folder');
  const server = createServer((request, response) => void page.serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${portOf(server)}/_platen/`;
  const answer = await fetch(url, { headers: FOR_PEOPLE });
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('npm run page');
  server.close();
});

function get(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(platen.url + path, { headers, redirect: 'manual' });
}
