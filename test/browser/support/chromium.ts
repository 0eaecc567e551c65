/** A real browser for tests: Chromium without a window. */

import { chromium, type Browser } from 'playwright-core';

import { CHROMIUM } from '../../support/machine-parts.ts';

export function openChromium(args: readonly string[] = []): Promise<Browser> {
  // Containers and root have no sandbox to offer, and the page is our own.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...args] });
}
