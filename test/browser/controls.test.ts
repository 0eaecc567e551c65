import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { CONTROLS, controlsOf } from './support/controls.ts';
import type { StagedWorkbench } from './support/staged-workbench.ts';
import { openView, stageViews, VIEWS } from './support/views.ts';
import { watchPage } from './support/watched-page.ts';

/** A browser takes its time on a machine that has other things to do. */
const LIMIT_MS = 60_000;

describe('every control of every view', { tags: ['browser'], timeout: LIMIT_MS }, () => {
  let reports: string;
  let stage: StagedWorkbench;
  let browser: Browser;

  beforeAll(async () => {
    reports = mkdtempSync(path.join(tmpdir(), 'platen-controls-'));
    stage = await stageViews(reports);
    await pageServed(stage.url);
    browser = await openChromium();
  }, LIMIT_MS);

  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
    rmSync(reports, { recursive: true, force: true });
  });

  it.each(VIEWS)('is in the table of those that tests use: $name', async (view) => {
    await using watched = await watchPage(browser, stage.url);
    await openView(watched.page, stage, view);
    const names = (await controlsOf(watched.page)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => CONTROLS.filter((row) => row.name.test(name)).length !== 1)).toEqual([]);
    if (view.path.startsWith('nothing')) watched.complaints.splice(0);
  });

  it.each(CONTROLS)('does something: $name', async ({ name, on, use }) => {
    const view = VIEWS.find((one) => one.name === on);
    if (!view) throw new Error(`there is no view '${on}'`);
    await using watched = await watchPage(browser, stage.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, complaints } = watched;
    await openView(page, stage, view);
    const found = (await controlsOf(page)).find((one) => name.test(one.name));
    if (!found) throw new Error(`${on} has no such control`);
    await use({ page, control: found.control, url: stage.url });
    expect(complaints.filter((complaint) => !/40[49]/.test(complaint))).toEqual([]);
    complaints.splice(0);
  });
});
