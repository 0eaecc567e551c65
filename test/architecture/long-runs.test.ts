/** Benchmarks and proofs say how they are run: `npm run prove NAME -- --help` shows the head of the file. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { headOf, LONG_RUN_FILES } from '../long-runs.ts';
import { PROJECT } from '../support/command-line.ts';

/** `options: { rounds: { type: 'string' } }` of parseArgs. */
const OPTION = /(?<=[\s{])'?([a-z][a-zA-Z-]*)'?: \{ type: '(?:string|boolean)'/g;

it.each(LONG_RUN_FILES)('%s names each of its options in its head', (file) => {
  const whole = path.join(PROJECT, 'test', file);
  const options = [...readFileSync(whole, 'utf8').matchAll(OPTION)].map(([, option]) => option);
  const head = headOf(whole);
  expect(head).not.toBe('');
  expect(options.filter((option) => !head.includes(`--${option}`))).toEqual([]);
});

it('shows the usage of a proof instead of running it', () => {
  const run = spawnSync(process.execPath, [path.join(PROJECT, 'test/long-runs.ts'), 'prove', 'crash', '--help']);
  expect(run.status).toBe(0);
  expect(run.stdout.toString()).toMatch(/^npm run prove crash \[-- OPTIONS\]: .*--rounds 200/s);
});
