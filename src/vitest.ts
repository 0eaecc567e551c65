/**
 * platen/vitest: a workbench for each worker of vitest, an account of its own for each test, and matchers.
 *
 *   worker ── workbench (one service, one clock)
 *     ├─ test ── platen: account and room of its own, deleted afterwards
 *     └─ test ── platen: …        beside the other, with nothing in common but the time
 */

import { expect as vitestExpect, test as base, type ExpectStatic, type TestAPI } from 'vitest';

import { startForTests, type WorkbenchOptions } from './testing/test-workbench.ts';
import { MATCHERS, type MatcherContext } from './testing/matchers.ts';
import type { ExpectOfPlaten } from './testing/expect-types.ts';
import { refuseForgotten, watched, type Unanswered } from './testing/shared-workbench.ts';
import { addToMessage, forgetResults, keepJobs } from './testing/test-results.ts';
import type { Platen } from './workbench/library/platen.ts';
import type { StartedPlaten } from './workbench/start.ts';

export type { WorkbenchOptions } from './testing/test-workbench.ts';
export type { SheetMatchOptions } from './testing/matchers.ts';

/** What a test is given. */
export interface PlatenFixtures {
  /** An account of the workbench with a room of its own; what your app needs is `platen.url` and `platen.apiKey`. */
  readonly platen: Platen;
  /** The workbench of the worker, which its tests share. */
  readonly platenWorkbench: StartedPlaten;
  readonly platenOptions: WorkbenchOptions;
}

/** A `test` with these options for its workbenches; by default a virtual clock, and requests are not counted. */
export function platenTest(options: WorkbenchOptions = {}): TestAPI<PlatenFixtures> {
  return base.extend<PlatenFixtures>({
    platenOptions: [options, { scope: 'worker' }],
    platenWorkbench: [
      async ({ platenOptions }, use) => {
        await using workbench = await startForTests(platenOptions);
        await use(workbench);
      },
      { scope: 'worker' },
    ],
    platen: async ({ platenWorkbench, platenOptions, task }, use) => {
      await using account = await platenWorkbench.accounts.create({ room: platenOptions.room ?? 'default' });
      const place = { file: task.file.filepath, name: nameOf(task) };
      forgetResults(place);
      await use(account);
      const errors = task.fails ? [] : (task.result?.errors ?? []);
      const kept = errors.length > 0 && (await keepJobs(account, place));
      if (kept) addToMessage(errors.at(-1), kept);
      // When tests run at the same time, vitest does not tell which one called a matcher.
      if (task.concurrent !== true) await refuseForgotten(unansweredIn(place.name));
    },
  });
}

/** A test or a suite of vitest. */
interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

function nameOf({ name, suite }: Named): string {
  return suite === undefined ? name : `${nameOf(suite)} > ${name}`;
}

/** A `test` with these fixtures. */
export const test: TestAPI<PlatenFixtures> = platenTest();

const unanswered = new Map<string, Unanswered>();

function unansweredIn(testName: string): Unanswered {
  const known = unanswered.get(testName) ?? new Map<Promise<unknown>, string>();
  unanswered.set(testName, known);
  return known;
}

vitestExpect.extend(
  watched(MATCHERS, (context) => {
    const { currentTestName } = context as MatcherContext;
    return currentTestName === undefined ? undefined : unansweredIn(currentTestName);
  }),
);

/** The `expect` of vitest, which knows jobs and scales. */
export const expect: ExpectOfPlaten<ExpectStatic> = vitestExpect as ExpectOfPlaten<ExpectStatic>;
