import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';

const LIMIT_MS = 120_000;

describe('the list of jobs', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  let platen: StartedPlaten;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await openChromium();
  }, LIMIT_MS);

  beforeEach(async () => {
    platen = await start({ port: 0, clock: 'virtual' });
    await pageServed(platen.url);
    page = await browser.newPage();
    page.setDefaultTimeout(15_000);
  });

  afterEach(async () => {
    await page.close();
    await platen.close();
  });

  afterAll(() => browser.close());

  it('calls a job with a blank title Untitled', async () => {
    await platen.print('invoice', { title: ' ' });
    await page.goto(`${platen.url}/_platen/jobs`);
    await page.getByRole('link', { name: 'Untitled' }).click();
    await expect.poll(() => page.getByRole('heading', { name: 'Untitled' }).count()).toBe(1);
  });

  it('offers as filters what its jobs are now, and not what they were', async () => {
    await platen.print('invoice');
    await page.goto(`${platen.url}/_platen/jobs`);
    const filters = page.getByRole('group', { name: 'Filters' }).getByRole('button');
    await filters.first().waitFor();
    await platen.computer('FRONT-DESK').disconnect();
    void platen.print('invoice').catch(() => undefined);
    await page.getByRole('button', { name: 'new', exact: true }).waitFor();
    await platen.computer('FRONT-DESK').connect();
    await expect.poll(() => filters.allTextContents()).toEqual(['Laser', 'done']);
  });
});
