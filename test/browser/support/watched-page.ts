/**
 * A page in the browser whose console is listened to: whatever it complains about fails the test.
 */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** What the console said of errors and warnings, and requests that went elsewhere. */
  readonly complaints: string[];
}

const WINDOW = { width: 1360, height: 850 };

export async function watchPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: WINDOW, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`asked ${request.url()}`);
  });
  return {
    page,
    complaints,
    async [Symbol.asyncDispose]() {
      await context.close();
      expect(complaints).toEqual([]);
    },
  };
}

/** A page that tests use one after the other. */
export interface PageInTurn extends AsyncDisposable {
  /** The page for the next test, which opens a view on it. The end of its use is no end of the page. */
  begin(): Promise<WatchedPage>;
}

/** One page for many tests: to open one of its own takes longer than most of them do with it. */
export async function pageInTurn(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<PageInTurn> {
  const watched = await watchPage(browser, url, options);
  const { page, complaints } = watched;
  return {
    async begin() {
      complaints.splice(0);
      // As on a new page, nothing is pointed at.
      await page.mouse.move(0, 0);
      return { page, complaints, [Symbol.asyncDispose]: async () => expect(complaints).toEqual([]) };
    },
    async [Symbol.asyncDispose]() {
      complaints.splice(0);
      await watched[Symbol.asyncDispose]();
    },
  };
}
