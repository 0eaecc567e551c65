/**
 * The page of a workbench in real time: how old things are, and what it still knows after a restart.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';

/** On a machine that is busy with other things. */
const SOON = { timeout: 20_000 };

describe('the page in real time', { tags: ['browser'] }, () => {
  let folder: string;
  let platen: StartedPlaten;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-page-'));
    platen = await start({ port: 0, dataFile: path.join(folder, 'data.db') });
    await pageServed(platen.url);
    browser = await openChromium();
    page = await browser.newPage();
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await platen.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('says how long ago a scale was read, and that a scale beyond its limit has no weight', async () => {
    await page.goto(`${platen.url}/_platen/room`);
    const scale = page.getByRole('region', { name: /^Scale Parcel/ });
    const reading = scale.locator('.service-reading');
    await expect.poll(() => reading.textContent(), SOON).toMatch(/2\.65 lb, measured ([4-9]|\d\d) s ago/);
    await scale.getByRole('spinbutton').fill('4536');
    await scale.getByRole('spinbutton').press('Enter');
    await expect.poll(() => reading.textContent(), SOON).toMatch(/10 lb, measured (just now|[123] s ago)/);
    await scale.getByRole('spinbutton').fill('99999');
    await scale.getByRole('spinbutton').press('Enter');
    await expect.poll(() => reading.textContent(), SOON).toContain('The service has a reading without a weight');
  }, 60_000);

  it('does not promise sheets of a job that printed before a restart', async () => {
    const { id } = await platen.print('invoice', { timeout: '50s' });
    await platen.close();
    platen = await start({ port: Number(new URL(platen.url).port), dataFile: path.join(folder, 'data.db') });
    await page.goto(`${platen.url}/_platen/jobs/${id}`);
    await page.getByText('it printed before platen was started').waitFor(SOON);
    expect(await page.getByRole('button', { name: 'Print again' }).count()).toBe(0);
  }, 60_000);
});
