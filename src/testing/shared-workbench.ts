/**
 * Shared workbench: what tests of a file share in runners without fixtures: a workbench from the first test that
 * needs it, and an account of its own for each test.
 */

import { AsyncLocalStorage } from 'node:async_hooks';

import { usageError } from '../common/actionable-error.ts';
import { keysOf } from '../common/keys-of.ts';
import type { Platen } from '../workbench/library/platen.ts';
import type { StartedPlaten } from '../workbench/start.ts';
import { addToMessage, forgetResults, keepJobs, type TestPlace } from './test-results.ts';
import { startForTests, type WorkbenchOptions } from './test-workbench.ts';

/** What a test is given. */
export interface PlatenTestTools {
  /** An account of the workbench with a room of its own; what your app needs is `platen.url` and `platen.apiKey`. */
  readonly platen: Platen;
  /** The workbench, which the tests of a file share. */
  readonly platenWorkbench: StartedPlaten;
}

export type TestBody = (tools: PlatenTestTools) => Promise<void> | void;

/** Matchers of a test that have not answered yet, by what they will answer. */
export type Unanswered = Map<Promise<unknown>, string>;

interface RunningTest {
  readonly place: TestPlace;
  readonly unanswered: Unanswered;
}

const current = new AsyncLocalStorage<RunningTest>();

/** The test that runs now; undefined outside of one. */
export function currentTest(): TestPlace | undefined {
  return current.getStore()?.place;
}

/**
 * The same matchers, for a runner that does not see that a test forgot to wait for one.
 *
 * @param unansweredOf - those of the test that has called a matcher, by what the runner hands that as `this`
 */
export function watched<Matchers extends object>(
  matchers: Matchers,
  unansweredOf: (context: unknown) => Unanswered | undefined = () => current.getStore()?.unanswered,
): Matchers {
  const entries = keysOf(matchers).map((name) => {
    const matcher = matchers[name] as (...given: unknown[]) => unknown;
    return [
      name,
      function (this: unknown, ...given: unknown[]): unknown {
        const answer = matcher.apply(this, given);
        if (answer instanceof Promise) watch(name, answer, answer, unansweredOf(this));
        return answer;
      },
    ];
  });
  return Object.fromEntries(entries) as Matchers;
}

/** @param awaited - what the test has to wait for: the answer, or what is made of it */
export function watch(
  name: string,
  answer: Promise<unknown>,
  awaited: Promise<unknown>,
  unanswered: Unanswered | undefined = current.getStore()?.unanswered,
): void {
  const forget = (): boolean | undefined => unanswered?.delete(awaited);
  unanswered?.set(awaited, name);
  answer.then(forget, forget);
}

/** What is asked after a test has ended would be answered in another test, or in none. */
export async function refuseForgotten(unanswered: Unanswered): Promise<void> {
  const [name] = unanswered.values();
  if (name === undefined) return;
  await Promise.allSettled(unanswered.keys());
  throw new Error(`${name} was not awaited, so the test ended before it: write await expect(…).${name}(…)`);
}

export class SharedWorkbench {
  readonly #options: WorkbenchOptions;
  #started: Promise<StartedPlaten> | undefined;

  constructor(options: WorkbenchOptions) {
    this.#options = options;
  }

  /** Tests start it when they need it; before them, it does not count as a part of the first. */
  async start(): Promise<StartedPlaten> {
    this.#started ??= startForTests(this.#options);
    return this.#started;
  }

  /**
   * Runs a test; when it fails, keeps its jobs and says so in its error.
   *
   * @throws ActionableError when a test in JavaScript has no body
   */
  async run(place: TestPlace, body: TestBody): Promise<void> {
    if (typeof body !== 'function') {
      throw usageError(
        `a test wants a function as its second argument, not ${typeof body}`,
        'Write test(name, async ({ platen }) => { … }).',
      );
    }
    const platenWorkbench = await this.start();
    await using platen = await platenWorkbench.accounts.create({ room: this.#options.room ?? 'default' });
    forgetResults(place);
    const test: RunningTest = { place, unanswered: new Map() };
    try {
      await current.run(test, async () => body({ platen, platenWorkbench }));
      await refuseForgotten(test.unanswered);
    } catch (error) {
      const kept = await keepJobs(platen, place);
      if (kept !== undefined) addToMessage(error, kept);
      throw error;
    }
  }

  async close(): Promise<void> {
    await (await this.#started)?.close();
  }
}
