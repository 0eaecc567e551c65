import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { start } from '../../src/workbench/start.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { comparePicture, makeConstant } from './support/pictures.ts';
import { stagedPage, stagedViews } from './support/staged-views.ts';
import { openView, VIEWS } from './support/views.ts';

/** A busy machine takes long to draw a page. */
const LIMIT_MS = 120_000;
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

describe('every view', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  const place = stagedViews();
  /** Where pictures are compared. */
  let comparer: Page;
  beforeAll(async () => {
    comparer = await place.browser.newPage();
  });

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    const nextPage = stagedPage(place, { colorScheme, reducedMotion: 'reduce' });
    beforeAll(async () => {
      await using watched = await nextPage();
      await makeConstant(watched.page);
    });

    it.each(VIEWS)('$name looks as it did, and can be read and used, at every width', async (view) => {
      await using watched = await nextPage();
      const { page, complaints } = watched;
      for (const window of WINDOWS) {
        await page.setViewportSize(window);
        await openView(page, place.stage, view);
        const name = `${view.name.replaceAll(' ', '-')}-${window.width}-${colorScheme}`;
        const looksDifferent = view.varies ? undefined : await comparePicture(name, page, comparer);
        expect(looksDifferent).toBeUndefined();
        expect([name, ...(await faultsOf(page)), ...(await unusableOn(page))]).toEqual([name]);
      }
      // A browser reports every 404 on its console, also that of a page which is meant to be one.
      if (view.path.startsWith('nothing')) complaints.splice(0);
    });
  });
});

const PHONE = { width: 390, height: 844 };
const NARROW_PHONE = { width: 360, height: 740 };
/** Two lines of a name. */
const NAME_MAX_PX = 60;

it('a card of a printer in trouble stays readable on a phone', { tags: ['browser'], timeout: LIMIT_MS }, async () => {
  await using platen = await start({ port: 0 });
  await platen.print('invoice');
  await platen.printer('Laser').fault('media-jam');
  await platen.printer('Label 4x6').fault('media-empty');
  await pageServed(platen.url);
  await using browser = await openChromium();
  const page = await browser.newPage({ viewport: PHONE });
  await page.goto(`${platen.url}/_platen/room`);
  await page.locator('.chip', { hasText: 'media-empty' }).waitFor();
  const names = await page.locator('.device-name h3').all();
  for (const name of names) expect((await name.boundingBox())?.height).toBeLessThan(NAME_MAX_PX);
  for (const footer of await page.locator('.device.printer > footer').all()) {
    const tops = await footer
      .locator('.button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops.map(Math.round)).size).toBe(1);
  }
});

it(
  'keeps every control below the header of the room within a narrow phone',
  { tags: ['browser'], timeout: LIMIT_MS },
  async () => {
    await using platen = await start({ port: 0 });
    await platen.printer('Label 4x6').fault('media-empty');
    await pageServed(platen.url);
    await using browser = await openChromium();
    const page = await browser.newPage({ viewport: NARROW_PHONE });
    await page.goto(`${platen.url}/_platen/room`);
    await page.locator('.chip', { hasText: 'media-empty' }).waitFor();
    const controls = page.locator('a[href], button, input, select, summary').filter({ visible: true });
    const beyond = await controls.evaluateAll((all) =>
      all
        .filter(
          (one) => one.closest('.off-screen, .top') === null && one.getBoundingClientRect().right > window.innerWidth,
        )
        .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()),
    );
    expect(beyond).toEqual([]);
  },
);

async function faultsOf(page: Page): Promise<string[]> {
  // In one piece, since no view has frames, and without what is all right: a quarter of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
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
