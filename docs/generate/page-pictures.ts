/**
 * Makes the pictures of the page in docs/images: `node docs/generate/page-pictures.ts [page …]`. A workbench
 * with jobs, devices, traffic and a failed run is looked at with Chromium, by day and by night. With
 * pngquant installed the pictures become a third of their size.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';

import { openChromium } from '../../test/browser/support/chromium.ts';
import { stageWorkbench } from '../../test/browser/support/staged-workbench.ts';

const FOLDER = fileURLToPath(new URL('../images/', import.meta.url));
const WINDOW = { width: 1360, height: 850 };
const SCHEMES = ['light', 'dark'] as const;

interface View {
  readonly name: string;
  readonly path: string;
  /** What is there once everything is. */
  readonly sign: string;
}

const reports = mkdtempSync(path.join(tmpdir(), 'platen-pictures-'));
const stage = await stageWorkbench(reports);
const browser = await openChromium();
try {
  const wanted = process.argv.slice(2);
  for (const view of viewsOf(stage.runId)) {
    if (wanted.length > 0 && !wanted.includes(view.name)) continue;
    for (const scheme of SCHEMES) await takePicture(browser, view, scheme);
  }
} finally {
  await browser.close();
  await stage[Symbol.asyncDispose]();
  rmSync(reports, { recursive: true, force: true });
}

function viewsOf(runId: string): readonly View[] {
  return [
    { name: 'jobs', path: '/_platen/jobs/8', sign: 'img[alt^="Side 2"]' },
    { name: 'room', path: '/_platen/room', sign: '.scale .lcd' },
    { name: 'traffic', path: '/_platen/traffic?show=deliveries&id=24', sign: '.detail pre' },
    { name: 'runs', path: `/_platen/runs/${runId}`, sign: '.finding' },
  ];
}

async function takePicture(browser: Browser, view: View, scheme: (typeof SCHEMES)[number]): Promise<void> {
  const page = await browser.newPage({ viewport: WINDOW, colorScheme: scheme, reducedMotion: 'reduce' });
  await page.goto(stage.url + view.path);
  await page.waitForSelector(view.sign);
  await everythingDrawn(page);
  const file = path.join(FOLDER, `page-${view.name}-${scheme}.png`);
  writeFileSync(file, await page.screenshot());
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--strip', '--speed', '1', '--output', file, '64', file]);
  await page.close();
}

/** Pictures come a moment after their rows. */
async function everythingDrawn(page: Page): Promise<void> {
  do await page.waitForTimeout(600);
  while ((await page.evaluate('[...document.images].every((image) => image.complete)')) !== true);
}
