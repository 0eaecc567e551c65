import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { stageWorkbench, type StagedWorkbench } from './support/staged-workbench.ts';
import { watchPage } from './support/watched-page.ts';

interface View {
  readonly name: string;
  readonly path: string;
  /** What is there once everything is. */
  readonly sign: string;
}

const VIEWS: readonly View[] = [
  { name: 'Jobs', path: 'jobs', sign: '.job-row' },
  { name: 'a job', path: 'jobs/7', sign: '.timeline li' },
  { name: 'an enlarged side', path: 'jobs/7?side=2', sign: 'dialog img' },
  { name: 'a search that finds nothing', path: 'jobs?q=state:expired', sign: '.empty' },
  { name: 'Room', path: 'room', sign: '.scale .lcd' },
  { name: 'capabilities', path: 'room?computer=FRONT-DESK&printer=printer-1', sign: 'dialog pre' },
  { name: 'Traffic', path: 'traffic', sign: '.traffic-row' },
  { name: 'a request', path: 'traffic?id=2', sign: '.detail pre' },
  { name: 'a delivery', path: 'traffic?show=deliveries&id=2', sign: '.detail pre' },
  { name: 'Runs', path: 'runs', sign: '.run-row' },
  { name: 'a run', path: 'runs/RUN', sign: '.finding' },
  { name: 'the clauses of a run', path: 'runs/RUN?show=clauses', sign: '.chapter' },
  { name: 'the gaps of a run', path: 'runs/RUN?show=gaps', sign: '.gaps td' },
];

describe.each(['light', 'dark'] as const)('seen in %s colours', { tags: ['browser'] }, (colorScheme) => {
  let reports: string;
  let stage: StagedWorkbench;
  let browser: Browser;

  beforeAll(async () => {
    reports = mkdtempSync(path.join(tmpdir(), 'platen-axe-'));
    stage = await stageWorkbench(reports);
    await pageServed(stage.url);
    browser = await openChromium();
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
    rmSync(reports, { recursive: true, force: true });
  });

  it.each(VIEWS)('$name can be used by everybody', async ({ path: view, sign }) => {
    await using watched = await watchPage(browser, stage.url, { colorScheme, reducedMotion: 'reduce' });
    const { page } = watched;
    await page.goto(`${stage.url}/_platen/${view.replace('RUN', stage.runId)}`);
    await page.locator(sign).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
});

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}
