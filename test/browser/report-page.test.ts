import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import type { RunRecord } from '../../src/record/run-record.ts';
import { renderHtml } from '../../src/report/html/page.ts';
import { openChromium } from './support/chromium.ts';
import { HOSTILE, madeUpLoad, madeUpRun, madeUpScenarios } from '../support/run-records.ts';

/** A browser takes its time on a machine that has other things to do. */
const LIMIT_MS = 120_000;

describe('the report page', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  let browser: Browser;
  let folder: string;
  /** What went wrong on the page, and what it asked for besides itself. */
  const noise: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-page-'));
    browser = await openChromium();
  }, LIMIT_MS);

  afterEach(() => noise.splice(0));

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(records: readonly RunRecord[], options: BrowserContextOptions = {}): Promise<Page> {
    const file = path.join(folder, 'report.html');
    writeFileSync(file, renderHtml(records));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('console', (message) => noise.push(message.text()));
    page.on('pageerror', (error) => noise.push(error.message));
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(file).href) noise.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  it('opens from disk within a second with 1,000 results, and asks for nothing else', async () => {
    const page = await open([madeUpRun({ results: 1_000, failures: 50, exchanges: 8 })]);
    const tookMs: number[] = [];
    // The fastest of three: the machine may have other things to do.
    for (let round = 0; round < 3; round++) {
      const elapsedMs = startStopwatch();
      await page.reload();
      await page.locator('details.result[open] .actual').first().waitFor();
      tookMs.push(elapsedMs());
    }
    expect(Math.min(...tookMs)).toBeLessThan(1_000);
    expect(noise).toEqual([]);
  });

  it('shows the evidence of failures without any script', async () => {
    const page = await open([madeUpRun()], { javaScriptEnabled: false });
    expect(await page.locator('.actual').first().isVisible()).toBe(true);
    expect(await page.locator('#tools').isVisible()).toBe(false);
    await page.locator('details.chapter summary').first().click();
    expect(await page.locator('tr[data-row]').first().isVisible()).toBe(true);
  });

  it.each(['light', 'dark'] as const)('draws the seconds of a load without any script, %s', async (scheme) => {
    const load = madeUpLoad();
    const [second] = load.series;
    const series = Array.from({ length: 60 }, (_, at) => ({ ...second, second: at }));
    const page = await open([{ ...load, series } as typeof load], {
      colorScheme: scheme,
      javaScriptEnabled: false,
    });
    const line = page.locator('.chart .wide .line').first();
    const box = await line.boundingBox();
    expect(box?.width).toBeGreaterThan(500);
    const ink: string = await line.evaluate('(line) => getComputedStyle(line).stroke');
    const paper: string = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ink).not.toBe(paper);
    expect(await page.locator('table.figures').first().isVisible()).toBe(true);
    expect(noise).toEqual([]);
  });

  it('lets no word of a target run', async () => {
    const page = await open([madeUpRun({ words: HOSTILE }), madeUpScenarios(HOSTILE), madeUpLoad(HOSTILE)]);
    for (const details of await page.locator('details').all())
      await details.evaluate((one) => one.setAttribute('open', ''));
    expect(await page.evaluate(() => 'taken' in globalThis)).toBe(false);
    expect(await page.locator('img:not([src^="data:image/png;base64,"]), iframe, evil').count()).toBe(0);
    expect(noise).toEqual([]);
  });

  it('finds, filters, and leads from a clause to its check', async () => {
    const page = await open([madeUpRun({ results: 100, failures: 5 })]);
    await page.keyboard.press('/');
    await page.keyboard.type('what-it-looks-at-77');
    expect(await page.locator('#found').textContent()).toBe('1 of 100 results');
    expect(await page.locator('#r0-77').isVisible()).toBe(true);
    await page.locator('#search').fill('');
    await page.locator('input[value=failed]').uncheck();
    expect(await page.locator('#found').textContent()).toBe('95 of 100 results');
    await page.locator('details.chapter summary').nth(6).click();
    await page
      .locator('tr[data-row] a')
      .filter({ hasText: /looks-at-56$/ })
      .first()
      .click();
    await page.locator('#r0-56').waitFor();
    expect(await page.locator('#r0-56').isVisible()).toBe(true);
  });

  it.each(['light', 'dark'] as const)('has no serious fault of access, %s', async (colorScheme) => {
    const page = await open(
      [madeUpRun({ clauses: 12 }), madeUpRun({ clauses: 12, failures: 0 }), madeUpScenarios(), madeUpLoad()],
      { colorScheme },
    );
    for (const details of await page.locator('details').all())
      await details.evaluate((one) => one.setAttribute('open', ''));
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
});
