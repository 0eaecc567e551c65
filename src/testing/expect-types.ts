/**
 * Expect types: the `expect` of a runner, which has more to say of what platen gives. Runners and their versions
 * name the types of their matchers differently, so this builds on nothing but the `expect` itself.
 */

import type { JobSummary } from '../record/control-types.ts';
import type { WorkbenchScale } from '../workbench/library/workbench-devices.ts';
import type { Job } from '../workbench/library/workbench-jobs.ts';
import type { WorkbenchPrintout } from '../workbench/library/workbench-printouts.ts';
import type { PlatenMatchers } from './matchers.ts';

type JobMatchers = Omit<PlatenMatchers, 'toWeigh'>;
type PrintoutMatchers = Pick<PlatenMatchers, 'toHavePrinted' | 'toMatchSheet'>;
type ScaleMatchers = Pick<PlatenMatchers, 'toWeigh'>;
type SummaryMatchers = Pick<PlatenMatchers, 'toHaveState'>;

type WithNot<Assertion, Matchers> = Assertion & Matchers & { readonly not: Matchers };

/** Each method answers a promise: what is waited for first may take a while. */
type Promised<Matchers> = {
  readonly [Name in keyof Matchers]: Matchers[Name] extends (...args: infer Args) => unknown
    ? (...args: Args) => Promise<void>
    : never;
};

type WithResolves<Assertion, Matchers> = Assertion & {
  readonly resolves: Promised<Matchers> & { readonly not: Promised<Matchers> };
};

type AnyExpect = (actual: never) => unknown;

export interface ExpectOfJobs<Expect extends AnyExpect> {
  (actual: Job | undefined, message?: string): WithNot<ReturnType<Expect>, JobMatchers>;
  (actual: WorkbenchPrintout | undefined, message?: string): WithNot<ReturnType<Expect>, PrintoutMatchers>;
  (actual: WorkbenchScale | undefined, message?: string): WithNot<ReturnType<Expect>, ScaleMatchers>;
  (actual: JobSummary | undefined, message?: string): WithNot<ReturnType<Expect>, SummaryMatchers>;
}

interface ExpectOfPromises<Expect extends AnyExpect> {
  (actual: Promise<Job>, message?: string): WithResolves<ReturnType<Expect>, JobMatchers>;
  (actual: Promise<WorkbenchPrintout>, message?: string): WithResolves<ReturnType<Expect>, PrintoutMatchers>;
}

/** @typeParam Expect - that of the runner, for all other values */
export type ExpectOfPlaten<Expect extends AnyExpect> = ExpectOfJobs<Expect> & ExpectOfPromises<Expect> & Expect;
