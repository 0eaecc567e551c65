/**
 * Makes the build context of the image: the package as it is published, with what it needs to run and
 * nothing that it was made with.
 *
 *   npm pack ─► npm install the tarball ─► context/{Dockerfile, node_modules, work}
 *
 * The Dockerfile then only copies: it builds on any base that has Node, also one without npm or a shell.
 */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const IMAGE = fileURLToPath(new URL('./', import.meta.url));
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** Read by people and compilers, not by Node. */
const NOT_RUN = /\.(?:map|d\.[cm]?ts)$/;

/**
 * @param context - folder that is made anew
 * @param packed - the tarball, where there is one already
 */
function stageContext(context: string, packed?: string): void {
  rmSync(context, { recursive: true, force: true });
  mkdirSync(path.join(context, 'work'), { recursive: true });
  const tarball = packed ?? packInto(path.join(context, 'packed'));
  writeFileSync(path.join(context, 'package.json'), '{ "private": true }\n');
  const install = ['install', '--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline'];
  npm([...install, '--no-audit', '--no-fund', tarball], context);
  for (const name of ['packed', 'package.json', 'package-lock.json']) {
    rmSync(path.join(context, name), { recursive: true, force: true });
  }
  removeNotRun(path.join(context, 'node_modules'));
  copyFileSync(path.join(IMAGE, 'Dockerfile'), path.join(context, 'Dockerfile'));
}

function packInto(folder: string): string {
  mkdirSync(folder);
  npm(['pack', '--silent', '--pack-destination', folder], PROJECT);
  return path.join(folder, readdirSync(folder)[0] ?? '');
}

function npm(argv: readonly string[], cwd: string): void {
  execFileSync('npm', argv, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

function removeNotRun(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && NOT_RUN.test(entry.name)) rmSync(path.join(entry.parentPath, entry.name));
  }
}

const [context = path.join(IMAGE, 'context'), packed] = process.argv.slice(2);
stageContext(path.resolve(context), packed);
