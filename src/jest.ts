/**
 * platen/jest: a workbench for each test file of jest, an account of its own for each test, and matchers.
 */

import { afterAll, beforeAll, expect as jestExpect, test as jestTest } from '@jest/globals';

import type { ExpectOfPlaten } from './testing/expect-types.ts';
import { MATCHERS } from './testing/matchers.ts';
import { SharedWorkbench, watched, type TestBody } from './testing/shared-workbench.ts';
import type { WorkbenchOptions } from './testing/test-workbench.ts';

export type { SheetMatchOptions } from './testing/matchers.ts';
export type { PlatenTestTools } from './testing/shared-workbench.ts';
export type { WorkbenchOptions } from './testing/test-workbench.ts';

/** On a machine that does much else meanwhile. */
const START_LIMIT_MS = 60_000;

export type RegisterTest = (name: string, body: TestBody, timeoutMs?: number) => void;

export interface PlatenTest extends RegisterTest {
  readonly only: RegisterTest;
  readonly skip: RegisterTest;
}

/** A `test` with these options for its workbench; by default a virtual clock, and requests are not counted. */
export function platenTest(options: WorkbenchOptions = {}): PlatenTest {
  const shared = new SharedWorkbench(options);
  afterAll(() => shared.close());
  const startBefore = once(() => beforeAll(() => shared.start().then(() => undefined), START_LIMIT_MS));
  const register =
    (test: RegisterPlain): RegisterTest =>
    (name, body, timeoutMs) => {
      startBefore();
      test(name, () => shared.run(currentPlace(), body), timeoutMs);
    };
  return Object.assign(register(jestTest), { only: register(jestTest.only), skip: register(jestTest.skip) });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

type RegisterPlain = (name: string, body: () => Promise<void>, timeoutMs?: number) => void;

function currentPlace(): { readonly file: string; readonly name: string } {
  const { testPath = '', currentTestName = '' } = jestExpect.getState();
  return { file: testPath, name: currentTestName };
}

/** A `test` with a virtual clock, where requests are not counted. */
export const test: PlatenTest = platenTest();

jestExpect.extend(watched(MATCHERS));

/** The `expect` of jest, which knows jobs and scales. */
export const expect: ExpectOfPlaten<typeof jestExpect> = jestExpect as ExpectOfPlaten<typeof jestExpect>;
