/**
 * platen/vitest: a workbench for each worker of vitest, an account of its own for each test, and matchers.
 *
 *   worker ── workbench (one service, one clock)
 *     ├─ test ── platen: account and room of its own, deleted afterwards
 *     └─ test ── platen: …        beside the other, with nothing in common but the time
 */

import { expect, test as base, type TestAPI } from 'vitest';

import type { StartOptions } from './workbench/workbench.ts';
import { WorkbenchScale } from './workbench/library/workbench-devices.ts';
import { Job } from './workbench/library/workbench-jobs.ts';
import type { Platen } from './workbench/library/platen.ts';
import { start, type StartedPlaten } from './workbench/start.ts';
import { gramsOf } from './workbench/library/weight.ts';

/** How the workbench of a worker is started; the room is that of each test. */
export type WorkbenchOptions = Pick<StartOptions, 'clock' | 'limits' | 'seed' | 'room'>;

/** What a test is given. */
export interface PlatenFixtures {
  /** An account of the workbench with a room of its own; what your app needs is `platen.url` and `platen.apiKey`. */
  readonly platen: Platen;
  /** The workbench of the worker, which its tests share. */
  readonly platenWorkbench: StartedPlaten;
  readonly platenOptions: WorkbenchOptions;
}

/** Tests should not wait; a test of the request rate asks for `limits`. */
const DEFAULT_OPTIONS: WorkbenchOptions = { clock: 'virtual', limits: 'off', room: 'default' };

/** A `test` with these options for its workbenches; by default a virtual clock, and requests are not counted. */
export function platenTest(options: WorkbenchOptions = {}): TestAPI<PlatenFixtures> {
  return base.extend<PlatenFixtures>({
    platenOptions: [{ ...DEFAULT_OPTIONS, ...options }, { scope: 'worker' }],
    platenWorkbench: [
      async ({ platenOptions }, use) => {
        await using workbench = await start({ ...platenOptions, port: 0, room: 'none' });
        await use(workbench);
      },
      { scope: 'worker' },
    ],
    platen: async ({ platenWorkbench, platenOptions }, use) => {
      await using account = await platenWorkbench.accounts.create({ room: platenOptions.room ?? 'default' });
      await use(account);
    },
  });
}

/** A `test` with these fixtures. */
export const test: TestAPI<PlatenFixtures> = platenTest();
export { expect };

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

const matchers = {
  toHaveState(received: unknown, state: string): MatcherResult {
    const job = stateful(received, 'toHaveState');
    const pass = job.state === state;
    const path = 'timeline' in job ? `\n${pathOf(job)}` : '';
    const what = `job ${job.id} (${job.title ?? 'no title'}) is ${job.state}`;
    return { pass, message: () => (pass ? `${what}, and should not be` : `${what}, not ${state}${path}`) };
  },

  toHaveSheets(received: unknown, count: number): MatcherResult {
    const job = printed(received, 'toHaveSheets');
    const pass = job.sheets.length === count;
    const what = `${sheets(job.sheets.length)} came out of ${job.printer.name} for job ${job.id}`;
    const asked = `it asked for ${JSON.stringify(job.options.asked)}, of which ${ignoredOf(job)} had no effect`;
    return {
      pass,
      message: () => (pass ? `${what}, and should not have` : `${what}, not ${count}; ${asked}\n${pathOf(job)}`),
    };
  },

  async toHavePrinted(received: unknown, text?: string | RegExp): Promise<MatcherResult> {
    const job = printed(received, 'toHavePrinted');
    const isOut = job.printouts.some(({ complete }) => complete);
    if (text === undefined || !isOut) {
      const what = `of job ${job.id} ${isOut ? 'something' : 'nothing'} has come out of ${job.printer.name}`;
      return { pass: isOut, message: () => `${what}\n${pathOf(job)}` };
    }
    const onPaper = await job.text();
    const pass = text instanceof RegExp ? onPaper.search(text) !== -1 : onPaper.includes(text);
    const wanted = text instanceof RegExp ? String(text) : JSON.stringify(text);
    const message = `${pass ? '' : 'no '}${wanted} is on the sheets of job ${job.id}, which say:\n${onPaper}`;
    return { pass, message: () => message };
  },

  async toWeigh(received: unknown, weight: string | number): Promise<MatcherResult> {
    if (!(received instanceof WorkbenchScale)) throw new TypeError('toWeigh wants a scale: platen.scale(NAME)');
    const { massText } = await received.settled();
    const shownGrams = /\d/.test(massText) ? gramsOf(massText) : undefined;
    const grams = gramsOf(weight);
    const pass = shownGrams !== undefined && Math.abs(shownGrams - grams) <= toleranceOf(grams);
    const what = `scale '${received.deviceName}' shows ${massText || 'nothing: it is off'}`;
    return {
      pass,
      message: () => (pass ? `${what}, and should not` : `${what}, not ${weight} (give or take 1 %, or 1 g)`),
    };
  },
};

expect.extend(matchers);

declare module 'vitest' {
  interface Matchers<R, T> {
    /** That a job is in this state; the message shows how it got there. */
    toHaveState(state: string): R;
    /** That this number of sheets of paper came out for a job. */
    toHaveSheets(count: number): R;
    /** That a job has come out, with this text on its sheets where one is given. Wants `await`. */
    toHavePrinted(text?: string | RegExp): Promise<void>;
    /** That a scale shows this weight once it is at rest, give or take one percent or a gram. Wants `await`. */
    toWeigh(weight: string | number): Promise<void>;
  }
}

interface Stateful {
  readonly id: number;
  readonly title: string | null;
  readonly state: string;
}

/** Jobs of a list have a state as well. */
function stateful(received: unknown, matcher: string): Job | Stateful {
  if (received instanceof Job) return received;
  const isStateful = typeof received === 'object' && received !== null && 'state' in received;
  if (isStateful && 'id' in received) return received as Stateful;
  throw new TypeError(`${matcher} wants a job: await platen.jobs.wait(…)`);
}

function printed(received: unknown, matcher: string): Job {
  if (received instanceof Job) return received;
  throw new TypeError(`${matcher} wants a job as platen.jobs.wait and platen.jobs.get give it`);
}

/** What happened to a job, a line each. */
function pathOf({ timeline }: Pick<Job, 'timeline'>): string {
  return timeline
    .map(({ ageMs, state, message }) => `  ${ageMs} ms  ${[state, message].filter(Boolean).join(': ')}`)
    .join('\n');
}

function ignoredOf({ options: { ignored } }: Job): string {
  const reasons = Object.entries(ignored).map(([option, reason]) => `${option} (${reason})`);
  return reasons.join(', ') || 'none';
}

function sheets(count: number): string {
  return `${count} sheet${count === 1 ? '' : 's'}`;
}

/** Scales show steps of their display. */
function toleranceOf(grams: number): number {
  return Math.max(1, grams * 0.01);
}
