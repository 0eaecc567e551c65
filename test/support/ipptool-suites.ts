/**
 * The suites of ipptool that printer makers run, in a folder of their own.
 */

import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { PrintSystem } from '../../src/targets/print-system.ts';

const INSTALLED = '/usr/share/cups/ipptool';
const PDF = fileURLToPath(new URL('../../fixtures/documents/three-pages.pdf', import.meta.url));

export const SUITES = ['ipp-1.1', 'ipp-2.0', 'ipp-everywhere'] as const;

export interface SuiteResult {
  readonly passed: number;
  /** The lines of the tests that failed. */
  readonly failed: readonly string[];
}

export class IppToolSuites {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'platen-ipptool-'));
  readonly #cups: PrintSystem;

  constructor(cups: PrintSystem) {
    this.#cups = cups;
    for (const file of readdirSync(INSTALLED)) copyFileSync(path.join(INSTALLED, file), path.join(this.#folder, file));
    // The suites name documents that Debian does not pack; any will do.
    for (const name of ['document-a4.pdf', 'document-letter.pdf']) copyFileSync(PDF, path.join(this.#folder, name));
  }

  async run(suite: (typeof SUITES)[number], printerUri: string): Promise<SuiteResult> {
    const version = suite === 'ipp-1.1' ? '1.1' : '2.0';
    const args = ['-I', '-t', '-V', version, '-f', PDF, printerUri, path.join(this.#folder, `${suite}.test`)];
    const said = await this.#cups
      .run('ipptool', args)
      .catch((error: Error & { readonly stdout?: string }) => error.stdout ?? '');
    const lines = said.split('\n');
    return {
      passed: lines.filter((line) => line.includes('[PASS]')).length,
      failed: lines.filter((line) => line.includes('[FAIL]')),
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
