/**
 * A folder for what the files of a test run share; it goes when the run ends.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly runFolder: string;
  }
}

let folder = '';

export function setup({ provide }: TestProject): void {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-tests-'));
  provide('runFolder', folder);
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
