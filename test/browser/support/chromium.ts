/**
 * A real browser for tests: Debian's Chromium, without a window. Where there is none, tests say so
 * loudly; on a build server that is a failure.
 */

import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

const EXECUTABLE = process.env['PLATEN_CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether there is a browser. @throws Error on a build server that has none */
export function hasChromium(): boolean {
  if (existsSync(EXECUTABLE)) return true;
  const message = `there is no browser at ${EXECUTABLE}: NOTHING ABOUT THE PAGE IS TESTED`;
  if (process.env['CI'] !== undefined) throw new Error(`${message}; .ci/machine installs one`);
  process.stderr.write(
    `\n*** ${message}. apt-get install chromium, or name another in PLATEN_CHROMIUM ***\n\n`,
  );
  return false;
}

export function openChromium(): Promise<Browser> {
  // Containers and root have no sandbox to offer, and the page is our own.
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}
