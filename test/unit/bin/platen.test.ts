import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../../bin/', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-bin-'));
  cpSync(bin, path.join(folder, 'bin'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['the package', 'dist', '20.20.2', '22.22', 'npm install --save-dev node@24'],
  ['a checkout', 'src', '22.23.0', '24.0', 'npm ci'],
])('says in %s on too old a Node which one it needs and how to get it', (_where, tree, old, needed, remedy) => {
  addMain(`${tree}/cli/main.${tree === 'src' ? 'ts' : 'js'}`, tree);
  const pretendOld = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${old}' } })`;
  const run = platen(['--import', pretendOld], []);
  expect(run.stderr).toContain(`platen needs Node ${needed} or newer`);
  expect(run.stderr).toContain(remedy);
  expect(run.status).toBe(70);
});

it('runs the sources in a checkout, built or not', () => {
  addMain('src/cli/main.ts', 'sources');
  addMain('dist/cli/main.js', 'build');
  expect(platen([], []).stdout).toBe('sources\n');
});

it('runs the build in a package without sources', () => {
  addMain('dist/cli/main.js', 'build');
  expect(platen([], []).stdout).toBe('build\n');
});

it('hands the arguments over and exits with the code of the command', () => {
  addMain('dist/cli/main.js', 'build');
  expect(platen([], ['one', 'two', 'three']).status).toBe(3);
});

/** A stand-in for the command line: says which one it is and returns the number of arguments. */
function addMain(file: string, name: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(
    path.join(folder, file),
    `export async function main(argv) { console.log('${name}'); return argv.length; }`,
  );
}

function platen(nodeArguments: string[], argv: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [...nodeArguments, path.join(folder, 'bin/platen.js'), ...argv], {
    encoding: 'utf8',
    timeout: 10_000,
  });
}
