/**
 * The scenarios of an operating system: each passes through an unmodified CUPS, and fails when it expects something else.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

import { loadScenarios, type ScenarioFile } from '../../src/scenario/format/find-scenarios.ts';
import { readScenario } from '../../src/scenario/format/read-scenario.ts';
import { runScenarios, type PlayedScenario } from '../../src/scenario/play/run-scenarios.ts';
import { embeddedTarget } from '../../src/targets/embedded.ts';
import { PROJECT } from '../support/command-line.ts';

const FOLDER = path.join(PROJECT, 'scenarios/operating-system');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

async function played(file: ScenarioFile): Promise<PlayedScenario> {
  const { played: all } = await runScenarios([file], {
    venue: { kind: 'own', open: embeddedTarget },
    keep: (name) => name,
  });
  const [only] = all;
  if (!only) throw new Error('it was not played');
  return only;
}

// Each has a CUPS of its own, and waits more than it works. When CUPS gives a broken job up is its own affair: on a
// machine that is busy the one beside a good one may be over by then, so each may be tried once more.
describe.concurrent('a scenario of an operating system', { tags: ['print-system'], timeout: 120_000, retry: 1 }, () => {
  it.each(FILES)('passes: %s', async (name) => {
    const [file] = await loadScenarios(path.join(FOLDER, name));
    if (!file) throw new Error('there is no scenario in it');
    const { verdict, message } = await played(file);
    expect(`${verdict} ${message}`).toBe('pass ');
  });

  it.each(FILES)('fails when one printout more is expected: %s', async (name) => {
    const scenario = parse(readFileSync(path.join(FOLDER, name), 'utf8')) as Wanted;
    const [first] = Object.entries(scenario.expect.printers);
    if (!first) throw new Error(`${name} expects nothing of a printer`);
    const [printer, wanted] = first;
    const printers = { [printer]: { ...wanted, printouts: wanted.printouts + 1 } };
    const read = readScenario(stringify({ ...scenario, expect: { printers } }), FOLDER);
    if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.error)}`);
    const { verdict, message } = await played({ ...read.value, file: path.join(FOLDER, name) });
    expect(`${verdict} ${message}`).toMatch(new RegExp(`^fail printouts of ${printer}`));
  });
});

interface Wanted {
  readonly expect: { readonly printers: Readonly<Record<string, { readonly printouts: number }>> };
}
