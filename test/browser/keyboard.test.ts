import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { pageServed } from './support/built-page.ts';
import { hasChromium, openChromium } from './support/chromium.ts';
import { submit } from './support/staged-bench.ts';
import { watchPage, type WatchedPage } from './support/watched-page.ts';

describe.runIf(hasChromium())('without a mouse', () => {
  let platen: StartedPlaten;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    platen = await start({ port: 0, clock: 'virtual' });
    await pageServed(platen.url);
    browser = await openChromium();
    for (const title of ['First', 'Second', 'Third']) {
      await submit(platen, { file: 'three-pages.pdf', title, printer: 'Laser', source: 'test' });
    }
    await platen.clock.advance('5m');
    watched = await watchPage(browser, platen.url);
    ({ page } = watched);
  }, 60_000);

  afterAll(async () => {
    await watched[Symbol.asyncDispose]();
    await browser.close();
    await platen.close();
  });

  beforeEach(async () => {
    await page.goto(`${platen.url}/_platen/jobs`);
    await page.locator('.job-row').first().waitFor();
  });

  it('one goes through the list with j and k, opens with Enter and closes with Escape', async () => {
    await press('j', 'j', 'k', 'Enter');
    await at('/jobs/3');
    await press('j');
    await at('/jobs/2');
    await press('Escape');
    await at('/jobs');
  });

  it('one goes from page to page with g and a letter', async () => {
    await press('g', 'r');
    await at('/room');
    await press('g', 't');
    await at('/traffic');
    await press('g', 'u');
    await at('/runs');
    await press('g', 'j');
    await at('/jobs');
  });

  it('one searches with the slash, and leaves the field with Escape', async () => {
    await press('/');
    await page.keyboard.type('jk Second');
    await expect.poll(() => page.url(), { timeout: 5_000 }).toContain('q=jk+Second');
    await press('Escape');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  it('one turns the sheets of a job over with the arrow keys', async () => {
    await page.goto(`${platen.url}/_platen/jobs/3?side=1`);
    await page.getByRole('dialog', { name: /^Side 1 of 3/ }).waitFor();
    await press('ArrowRight');
    await page.getByRole('dialog', { name: /^Side 2 of 3/ }).waitFor();
    await at('/jobs/3?side=2');
    await press('Escape');
    await at('/jobs/3');
  });

  it('one finds the keys with a question mark', async () => {
    await press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('one goes back and forth in the history of the browser', async () => {
    await press('j', 'Enter');
    await at('/jobs/3');
    await press('g', 'r');
    await at('/room');
    await page.goBack();
    await at('/jobs/3');
    await page.getByRole('article', { name: 'Job 3' }).waitFor();
    await page.goBack();
    await at('/jobs');
    await page.goForward();
    await at('/jobs/3');
  });

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  async function at(view: string): Promise<void> {
    await expect.poll(() => page.url(), { timeout: 5_000 }).toBe(`${platen.url}/_platen${view}`);
  }
});
