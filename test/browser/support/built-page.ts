/**
 * The page as it was last built. Tests of a page that is older than its sources would say nothing.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { soon } from '../../support/soon.ts';

const SOURCES = ['dashboard', 'record', 'report/draw', 'report/view'].map((folder) =>
  fileURLToPath(new URL(`../../../src/${folder}/`, import.meta.url)),
);
const BUILT = fileURLToPath(new URL('../../../dist/dashboard/', import.meta.url));

/** Resolves when a workbench serves the page; another test may be building it at this moment. @throws WaitExpired */
export async function pageServed(url: string): Promise<void> {
  await soon(
    'the page, built from its present sources (npm run page)',
    '100s',
    async () => {
      const answer = await fetch(`${url}/_platen/`, { headers: { accept: 'text/html' } });
      return answer.status === 200 && isFresh() ? true : undefined;
    },
    { every: '250ms' },
  );
}

/** Compressed bytes of all scripts and styles. */
export function bundleBytes(): number {
  return filesIn(BUILT)
    .filter((file) => /\.(?:js|css)$/.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
}

/** What the page names that is not its own. */
export function foreignAddresses(): string[] {
  return filesIn(BUILT).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/https?:\/\/[^\s"'`)<]+/g)].map(([address]) => address),
  );
}

function isFresh(): boolean {
  const builtMs = statSync(path.join(BUILT, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.flatMap(filesIn).every((file) => statSync(file).mtimeMs <= builtMs);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
}
