/** Where tests look at every view: a workbench with something on each of them, and a browser. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

import { pageServed } from './built-page.ts';
import { openChromium } from './chromium.ts';
import type { StagedWorkbench } from './staged-workbench.ts';
import { stageViews } from './views.ts';
import { pageInTurn, type PageInTurn, type WatchedPage } from './watched-page.ts';

/** A busy machine takes long to start a browser. */
const LIMIT_MS = 120_000;

export interface StagedViews {
  readonly stage: StagedWorkbench;
  readonly browser: Browser;
}

/** Opened before the tests of a block, and closed after them. */
export function stagedViews(): StagedViews {
  let reports: string;
  let stage: StagedWorkbench;
  let browser: Browser;

  beforeAll(async () => {
    reports = mkdtempSync(path.join(tmpdir(), 'platen-views-'));
    stage = await stageViews(reports);
    await pageServed(stage.url);
    browser = await openChromium();
  }, LIMIT_MS);

  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
    rmSync(reports, { recursive: true, force: true });
  });

  return {
    get stage() {
      return stage;
    },
    get browser() {
      return browser;
    },
  };
}

/** A page on the staged views for the tests of a block, one after the other. @returns what gives it to the next test */
export function stagedPage(place: StagedViews, options: BrowserContextOptions = {}): () => Promise<WatchedPage> {
  let page: PageInTurn;

  beforeAll(async () => {
    page = await pageInTurn(place.browser, place.stage.url, options);
  }, LIMIT_MS);

  afterAll(() => page[Symbol.asyncDispose]());

  return () => page.begin();
}
