import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { rawPrint } from '../support/raw-print.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';

describe('what programs print past the service', { tags: ['browser'], timeout: 60_000 }, () => {
  let platen: StartedPlaten;
  let browser: Browser;

  beforeAll(async () => {
    const printers = [{ profile: 'receipt-80mm', name: 'Receipt' }] as const;
    platen = await start({ port: 0, room: { computers: [{ name: 'TILL', printers }] }, expose: { raw: 0 } });
    await pageServed(platen.url);
    browser = await openChromium();
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await platen.close();
  });

  it('appears at its printer as it comes, the newest first, and a press opens it', async () => {
    const page = await browser.newPage();
    await page.goto(`${platen.url}/_platen/room`);
    await page.getByText('Live').waitFor();
    const list = page.getByRole('list', { name: 'Printed on Receipt past the service' });
    const pictures = list.getByRole('img');
    const receipt = await platen.printer('Receipt').address('raw');
    await rawPrint(receipt, 'Coffee 4.20\n');
    await pictures.first().waitFor();
    await rawPrint(receipt, 'Tea 3.10\n');
    await page.getByAltText('Raw 2, side 1').waitFor();
    expect(await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))).toEqual([
      'Raw 2, side 1',
      'Raw 1, side 1',
    ]);
    const href = await list.getByRole('link').first().getAttribute('href');
    const opened = await fetch(new URL(href ?? '', platen.url));
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });
});
