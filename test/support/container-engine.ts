/**
 * A container engine for tests, and the image of platen in it.
 *
 * No registry is asked: the base of the image is a root file system of this Node and its libraries.
 */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { PROJECT } from './command-line.ts';

/** Named for this process: tests of another checkout may run beside. */
export const BASE = `platen-test-base-${process.pid}`;
export const IMAGE = `platen-test-image-${process.pid}`;

/** Builds the image from this checkout, as `npm run image` does. */
export function buildImage(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-image-'));
  try {
    importBase(path.join(folder, 'base'));
    const context = path.join(folder, 'context');
    execFileSync(process.execPath, [path.join(PROJECT, 'deploy/image/stage-context.ts'), context]);
    docker(['build', '--quiet', '--build-arg', `BASE=${BASE}`, '--tag', IMAGE, context]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function removeImage(): void {
  docker(['rmi', '--force', IMAGE, BASE]);
}

/** Node and what it is linked against, and nothing else: no shell either. */
function importBase(root: string): void {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  const files = new Map([[process.execPath, '/bin/node']]);
  for (const [file] of libraries.matchAll(/\/\S+/g)) files.set(file, file);
  for (const [from, to] of files) {
    const copy = path.join(root, to);
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(from, copy);
  }
  mkdirSync(path.join(root, 'tmp'), { mode: 0o1777 });
  const archive = `${root}.tar`;
  execFileSync('tar', ['-C', root, '-cf', archive, '.']);
  docker(['import', '--change', 'ENV PATH=/bin', archive, BASE]);
}

/** Containers there are, also those that have ended, of an image or with an exposed port. */
export function containersWith(filter: `ancestor=${string}` | `expose=${number}`): readonly string[] {
  return docker(['ps', '--all', '--quiet', '--filter', filter]).split('\n').filter(Boolean);
}

function docker(argv: readonly string[]): string {
  return execFileSync('docker', argv, { encoding: 'utf8', stdio: 'pipe', timeout: 120_000 });
}
