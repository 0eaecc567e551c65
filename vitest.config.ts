import { tmpdir } from 'node:os';
import path from 'node:path';

import { defineConfig, type ViteUserConfig } from 'vitest/config';

import { LongestFirst } from './test/support/longest-first.ts';
import { MACHINE_PARTS } from './test/support/machine-parts.ts';
import { summaryReporter } from './test/support/summary-reporter.ts';
import { filesOf, type Tier } from './test/tiers/tiers.ts';

type TestOptions = NonNullable<ViteUserConfig['test']>;

const missing = MACHINE_PARTS.filter((part) => !part.isThere());
const isCi = process.env['CI'] !== undefined;

export default defineConfig(({ mode }) => ({ test: testsOf(mode === 'rest' ? 'rest' : 'quick') }));

function testsOf(tier: Tier): TestOptions {
  return {
    ...filesOf(tier),
    tags: MACHINE_PARTS.map((part) => ({
      name: part.tag,
      description: part.covers,
      skip: tier === 'quick' || (missing.includes(part) && !isCi),
    })),
    globalSetup: 'test/support/run-folder.ts',
    pool: 'forks',
    // No test leaves state behind in a module, so a worker loads each module once.
    isolate: false,
    // Many tests wait for a program or a clock: four keep two cores busy.
    maxWorkers: 4,
    // Processes and threads that tests start compile each module once, all of them together. It is where bin/platen.js
    // keeps what it compiled.
    env: {
      NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'),
      PLATEN_TIER: tier,
    },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The machines of CI are slow and shared. What passes only then is named in the last lines, to be repaired.
    retry: isCi ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    // The last line that is printed belongs to the last reporter.
    reporters: ['default', summaryReporter(tier === 'rest' ? missing : [])],
  };
}
