import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import type { StagedWorkbench } from './support/staged-workbench.ts';
import { stageViews, VIEWS } from './support/views.ts';
import { watchPage } from './support/watched-page.ts';

const HEIGHT = 844;
/** A browser takes its time on a machine that has other things to do. */
const LIMIT_MS = 60_000;

/** Colours and widths. What can be pressed does not depend on the colour; axe looks at the first width of each. */
const LOOKS = [
  ['light', [1440, 1024, 390]],
  ['dark', [390]],
] as const;

describe('every view', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  let reports: string;
  let stage: StagedWorkbench;
  let browser: Browser;

  beforeAll(async () => {
    reports = mkdtempSync(path.join(tmpdir(), 'platen-axe-'));
    stage = await stageViews(reports);
    await pageServed(stage.url);
    browser = await openChromium();
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
    rmSync(reports, { recursive: true, force: true });
  });

  describe.each(LOOKS)('in %s colours', (colorScheme, widths) => {
    it.each(VIEWS)('$name can be read and used at every width', async ({ path: view, sign }) => {
      await using watched = await watchPage(browser, stage.url, { colorScheme, reducedMotion: 'reduce' });
      const { page, complaints } = watched;
      await page.goto(`${stage.url}/_platen/${view.replace('RUN', stage.runId)}`);
      await page.locator(sign).first().waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: HEIGHT });
        const faults = width === widths[0] ? await faultsOf(page) : [];
        expect([width, ...faults, ...(await unusableOn(page))]).toEqual([width]);
      }
      // A browser tells of every 404 on its console, that of a page which is meant to be one too.
      if (view.startsWith('nothing')) complaints.splice(0);
    });
  });
});

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Controls that a person could not press, and what is wider than the window. */
async function unusableOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const place = document.querySelector('dialog[open]') ?? document;
    const controls = [...place.querySelectorAll('a[href], button, input, select, summary')].filter(
      (one) => one.checkVisibility() && !one.matches(':disabled') && one.closest('.off-screen, .virtual') === null,
    );
    const covered = controls.filter((control) => {
      control.scrollIntoView({ block: 'center', inline: 'center' });
      const [box] = control.getClientRects();
      const hit = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return !hit || !(control.contains(hit) || control.closest('label')?.contains(hit) === true);
    });
    const excess = document.documentElement.scrollWidth - window.innerWidth;
    return [
      ...covered.map(
        (one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40)}`,
      ),
      ...(excess > 0 ? [`the page is ${excess} pixels too wide`] : []),
    ];
  });
}
