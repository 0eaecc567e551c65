import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { submit } from './support/staged-workbench.ts';
import { watchPage, type WatchedPage } from './support/watched-page.ts';

/** On a machine that is busy with other things. */
const SOON = { timeout: 10_000 };

describe('without a mouse', { tags: ['browser'] }, () => {
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
  }, 120_000);

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
    await expect.poll(view, SOON).toBe('/jobs/3');
    await press('j');
    await expect.poll(view, SOON).toBe('/jobs/2');
    await press('Escape');
    await expect.poll(view, SOON).toBe('/jobs');
  });

  it('one goes from page to page with g and a letter', async () => {
    await press('g', 'r');
    await expect.poll(view, SOON).toBe('/room');
    await press('g', 't');
    await expect.poll(view, SOON).toBe('/traffic');
    await press('g', 'u');
    await expect.poll(view, SOON).toBe('/runs');
    await press('g', 'j');
    await expect.poll(view, SOON).toBe('/jobs');
  });

  it('one searches with the slash, and leaves the field with Escape', async () => {
    await press('/');
    await page.keyboard.type('jk Second');
    await expect.poll(() => page.url(), SOON).toContain('q=jk+Second');
    await press('Escape');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  it('one adds a printer by a word of its profile', async () => {
    await page.goto(`${platen.url}/_platen/room`);
    await page.getByRole('button', { name: 'Add a printer to FRONT-DESK' }).press('Enter');
    await page.locator('dialog[open] input').waitFor();
    await page.keyboard.type('zebra');
    await expect.poll(() => page.locator('dialog[open] input').inputValue(), SOON).toBe('zebra');
    await press('Escape');
  });

  it('one turns the sheets of a job over with the arrow keys', async () => {
    await page.goto(`${platen.url}/_platen/jobs/3?side=1`);
    await page.getByRole('dialog', { name: /^Side 1 of 3/ }).waitFor();
    await press('ArrowRight');
    await page.getByRole('dialog', { name: /^Side 2 of 3/ }).waitFor();
    await expect.poll(view, SOON).toBe('/jobs/3?side=2');
    await press('Escape');
    await expect.poll(view, SOON).toBe('/jobs/3');
  });

  it('one turns over with the same button to the last sheet, which keeps the focus', async () => {
    await page.goto(`${platen.url}/_platen/jobs/3?side=1`);
    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    await press('Enter', 'Enter', 'Enter');
    await page.getByRole('dialog', { name: /^Side 3 of 3/ }).waitFor();
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('one moves the clock with the same button again and again', async () => {
    const before = await platen.clock.now();
    const step = page.getByRole('button', { name: '+5 s' });
    await step.focus();
    for (const times of [1, 2]) {
      await press('Enter');
      await expect.poll(() => platen.clock.now(), SOON).toBe(before + times * 5_000);
      await expect.poll(() => step.isEnabled(), SOON).toBe(true);
    }
  });

  it('one finds the keys with a question mark', async () => {
    await press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await press('Escape');
    await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0);
  });

  it('one goes back and forth in the history of the browser', async () => {
    await press('j', 'Enter');
    await expect.poll(view, SOON).toBe('/jobs/3');
    await press('g', 'r');
    await expect.poll(view, SOON).toBe('/room');
    await page.goBack();
    await expect.poll(view, SOON).toBe('/jobs/3');
    await page.getByRole('article', { name: 'Job 3' }).waitFor();
    await page.goBack();
    await expect.poll(view, SOON).toBe('/jobs');
    await page.goForward();
    await expect.poll(view, SOON).toBe('/jobs/3');
  });

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  function view(): string {
    return page.url().replace(`${platen.url}/_platen`, '');
  }
});
