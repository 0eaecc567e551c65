import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { startBusyWorkbench } from './support/busy-workbench.ts';
import { bundleBytes, foreignAddresses, pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { watchFrames } from './support/frames.ts';
import { watchPage } from './support/watched-page.ts';

const MANY_JOBS = 10_000;
const READY_LIMIT_MS = 300;
const MOST_ROUNDS = 20;
const BUNDLE_LIMIT_BYTES = 60_000;
/** Of the processor, for each picture: sixty fit into a second. */
const SMOOTH_MS = 16;
/** Of one processor: the rest is for whoever looks at the page. */
const CALM_LOAD = 0.5;
const SETUP_LIMIT_MS = 120_000;

describe('the page', { tags: ['browser'] }, () => {
  let platen: StartedPlaten;
  let browser: Browser;

  beforeAll(async () => {
    platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
    await pageServed(platen.url);
    browser = await openChromium();
    // Nobody takes the jobs: they stay as they are, which is all that is wanted of them here.
    await platen.computer('FRONT-DESK').disconnect();
    await submitMany(MANY_JOBS);
  }, SETUP_LIMIT_MS);

  afterAll(async () => {
    await browser.close();
    await platen.close();
  });

  it('is small, and asks nobody else for anything', () => {
    tell('compressed bytes', { bundle: bundleBytes() });
    expect(bundleBytes()).toBeLessThanOrEqual(BUNDLE_LIMIT_BYTES);
    // The name of a language of drawings is no address.
    expect(foreignAddresses().filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
  });

  it('is ready in 300 ms, with ten thousand jobs there', async () => {
    const times: number[] = [];
    // The best tells of the page; the others tell what else the machine was doing.
    do times.push(await timeUntilReady());
    while (times.length < 3 || (Math.min(...times) > READY_LIMIT_MS && times.length < MOST_ROUNDS));
    tell('ready after', times);
    expect(Math.min(...times)).toBeLessThanOrEqual(READY_LIMIT_MS);
  }, 60_000);

  it('scrolls through ten thousand jobs, of which it draws those in view', async () => {
    await using watched = await watchPage(browser, platen.url);
    const { page } = watched;
    await page.goto(`${platen.url}/_platen/jobs`);
    await page.locator('.job-row').first().waitFor();
    const stop = await watchFrames(page);
    await page.evaluate(`new Promise((resolve) => {
      const list = document.querySelector('.virtual');
      const step = () => {
        list.scrollTop += 2000;
        if (list.querySelector('[aria-posinset="${MANY_JOBS}"]')) resolve();
        else requestAnimationFrame(step);
      };
      step();
    })`);
    const frames = await stop();
    tell('frames while scrolling', frames);
    expect(await page.locator('.job-row').count()).toBeLessThan(60);
    expect(frames.workMs).toBeLessThanOrEqual(SMOOTH_MS);
  }, 60_000);

  it('bears five hundred events a second', async () => {
    await using busy = await startBusyWorkbench(platen.url, MANY_JOBS);
    await using watched = await watchPage(browser, busy.url);
    const { page } = watched;
    await page.goto(`${busy.url}/_platen/jobs`);
    await page.locator('.job-row').first().waitFor();
    await page.getByText('Live').waitFor();
    const stop = await watchFrames(page);
    const newest = await busy.tell(500, 5);
    await page.getByText(`Job ${newest}`, { exact: true }).waitFor();
    const frames = await stop();
    tell('frames with 500 events a second', frames);
    expect(frames.load).toBeLessThanOrEqual(CALM_LOAD);
  }, 60_000);

  it('goes where it is told to while five hundred events a second come', async () => {
    await using busy = await startBusyWorkbench(platen.url, MANY_JOBS);
    await using watched = await watchPage(browser, busy.url);
    const { page } = watched;
    await page.goto(`${busy.url}/_platen/jobs`);
    await page.getByText('Live').waitFor();
    const telling = busy.tell(500, 4);
    for (const [key, sign] of [
      ['r', '.computer'],
      ['t', '.traffic-row'],
      ['j', '.job-row'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect.poll(() => page.locator(sign).count(), { timeout: 5_000 }).toBeGreaterThan(0);
    }
    await telling;
  }, 60_000);

  async function timeUntilReady(): Promise<number> {
    await using watched = await watchPage(browser, platen.url);
    const { page } = watched;
    await page.addInitScript(`
      new MutationObserver((_, observer) => {
        if (!document.querySelector('.job-row')) return;
        window.readyMs = performance.now();
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(`${platen.url}/_platen/jobs`);
    await page.locator('.job-row').first().waitFor();
    const readyMs = await page.evaluate<number>('window.readyMs');
    return readyMs;
  }

  async function submitMany(count: number): Promise<void> {
    const printerId = await platen.printer('Label 4x6').id();
    const headers = {
      authorization: `Basic ${btoa(`${platen.apiKey}:`)}`,
      'content-type': 'application/json',
    };
    const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
    const submitOnes = async (): Promise<void> => {
      for (const number of numbers) {
        const body = JSON.stringify({
          printerId,
          title: `Label ${number}`,
          contentType: 'raw_base64',
          content: 'XlhBXlha',
        });
        const answer = await fetch(`${platen.url}/printjobs`, { method: 'POST', headers, body });
        if (answer.status !== 201) throw new Error(`job ${number} was refused with ${answer.status}`);
        await answer.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 8 }, submitOnes));
  }
});

/** Figures for whoever reads the log. */
function tell(what: string, figures: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
}
