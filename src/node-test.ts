/**
 * platen/node-test: a workbench for each test file of node:test, an account of its own for each test, and matchers.
 */

import { AssertionError } from 'node:assert';
import { after, test as nodeTest } from 'node:test';

import { keysOf } from './common/keys-of.ts';
import { meantOrAll } from './common/nearest-name.ts';
import type { ExpectOfJobs } from './testing/expect-types.ts';
import { MATCHERS, UPDATE_VARIABLE, type MatcherContext, type MatcherResult } from './testing/matchers.ts';
import { currentTest, SharedWorkbench, watch, type TestBody } from './testing/shared-workbench.ts';
import type { WorkbenchOptions } from './testing/test-workbench.ts';

export type { SheetMatchOptions } from './testing/matchers.ts';
export type { PlatenTestTools } from './testing/shared-workbench.ts';
export type { WorkbenchOptions } from './testing/test-workbench.ts';

export type RegisterTest = (name: string, body: TestBody) => Promise<void>;

export interface PlatenTest extends RegisterTest {
  readonly only: RegisterTest;
  readonly skip: RegisterTest;
}

/** A `test` with these options for its workbench; by default a virtual clock, and requests are not counted. */
export function platenTest(options: WorkbenchOptions = {}): PlatenTest {
  const shared = new SharedWorkbench(options);
  after(() => shared.close());
  const register =
    (settings: { readonly only?: boolean; readonly skip?: boolean }): RegisterTest =>
    (name, body) =>
      nodeTest(name, settings, ({ fullName, filePath }) =>
        shared.run({ file: filePath ?? process.argv[1] ?? '', name: fullName }, body),
      );
  return Object.assign(register({}), { only: register({ only: true }), skip: register({ skip: true }) });
}

/** A `test` with a virtual clock, where requests are not counted. */
export const test: PlatenTest = platenTest();

/** What a test says of a job or a scale; what it says of other values is for node:assert. */
export const expect = ((actual: unknown) =>
  onlyThese({
    ...assertions(actual, false),
    not: onlyThese(assertions(actual, true)),
  })) as ExpectOfJobs<() => unknown>;

type Assertion = (...given: never[]) => Promise<void> | void;

function assertions(actual: unknown, isNot: boolean): Readonly<Record<string, Assertion>> {
  const place = currentTest();
  const context: MatcherContext = {
    testPath: place?.file,
    currentTestName: place?.name,
    isNot,
    updateFlag: `${UPDATE_VARIABLE}=1`,
  };
  return Object.fromEntries(
    keysOf(MATCHERS).map((name) => {
      const matcher: (this: MatcherContext, ...given: never[]) => Outcome = MATCHERS[name];
      const assertion: Assertion = (...given) => judge(name, matcher.call(context, actual as never, ...given), isNot);
      return [name, assertion];
    }),
  );
}

/** Says of what the `expect` of another runner has what there is instead. */
function onlyThese<Assertions extends object>(those: Assertions): Assertions {
  return new Proxy(those, {
    get(target, name, receiver): unknown {
      if (typeof name === 'string' && !(name in target) && name !== 'then') {
        const hint = meantOrAll(name, Object.keys(target));
        throw new TypeError(`expect of platen/node-test has no ${name}; ${hint}; node:assert is for other values`);
      }
      return Reflect.get(target, name, receiver);
    },
  });
}

type Outcome = MatcherResult | Promise<MatcherResult>;

function judge(name: string, outcome: Outcome, isNot: boolean): Promise<void> | void {
  if (!(outcome instanceof Promise)) {
    ensureHolds(outcome, isNot);
    return;
  }
  const judged = outcome.then((result) => ensureHolds(result, isNot));
  watch(name, outcome, judged);
  return judged;
}

function ensureHolds(outcome: MatcherResult, isNot: boolean): void {
  if (outcome.pass === isNot) throw new AssertionError({ message: outcome.message() });
}
