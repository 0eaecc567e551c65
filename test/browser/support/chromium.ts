/** A real browser for tests: Chromium without a window. */

import { chromium, type Browser } from 'playwright-core';

import { CHROMIUM } from '../../support/machine-parts.ts';

/** On a machine that is busy with other things. */
const LAUNCH_LIMIT_MS = 110_000;

export function openChromium(args: readonly string[] = []): Promise<Browser> {
  // Containers and root have no sandbox to offer, and the page is our own.
  return chromium.launch({ executablePath: CHROMIUM, timeout: LAUNCH_LIMIT_MS, args: ['--no-sandbox', ...args] });
}
