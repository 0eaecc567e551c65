/**
 * The judges of a whole account say nothing against the reference service on the bad days that ship with platen.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { readScenario } from '../../src/scenario/format/read-scenario.ts';
import { runScenarios } from '../../src/scenario/play/run-scenarios.ts';
import { embeddedTarget } from '../../src/targets/embedded.ts';
import { PROJECT } from '../support/command-line.ts';

const FOLDER = path.join(PROJECT, 'scenarios/edge-cases');
const EXPECT = /^expect:( \{)?/m;

it('passes every edge case that expects a sound service as well', { timeout: 180_000 }, async () => {
  const files = readdirSync(FOLDER).map((name) => {
    const file = path.join(FOLDER, name);
    const text = readFileSync(file, 'utf8').replace(EXPECT, (_, brace) =>
      brace === undefined ? 'expect:\n  service: strict' : 'expect: { service: strict,',
    );
    const read = readScenario(text, FOLDER);
    if (!read.ok) throw new Error(`${name}: ${read.error[0]?.message}`);
    return { ...read.value, file };
  });
  const { played } = await runScenarios(files, {
    venue: { kind: 'own', open: embeddedTarget },
    keep: (name) => name,
  });
  const failed = played.filter(({ verdict }) => verdict !== 'pass').map(({ file, message }) => `${file}: ${message}`);
  expect(failed).toEqual([]);
});
