/**
 * Summary line: ends a test run with `N passed, N failed`, for whoever reads only the last line.
 *
 * A file that cannot be loaded and an error outside any test count as one failure each: nothing that
 * goes wrong may leave the line looking green.
 */

import type { Reporter, TestModule } from 'vitest/node';

interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export const summaryLineReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const { passed, failed } = modules.map(tally).reduce(add, { passed: 0, failed: unhandledErrors.length });
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  },
};

function tally(module: TestModule): Tally {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const failed = states.filter((state) => state === 'failed').length;
  const brokenOutsideTests = failed === 0 && module.state() === 'failed';
  return {
    passed: states.filter((state) => state === 'passed').length,
    failed: brokenOutsideTests ? 1 : failed,
  };
}

function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}
