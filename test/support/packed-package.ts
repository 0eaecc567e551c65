/**
 * The package as it is published, packed once for all files of a test run: the first that asks packs it, which also
 * builds dist/ and the page in it.
 */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

import { inject } from 'vitest';

import { run } from './command-line.ts';
import { soon } from './soon.ts';

/** A build takes a minute and more while other tests keep the processor busy. */
const LIMIT = '4m';

/** Gives the path of the tarball. @throws what npm says if it cannot be packed */
export function packedPackage(): Promise<string> {
  const packed = path.join(inject('runFolder'), 'packed');
  const packing = path.join(inject('runFolder'), 'packing');
  return soon(
    'the packed package, which another file of tests makes',
    LIMIT,
    async () => {
      if (!existsSync(packed)) {
        if (!isMadeHere(packing)) return undefined;
        const { code, stderr } = await run('npm', ['pack', '--pack-destination', packing], { limit: LIMIT });
        if (code !== 0) {
          rmSync(packing, { recursive: true });
          throw new Error(stderr);
        }
        renameSync(packing, packed);
      }
      return path.join(packed, readdirSync(packed)[0] ?? '');
    },
    { every: '100ms' },
  );
}

/** Whether the folder was not there; of several processes, one makes it. */
function isMadeHere(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
