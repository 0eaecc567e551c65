/**
 * The last lines of a test run: what was not tested because a part of the machine is missing, which tests passed only
 * when they were tried again, and `N passed, N failed`.
 *
 * A file that cannot be loaded and an error outside any test count as one failure each: nothing that goes wrong may
 * leave the last line looking green.
 */

import type { Reporter, TestModule } from 'vitest/node';

import type { MachinePart } from './machine-parts.ts';

interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** @param missing - parts of this machine that are not there */
export function summaryReporter(missing: readonly MachinePart[]): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      for (const part of missing) process.stdout.write(notTested(part, modules));
      for (const line of flakyTests(modules)) process.stdout.write(`FLAKY: ${line}\n`);
      const none = { passed: 0, failed: unhandledErrors.length };
      const { passed, failed } = modules.map(tally).reduce(add, none);
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    },
  };
}

function notTested({ tag, covers, install }: MachinePart, modules: readonly TestModule[]): string {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = tests.filter(({ tags }) => tags.includes(tag)).length;
  return count === 0
    ? ''
    : `NOT TESTED: ${covers} (${count} tests), because this machine has no ${tag.replaceAll('-', ' ')}: ${install}\n`;
}

/** Each with what went wrong at first. */
function flakyTests(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [...module.children.allTests()]
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => `${module.relativeModuleId} > ${test.fullName}: ${test.result().errors?.[0]?.message}`),
  );
}

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
