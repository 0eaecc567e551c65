/**
 * Shared workbench: what tests of a file share in runners without fixtures: a workbench from the first test that
 * needs it, and an account of its own for each test.
 */

import { AsyncLocalStorage } from 'node:async_hooks';

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

const current = new AsyncLocalStorage<TestPlace>();

/** The test that runs now; undefined outside of one. */
export function currentTest(): TestPlace | undefined {
  return current.getStore();
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

  /** Runs a test; when it fails, keeps its jobs and says so in its error. */
  async run(place: TestPlace, body: TestBody): Promise<void> {
    const platenWorkbench = await this.start();
    await using platen = await platenWorkbench.accounts.create({ room: this.#options.room ?? 'default' });
    forgetResults(place);
    try {
      await current.run(place, async () => body({ platen, platenWorkbench }));
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
