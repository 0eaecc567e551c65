/**
 * The lint rules bite: planted faults are found by name. A rule that was switched off, or a linter
 * that lost its type information, would otherwise look like clean code.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const planted = fileURLToPath(new URL('./planted/lint/', import.meta.url));

let folder: string;

beforeAll(() => {
  // Outside the project, because the project's own run leaves the planted files out.
  folder = mkdtempSync(path.join(tmpdir(), 'platen-lint-'));
  cpSync(planted, folder, { recursive: true });
  writeFileSync(path.join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['floating-promise.ts', 'no-floating-promises'],
  ['shortcuts.ts', 'no-non-null-assertion'],
  ['shortcuts.ts', 'no-explicit-any'],
  ['shortcuts.ts', 'no-default-export'],
  ['own-clock.ts', 'no-restricted-globals'],
  ['own-clock.ts', 'no-restricted-properties'],
  ['own-output.ts', 'no-restricted-properties'],
])('finds in %s what %s forbids', (file, rule) => {
  const { status, findings } = lint(file);
  expect(findings).toContain(rule);
  expect(status).not.toBe(0);
});

function lint(file: string): { status: number | null; findings: string } {
  const run = spawnSync(
    path.join(root, 'node_modules/.bin/oxlint'),
    ['--type-aware', '--config', path.join(root, '.oxlintrc.json'), path.join(folder, file)],
    { cwd: root, encoding: 'utf8', timeout: 15_000 },
  );
  return { status: run.status, findings: `${run.stdout}${run.stderr}` };
}
