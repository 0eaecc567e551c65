/**
 * Pages of others in Chromium, beside a workbench with the key that everybody knows: of another site, of another port of
 * this machine, and of a name that the page has led here.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { pageServed } from '../browser/support/built-page.ts';
import { openChromium } from '../browser/support/chromium.ts';

const STRANGER = readFileSync(new URL('pages/stranger.html', import.meta.url));
const JOB = { printerId: '1', contentType: 'raw_base64', content: 'AAAA', title: 'By a stranger' };
const NOTHING = { gained: [], statuses: [403] };
const SETUP_LIMIT_MS = 120_000;

describe('a stranger in Chromium', { tags: ['browser'] }, () => {
  let platen: StartedPlaten;
  let browser: Browser;
  let strangers: Server;
  let page: Page;
  /** Statuses of what the workbench answered to the page. */
  let answered: number[];

  beforeAll(async () => {
    strangers = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(STRANGER);
    }).listen(0, '127.0.0.1');
    await once(strangers, 'listening');
    platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
    await pageServed(platen.url);
    browser = await openChromium(['--host-resolver-rules=MAP *.example 127.0.0.1']);
  }, SETUP_LIMIT_MS);

  afterAll(async () => {
    await browser.close();
    await platen.close();
    strangers.close();
  });

  beforeEach(async () => {
    await page?.close();
    page = await browser.newPage();
    answered = [];
    page.on('response', (response) => {
      const { port } = new URL(response.url());
      if (port === new URL(platen.url).port && response.request().method() !== 'OPTIONS') {
        answered.push(response.status());
      }
    });
  });

  const visit = (host: string): Promise<unknown> => page.goto(`http://${host}:${portOf(strangers)}/`);

  /** Tries every way at each address. @returns what the page gained by it, and what it was answered */
  async function tried(urls: readonly string[]): Promise<{ gained: unknown; statuses: number[] }> {
    const gained: unknown = await page.evaluate(`gained(${JSON.stringify(urls)})`);
    return { gained, statuses: [...new Set(answered)] };
  }

  const at = (...paths: readonly string[]): string[] => paths.map((path) => platen.url + path);

  async function expectNothingHappened(): Promise<void> {
    expect(await platen.jobs.list()).toEqual([]);
    const webhooks = await fetch(`${platen.url}/webhooks`, {
      headers: { authorization: `Basic ${btoa('test-key:')}` },
    });
    expect(await webhooks.json()).toEqual([]);
  }

  async function assetPath(): Promise<string> {
    const index = await (await fetch(`${platen.url}/_platen/`)).text();
    return /\/_platen\/assets\/[^"]+\.js/.exec(index)?.[0] ?? '';
  }

  const CONTROLS = [
    '/_platen/',
    '/_platen/health',
    '/_platen/info',
    '/_platen/key',
    '/_platen/events',
    '/_platen/reset',
  ];

  it.each(['evil.example', '127.0.0.1', 'localhost'])('at %s reaches nothing of the control API', async (host) => {
    await visit(host);
    expect(await tried(at(...CONTROLS, await assetPath()))).toEqual(NOTHING);
    await expectNothingHappened();
  });

  it('of another site reaches nothing of the printing API with the known key', async () => {
    await visit('evil.example');
    expect(await tried(at('/ping', '/whoami', '/printjobs', '/webhook', '/ws/1'))).toEqual(NOTHING);
    await expectNothingHappened();
  });

  it.each([
    ['/printjobs', JOB],
    ['/webhook', { url: 'http://127.0.0.1:9/', secret: '', 'messages[]': '*' }],
  ])('of another site posts no form to %s with the known key in its address', async (path, fields) => {
    await visit('evil.example');
    const address = platen.url.replace('//', '//test-key:@') + path;
    const gone = page.waitForEvent('response', (response) => response.url().endsWith(path));
    await page.evaluate(`submit(${JSON.stringify(address)}, ${JSON.stringify(fields)})`);
    expect((await gone).status()).toBe(403);
    await expectNothingHappened();
  });

  it('under a name that leads here is refused everywhere', async () => {
    const base = `http://rebound.example:${new URL(platen.url).port}`;
    await page.goto(`${base}/_platen/`);
    await page.setContent(STRANGER.toString());
    expect(
      await tried([...CONTROLS, '/', '/ping', '/whoami', '/printjobs', '/ws/1'].map((path) => base + path)),
    ).toEqual(NOTHING);
    await expectNothingHappened();
  });

  it('lets a person follow a link to the page', async () => {
    await visit('evil.example');
    await page.setContent(`<a href="${platen.url}/">a link</a>`);
    await page.getByText('a link').click();
    await page.getByText('Laser').first().waitFor();
    expect(page.url()).toContain(`${platen.url}/_platen/`);
  });

  it('is not what an app on this machine is, which prints, and sets no webhook to the control API', async () => {
    await visit('localhost');
    const post = (path: string, body: object): Promise<unknown> =>
      page.evaluate(
        `fetch(${JSON.stringify(platen.url + path)}, {
          method: 'POST', headers: { authorization, 'content-type': 'application/json' },
          body: ${JSON.stringify(JSON.stringify(body))},
        }).then((answer) => answer.status)`,
      );
    const printers = await platen.printers();
    expect(await post('/printjobs', { ...JOB, printerId: printers[0]?.id })).toBe(201);
    expect(await page.evaluate(`ways.WebSocket('${platen.url}/ws/1')`)).toBe('open');
    expect(await post('/webhook', { url: `${platen.url}/_platen/reset`, secret: '', messages: ['*'] })).toBe(400);
    await platen.reset();
  });

  it('is served with a key that is not known to everybody', async () => {
    await using own = await start({ port: 0, clock: 'virtual', apiKey: 'own', room: 'none' });
    await visit('evil.example');
    const ask = (key: string): Promise<unknown> =>
      page.evaluate(
        `fetch('${own.url}/whoami', { headers: { authorization: 'Basic ' + btoa('${key}:') } }).then(({ status }) => status)`,
      );
    expect([await ask('own'), await ask('test-key')]).toEqual([200, 401]);
  });
});
