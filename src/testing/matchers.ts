/**
 * Matchers: what a test can say of jobs, sheets and scales, the same in every runner.
 *
 *   vitest, jest ─► expect.extend(MATCHERS)
 *   node:test ────► expect(…) of platen/node-test
 */

import path from 'node:path';

import { countOf } from '../common/count-of.ts';
import { inOneLine } from '../common/in-one-line.ts';
import type { JobSummary } from '../record/control-types.ts';
import { titleInWords } from '../record/title-words.ts';
import { WorkbenchScale } from '../workbench/library/workbench-devices.ts';
import { ensureJobState, Job, type JobState } from '../workbench/library/workbench-jobs.ts';
import { gramsOf } from '../workbench/library/weight.ts';
import { WorkbenchPrintout } from '../workbench/library/workbench-printouts.ts';
import { compareSheet, type Comparison, type SheetUpdate } from './sheet-comparison.ts';
import { resultsFolder, timelineOf } from './test-results.ts';

/** What a runner hands its matchers, as `this`. */
export interface MatcherContext {
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  readonly isNot?: boolean | undefined;
  readonly snapshotState?: unknown;
  /** How its user asks for new pictures; `-u` unless given. */
  readonly updateFlag?: string | undefined;
}

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

export interface SheetMatchOptions {
  /** Which of the sides that came out, from 1; the first unless given. */
  readonly side?: number | undefined;
  /** Share of the pixels that may differ, 0 to 1; 0 unless given. */
  readonly tolerance?: number | undefined;
}

/** What tests say. */
export interface PlatenMatchers {
  /** That a job is in this state; the message shows how it got there. */
  toHaveState(state: JobState): void;
  /** That this number of sheets of paper came out for a job. */
  toHaveSheets(count: number): void;
  /** That a job or a printout has come out, with this text on it where one is given. Wants `await`. */
  toHavePrinted(text?: string | RegExp): Promise<void>;
  /**
   * That a side of a job or a printout looks as in this PNG, a path from the folder of the test. Wants `await`. The PNG
   * is written by the first run, and again when the runner is asked to update; never where `CI` is set.
   */
  toMatchSheet(file: string, options?: SheetMatchOptions): Promise<void>;
  /** That a scale shows this weight once it is at rest, give or take one percent or a gram. Wants `await`. */
  toWeigh(weight: string | number): Promise<void>;
}

export const MATCHERS = {
  toHaveState(received: unknown, state: string): MatcherResult {
    const job = stateful(received, 'toHaveState');
    const pass = job.state === state;
    // With `not`, a misspelt one would fit every job. A client may report a state of its own.
    if (!pass) ensureJobState(state);
    const way = job instanceof Job ? `\n${timelineOf(job)}` : '';
    const what = `job ${job.id} (${titleInWords(job.title)}) is ${job.state}`;
    return { pass, message: () => (pass ? `${what}, and should not be` : `${what}, not ${state}${way}`) };
  },

  toHaveSheets(received: unknown, count: number): MatcherResult {
    const job = jobOf(received, 'toHaveSheets');
    const pass = job.sheets.length === count;
    const what = `${countOf(job.sheets.length, 'sheet')} came out of ${job.printer.name} for job ${job.id}`;
    return {
      pass,
      message: () => (pass ? `${what}, and should not have` : `${what}, not ${count}${reasonsOf(job)}`),
    };
  },

  async toHavePrinted(received: unknown, text?: string | RegExp): Promise<MatcherResult> {
    const paper = printed(received, 'toHavePrinted');
    const { called, isOut, printer, reasons } = paperOf(paper);
    if (text === undefined || !isOut) {
      const what = `${isOut ? 'something' : 'nothing'} of ${called} has come out of ${printer}`;
      return { pass: isOut, message: () => `${what}${reasons()}` };
    }
    const onPaper = await paper.text();
    const pass = text instanceof RegExp ? onPaper.search(text) !== -1 : inOneLine(onPaper).includes(inOneLine(text));
    const wanted = text instanceof RegExp ? String(text) : JSON.stringify(text);
    const message = `${pass ? '' : 'no '}${wanted} is on the sheets of ${called}, which say:\n${onPaper}`;
    return { pass, message: () => message };
  },

  async toMatchSheet(
    this: MatcherContext,
    received: unknown,
    file: string,
    { side = 1, tolerance = 0 }: SheetMatchOptions = {},
  ): Promise<MatcherResult> {
    const paper = printed(received, 'toMatchSheet');
    // In percent, it would pass whatever came out.
    if (tolerance < 0 || tolerance > 1) throw new RangeError(`a tolerance is a share from 0 to 1, not ${tolerance}`);
    if (!file.endsWith('.png')) throw new TypeError(`toMatchSheet wants the name of a PNG, not '${file}'`);
    const { called, reasons } = paperOf(paper);
    const what = `side ${side} of ${called} (${titleInWords(paper.title)})`;
    if (side > paper.sides) return { pass: this.isNot === true, message: () => `${what} is not out${reasons()}` };
    const place = { file: this.testPath ?? '', name: this.currentTestName ?? '' };
    const expectedFile = path.join(path.dirname(place.file), file);
    const update = this.isNot ? 'none' : sheetUpdate(this);
    const actual = await paper.png(side);
    const compared = await compareSheet({ actual, expectedFile, tolerance, update, folder: resultsFolder(place) });
    const shown = path.relative('', expectedFile);
    return {
      pass: compared.is === 'same' || compared.is === 'wrote',
      message: () => `${what} ${comparisonMessage(compared, shown, this.updateFlag ?? '-u')}`,
    };
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

/** Asks for new pictures of sheets in any runner. */
export const UPDATE_VARIABLE = 'PLATEN_UPDATE_SHEETS';

function sheetUpdate({ snapshotState }: MatcherContext): SheetUpdate {
  const { CI: ci = '', [UPDATE_VARIABLE]: asked = '' } = process.env;
  if (!['', '0', 'false'].includes(ci)) return 'none';
  if (asked !== '') return 'all';
  // vitest and jest keep what their user asked for under the same name.
  const isKept = typeof snapshotState === 'object' && snapshotState !== null;
  const mode: unknown = isKept ? Reflect.get(snapshotState, '_updateSnapshot') : undefined;
  return mode === 'all' || mode === 'none' ? mode : 'missing';
}

function comparisonMessage(compared: Comparison, file: string, updateFlag: string): string {
  if (compared.is === 'missing') return `has no picture to compare with: ${file} does not exist, and CI writes none`;
  if (compared.is !== 'different') return `looks as in ${file}, and should not`;
  const [expected, actual, difference] = compared.pictures;
  return [
    `does not look as in ${file}: ${compared.how}`,
    `  expected    ${expected}`,
    `  actual      ${actual}`,
    `  difference  ${difference}`,
    `If the sheet is as it should be, run the test with ${updateFlag}.`,
  ].join('\n');
}

/** What a test may hold of a job: all of it, or a line of a list. */
type Stateful = Pick<JobSummary, 'id' | 'title' | 'state'>;

function stateful(received: unknown, matcher: string): Stateful {
  if (received instanceof Job) return received;
  const isStateful = typeof received === 'object' && received !== null && 'state' in received;
  if (isStateful && 'id' in received) return received as Stateful;
  throw unfit(received, `${matcher} wants a job: await platen.jobs.wait(…)`);
}

const A_JOB = 'a job from platen.print, platen.jobs.wait or platen.jobs.get';

function jobOf(received: unknown, matcher: string): Job {
  if (received instanceof Job) return received;
  throw unfit(received, `${matcher} wants ${A_JOB}`);
}

function printed(received: unknown, matcher: string): Job | WorkbenchPrintout {
  if (received instanceof Job || received instanceof WorkbenchPrintout) return received;
  throw unfit(received, `${matcher} wants ${A_JOB}, or a printout from platen.printouts.wait`);
}

/** What has come out, however it came to the printer. */
interface Paper {
  readonly called: string;
  readonly isOut: boolean;
  readonly printer: string;
  /** Why it is not what the test expects. */
  readonly reasons: () => string;
}

function paperOf(paper: Job | WorkbenchPrintout): Paper {
  const { called } = paper;
  if (paper instanceof WorkbenchPrintout) {
    return { called, isOut: paper.complete, printer: paper.printer, reasons: () => '' };
  }
  const isOut = paper.printouts.some(({ complete }) => complete);
  return { called, isOut, printer: paper.printer.name, reasons: () => reasonsOf(paper) };
}

function unfit(received: unknown, complaint: string): TypeError {
  // A promise that is not awaited fails when the test ends, and would hide this error.
  if (received instanceof Promise) received.catch(() => undefined);
  return new TypeError(complaint);
}

/** Why the paper of a job is not what its test expects: what is still to come, what has no effect, its way. */
function reasonsOf(job: Job): string {
  const blank = job.printouts.find(({ raw }) => raw?.notDrawn)?.raw?.notDrawn;
  const undrawn = blank === undefined ? '' : `\n  not drawn: ${blank}`;
  const ignored = Object.entries(job.options.ignored).map(([option, reason]) => `\n  option ${option}: ${reason}`);
  return `${job.paperToCome === undefined ? '' : `: ${job.paperToCome}`}${undrawn}${ignored.join('')}\n${timelineOf(job)}`;
}

/** Scales show steps of their display. */
function toleranceOf(grams: number): number {
  return Math.max(1, grams * 0.01);
}
