import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { loadScenarios } from '../../../../src/scenario/format/find-scenarios.ts';

const SCENARIO = `
title: A quiet day
why: Nothing at all happens on it.
room: { computers: [{ name: DESK }] }
steps: [{ advance: 1s }]
expect: { computers: { DESK: connected } }
`;

it('follows links to files, and none to folders: one may lead to a folder above', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-scenarios-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'b.yaml'), SCENARIO);
  symlinkSync('b.yaml', path.join(folder, 'linked.yaml'));
  symlinkSync('.', path.join(folder, 'up'));
  expect((await loadScenarios(folder)).map(({ file }) => path.basename(file))).toEqual(['b.yaml', 'linked.yaml']);
});

it('finds the scenarios of a folder and below it, and none of installed packages or hidden folders', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-scenarios-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = ['b.yaml', 'more/a.yml'].map((file) => path.join(folder, file));
  const others = ['node_modules/tool/c.yaml', '.github/ci.yml', 'more/.hidden.yaml'];
  for (const file of [...own, ...others.map((name) => path.join(folder, name))]) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, SCENARIO);
  }
  expect((await loadScenarios(folder)).map(({ file }) => file)).toEqual(own);
});

it('reads no scenario of a folder that is a link to elsewhere, unless it is allowed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-scenarios-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [own, elsewhere] = [path.join(folder, 'own'), path.join(folder, 'elsewhere')];
  for (const one of [own, elsewhere]) mkdirSync(one);
  writeFileSync(path.join(elsewhere, 'a.yaml'), SCENARIO);
  symlinkSync(path.join(elsewhere, 'a.yaml'), path.join(own, 'a.yaml'));
  await expect(loadScenarios(own)).rejects.toThrow(`--allow-files ${elsewhere}`);
  expect(await loadScenarios(own, [elsewhere])).toHaveLength(1);
});
