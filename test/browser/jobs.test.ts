import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { printRequest } from '../support/print-request.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';

const LIMIT_MS = 120_000;
/** On a machine that is busy with other things. */
const SOON = { timeout: 15_000 };
/** How many jobs the page shows at first. */
const FIRST_PAGE = 100;

describe('the list of jobs', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  let platen: StartedPlaten;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await openChromium();
  }, LIMIT_MS);

  beforeEach(async () => {
    platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
    await pageServed(platen.url);
    page = await browser.newPage();
    page.setDefaultTimeout(SOON.timeout);
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
    await expect.poll(() => page.getByRole('heading', { name: 'Untitled' }).count(), SOON).toBe(1);
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
    await expect.poll(() => filters.allTextContents(), SOON).toEqual(['Laser', 'done']);
  });

  it('does not name a number when there are more jobs to delete than it shows', async () => {
    const printerId = await platen.printer('Laser').id();
    for (let number = 0; number <= FIRST_PAGE; number++) await printRequest(platen, { printerId, title: 'Invoice' });
    await page.goto(`${platen.url}/_platen/jobs?q=invoice`);
    await page.getByRole('button', { name: 'Delete the jobs that were found' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Delete more than 100 jobs?' }).count(), SOON).toBe(1);
  });

  it('prints a chosen document once, however often its button is pressed', async () => {
    await page.goto(`${platen.url}/_platen/jobs`);
    await page.getByLabel('Print a document…').setInputFiles('fixtures/documents/invoice.pdf');
    const dialog = page.getByRole('dialog', { name: 'Print invoice.pdf' });
    const button = dialog.getByRole('button', { name: 'Print', exact: true });
    await expect.poll(() => button.isEnabled(), SOON).toBe(true);
    await button.evaluate((one: HTMLElement) => [one, one].forEach((each) => each.click()));
    await dialog.waitFor({ state: 'detached' });
    expect(await platen.jobs.list()).toHaveLength(1);
  });

  it('leads to the room when there is no printer to print on', async () => {
    await using empty = await start({ port: 0, clock: 'virtual', room: 'none' });
    await page.goto(`${empty.url}/_platen/jobs`);
    await page.getByLabel('Print a document…').setInputFiles('fixtures/documents/invoice.pdf');
    await page.getByRole('dialog').getByText('There is no printer to print on').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByRole('link', { name: 'room' }).click();
    await expect.poll(() => page.getByRole('heading', { name: 'The room is empty' }).count(), SOON).toBe(1);
  });
});
