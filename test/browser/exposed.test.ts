import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';

const TOKEN = 'token-of-the-test';

describe('the page of a workbench that other machines can reach', { tags: ['browser'] }, () => {
  let platen: StartedPlaten;
  let browser: Browser;

  beforeAll(async () => {
    platen = await start({ port: 0, host: '0.0.0.0', clock: 'virtual', controlToken: TOKEN });
    await pageServed(platen.url);
    browser = await openChromium();
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await platen.close();
  });

  it('shows nothing before the token is entered, and then everything', async () => {
    const page = await browser.newPage();
    await page.goto(`${platen.url}/_platen/room`);
    await page.getByText('This workbench wants its control token').waitFor();
    expect(await page.content()).not.toContain(platen.apiKey);
    await page.getByLabel('Control token').fill('wrong');
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByText('has another token than the one entered').waitFor();
    await page.getByLabel('Control token').fill(TOKEN);
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByRole('region', { name: 'Printer Laser' }).waitFor();
    await page.getByText('Live').waitFor();
    await expect.poll(() => page.getByText(platen.apiKey).count(), { timeout: 10_000 }).toBe(1);
  });
});
