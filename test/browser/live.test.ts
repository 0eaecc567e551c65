import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { madeUpExplore, madeUpLoad } from '../support/run-records.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { keepRun, loadSoFar, showRun } from './support/views.ts';

/** On a machine that is busy with other things. */
const SOON = { timeout: 15_000 };

describe('what goes on', { tags: ['browser'], timeout: 120_000 }, () => {
  let reports: string;
  let platen: StartedPlaten;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    reports = mkdtempSync(path.join(tmpdir(), 'platen-live-'));
    browser = await openChromium();
  }, 120_000);

  beforeEach(async () => {
    platen = await start({ port: 0, clock: 'virtual', reports });
    await pageServed(platen.url);
    const context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(SOON.timeout);
  });

  afterEach(async () => {
    await page.context().close();
    await platen.close();
  });

  afterAll(async () => {
    await browser.close();
    rmSync(reports, { recursive: true, force: true });
  });

  it('is drawn as it comes: a load of a terminal, its seconds, its end', async () => {
    await page.goto(`${platen.url}/_platen/runs`);
    await page.getByText('Nothing has been run yet').waitFor();
    await showRun(platen.url, loadSoFar(5));
    await page.locator('.run-row', { hasText: '5 of 60, about 55s left: running' }).click();
    await page.locator('.run .word', { hasText: 'UNDER WAY' }).waitFor();
    const points = page.locator('.chart').first().locator('.readings rect');
    expect(await points.count()).toBe(5);
    await showRun(platen.url, loadSoFar(9));
    await expect.poll(() => points.count(), SOON).toBe(9);

    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => showRun(platen.url, loadSoFar(10)), SOON).toBe(1);
    await showRun(platen.url, { ...madeUpLoad(), runId: 'live-load' });
    await page.locator('.run .word', { hasText: 'UNDER WAY' }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: 'Stop' }).count(), SOON).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/_platen/runs/live-load');
  });

  it('shows its newest second in a window of any width', async () => {
    await showRun(platen.url, loadSoFar(30));
    await page.goto(`${platen.url}/_platen/runs/live-load`);
    const newest = page.locator('.chart').first().locator('.readings rect').last();
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await newest.waitFor();
      const box = await newest.boundingBox();
      expect(box && box.x + box.width, `at ${width}`).toBeLessThanOrEqual(width);
      const isWhole = await newest.evaluate((second) => {
        const place = second.closest('.wide');
        return place !== null && place.scrollWidth <= place.clientWidth;
      });
      expect(isWhole, `at ${width}`).toBe(true);
    }
  });

  it('is started with a pattern and an address, and followed to its end', async () => {
    await using service = await start({ port: 0 });
    await page.goto(`${platen.url}/_platen/runs`);
    await page.getByLabel('What to run').selectOption('smoke');
    await page.getByText('Which checks, which service').click();
    await page.getByLabel('Only checks that match').fill('^misc/ping$');
    await page.getByLabel('Address of the service').fill(service.url);
    await page.getByRole('button', { name: 'Run', exact: true }).last().click();
    await page.locator('.run .word', { hasText: 'PASSED' }).waitFor({ timeout: 50_000 });
    expect(await page.locator('.run-row').first().textContent()).toContain('smoke, matching ^misc/ping$');
    await page.getByRole('button', { name: 'Run it again' }).waitFor();
  });

  it('is started once by two presses, and leaves the focus where it was', async () => {
    let started = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') started++;
    });
    await showRun(platen.url, madeUpExplore());
    await page.goto(`${platen.url}/_platen/runs`);
    const run = page.locator('.start-run').getByRole('button', { name: 'Run' });
    await page.locator('.run-row').first().waitFor();
    const before = await page.locator('.run-row').count();
    await run.focus();
    await run.evaluate((button: HTMLElement) => [button, button].forEach((one) => one.click()));
    await page.locator('.detail .stop').waitFor();
    expect(started).toBe(1);
    expect(await run.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('is under way already').waitFor();
    expect(await page.locator('.run-row').count()).toBe(before + 1);
    await page.locator('.detail .stop').click();
    await page.getByRole('button', { name: 'Stop at once' }).click();
  });

  it('plays the day that shows a finding, and lists its steps', async () => {
    keepRun(reports, madeUpExplore());
    await page.goto(`${platen.url}/_platen/runs/${madeUpExplore().runId}`);
    await page.getByRole('button', { name: 'Play this day, step by step' }).click();
    await page.locator('.run .word', { hasText: 'PASSED' }).waitFor({ timeout: 50_000 });
    await page.locator('.result summary').first().click();
    const steps = await page.locator('.log li').allTextContents();
    expect(steps.filter((step) => step.includes('submit'))).toHaveLength(2);
  });

  it('offers the report of a run, as HTML and as PDF', async () => {
    await showRun(platen.url, { ...madeUpLoad(), runId: 'ended' });
    await page.goto(`${platen.url}/_platen/runs/ended`);
    const [report] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'HTML report' }).click(),
    ]);
    await report.locator('.run .word').first().waitFor({ timeout: 30_000 });
    const address = (await page.getByRole('link', { name: 'PDF' }).getAttribute('href')) ?? '';
    const pdf = await fetch(platen.url + address);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    await report.close();
  });

  it.each([
    ['jobs', 'The jobs', '.job-row'],
    ['room', 'The room', '.computer'],
    ['traffic', 'The traffic', '.traffic-row'],
    ['runs', 'The runs', '.start-run'],
  ])(
    'is said to be missing when it cannot be loaded, and comes when it is asked for again: %s',
    async (view, what, sign) => {
      await platen.print('invoice');
      const broken = /_platen\/(?:jobs|room|requests|runs)(?:\?|$)/;
      await page.route(broken, (route) =>
        route.request().resourceType() === 'fetch' ? route.fulfill({ status: 500, body: 'oops' }) : route.continue(),
      );
      await page.goto(`${platen.url}/_platen/${view}`);
      await page.getByRole('heading', { name: `${what} could not be loaded` }).waitFor();
      await page.unroute(broken);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator(sign).first().waitFor();
      expect(await page.getByRole('heading', { name: 'could not be loaded' }).count()).toBe(0);
    },
  );

  it('is said to be old when the workbench has gone, and goes on when it is back', async () => {
    await page.goto(`${platen.url}/_platen/room`);
    const laser = page.getByRole('region', { name: 'Printer Laser' });
    const jam = laser.getByRole('switch', { name: 'Jam: Laser' });
    await jam.waitFor();
    const port = Number(new URL(platen.url).port);
    await platen.close();
    await page.getByRole('alert').getByText('you see its last state').waitFor();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await laser.getByText('Jam', { exact: true }).click();
    await page.getByText('Is platen still running?').waitFor();
    await expect.poll(() => jam.isChecked(), SOON).toBe(false);
    expect(await laser.getByText('media-jam').count()).toBe(0);

    platen = await start({ port, clock: 'virtual', reports });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByText('Is platen still running?').waitFor({ state: 'detached' });
    await laser.getByText('Jam', { exact: true }).click();
    await laser.getByText('media-jam').waitFor();
    expect((await platen.printer('Laser').state()).reasons).toContain('media-jam');
  });
});
