import { configDefaults, defineConfig } from 'vitest/config';

import { summaryLineReporter } from './test/support/summary-line-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/architecture/planted/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 15_000,
    sequence: { shuffle: { files: false, tests: false } },
    // The last line that is printed belongs to the last reporter.
    reporters: ['default', summaryLineReporter],
  },
});
