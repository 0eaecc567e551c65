/**
 * The scenarios that ship with platen: all of them pass, quickly, and none of them could not fail.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { loadScenarios, type ScenarioFile } from '../../src/scenario/format/find-scenarios.ts';
import { readScenario } from '../../src/scenario/format/read-scenario.ts';
import { runScenarios, type ScenarioRun } from '../../src/scenario/play/run-scenarios.ts';
import { embeddedTarget } from '../../src/targets/embedded.ts';
import { PROJECT } from '../support/command-line.ts';

const FOLDER = path.join(PROJECT, 'scenarios/edge-cases');
const MODELINE = '# yaml-language-server: $schema=../scenario.schema.json\n';

function run(files: readonly ScenarioFile[]): Promise<ScenarioRun> {
  return runScenarios(files, {
    venue: { kind: 'own', open: embeddedTarget },
    keep: (name) => name,
  });
}

it('plays all of them green in under thirty seconds', { timeout: 60_000 }, async () => {
  const elapsedMs = startStopwatch();
  const { played } = await run(await loadScenarios(FOLDER));
  expect(played.filter(({ verdict }) => verdict !== 'pass').map(({ file, message }) => `${file}: ${message}`)).toEqual(
    [],
  );
  expect(played.length).toBeGreaterThanOrEqual(30);
  expect(elapsedMs()).toBeLessThan(30_000);
});

it('begins each with the line that names the schema for editors', () => {
  const texts = readdirSync(FOLDER).map((name) => readFileSync(path.join(FOLDER, name), 'utf8'));
  expect(texts.filter((text) => !text.startsWith(MODELINE))).toEqual([]);
});

it('gives each a title of its own', async () => {
  const titles = (await loadScenarios(FOLDER)).map(({ scenario }) => scenario.title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

it('sees each of them fail when something else is expected', { timeout: 60_000 }, async () => {
  const turned = readdirSync(FOLDER).map((name): ScenarioFile => {
    const scenario = parse(readFileSync(path.join(FOLDER, name), 'utf8')) as { expect: object };
    const read = readScenario(stringify({ ...scenario, expect: withOneTurned(scenario.expect) }), FOLDER);
    if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.error)}`);
    return { ...read.value, file: name };
  });
  const { played } = await run(turned);
  expect(played.filter(({ verdict }) => verdict !== 'fail').map(({ file, verdict }) => `${file}: ${verdict}`)).toEqual(
    [],
  );
});

/** The same expectations, but the first one in them says something else. */
function withOneTurned(wanted: object): object {
  const [[key, value] = ['', undefined], ...rest] = Object.entries(wanted) as [string, unknown][];
  return Object.fromEntries([[key, turned(key, value)], ...rest]);
}

function turned(key: string, value: unknown): unknown {
  if (key === 'never') return ['new'];
  if (key === 'mass') return [1, 1];
  if (value === 'none') return { deviceNum: 0 };
  if (typeof value === 'number') return value + 1;
  // Far from the value: a state that looks like a misspelt one would be refused.
  if (typeof value === 'string') return `${value} and something else`;
  if (Array.isArray(value)) return [...value, typeof value[0] === 'number' ? 9 : 'x'];
  return withOneTurned(value as object);
}
