/**
 * Test results: what a test that fails leaves behind, in a folder of its own.
 *
 *   test-results/platen/shop-spec-prints-an-invoice/
 *     jobs.txt                 the timeline of each job
 *     7.pdf, 7-1.png …         its sheets; of what came by port 9100 raw.1.printer-1.1-1.png …
 *     invoice-expected.png     … -actual.png, -difference.png, of a sheet that is not as it should be
 */

import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { formatDuration } from '../common/duration.ts';
import { makeFolder } from '../common/folder.ts';
import { titleInWords } from '../record/title-words.ts';
import type { Job } from '../workbench/library/workbench-jobs.ts';
import type { WorkbenchPrintout } from '../workbench/library/workbench-printouts.ts';
import type { Platen } from '../workbench/library/platen.ts';

const RESULTS = path.join('test-results', 'platen');
/** File systems allow 255 bytes. */
const LONGEST_NAME = 120;
const HASH_DIGITS = 8;
/** The newest jobs; more of them explain nothing. */
const MOST_JOBS = 20;
/** More pictures of a job are of no use; its PDF has all sides. */
const MOST_PICTURES = 8;

/** A test by its file and its name, as its runner gives them. */
export interface TestPlace {
  readonly file: string;
  readonly name: string;
}

/** The folder of a test, as a path from the current folder. Two tests never share one. */
export function resultsFolder({ file, name }: TestPlace): string {
  const stem = path.relative('', file).replace(/(\.[cm]?[jt]sx?)$/, '');
  const whole = `${stem} ${name}`.replaceAll(/[\s>/\\.-]+/g, '-');
  const readable = whole.replaceAll(/[^\p{L}\p{N}_-]+/gu, '').slice(0, LONGEST_NAME);
  if (readable === whole) return path.join(RESULTS, readable);
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_DIGITS);
  return path.join(RESULTS, `${readable}-${hash}`);
}

/** Takes away what an earlier run of the test left. */
export function forgetResults(place: TestPlace): void {
  rmSync(resultsFolder(place), { recursive: true, force: true });
}

/** Writes a file into the folder of a test. @returns its path from the current folder */
export function keepFile(folder: string, name: string, content: string | Uint8Array): string {
  makeFolder(folder);
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

/**
 * Keeps sheets and timelines of the jobs of a test that failed, and what programs printed past the service.
 *
 * @returns what to tell the person who reads the failure; undefined when the test printed nothing
 */
export async function keepJobs(platen: Platen, place: TestPlace): Promise<string | undefined> {
  const folder = resultsFolder(place);
  const summaries = await platen.jobs.list(undefined, MOST_JOBS);
  const jobs = await Promise.all(summaries.toReversed().map(({ id }) => platen.jobs.get(id)));
  const stories = [];
  for (const job of jobs) stories.push(`${storyOf(job, await keepSheets(job, folder))}\n`);
  for (const printout of (await platen.printouts.list()).slice(-MOST_JOBS)) {
    const head = `${printout.called} (${titleInWords(printout.title)}) at ${printout.printer}`;
    stories.push(`${head}\n  ${await keepSheets(printout, folder)}\n`);
  }
  if (stories.length === 0) return undefined;
  return `its jobs and their sheets: ${keepFile(folder, 'jobs.txt', stories.join('\n'))}`;
}

async function keepSheets(paper: Job | WorkbenchPrintout, folder: string): Promise<string> {
  const { id } = paper;
  const sides = Array.from({ length: Math.min(paper.sides, MOST_PICTURES) }, (_, index) => index + 1);
  const printouts = 'printouts' in paper ? paper.printouts : [paper];
  if (printouts.some(({ kind }) => kind === 'raw')) keepFile(folder, `${id}.raw`, await paper.raw());
  try {
    if (paper.sides > 0) keepFile(folder, `${id}.pdf`, await paper.pdf());
    const files = [];
    for (const side of sides) files.push(path.basename(keepFile(folder, `${id}-${side}.png`, await paper.png(side))));
    return files.length === 0 ? 'no sheets' : `sheets: ${files.join(', ')}`;
  } catch (error) {
    // Whether a label can be drawn is known only when it is drawn.
    return `no pictures: ${(error as Error).message}`;
  }
}

function storyOf(job: Job, sheets: string): string {
  const state = [job.state, job.paperToCome].filter(Boolean).join(', ');
  const ignored = Object.entries(job.options.ignored).map(([option, reason]) => `  option ${option}: ${reason}`);
  const title = `job ${job.id} (${titleInWords(job.title)}) at ${job.printer.name}: ${state}`;
  return [title, timelineOf(job), ...ignored, `  ${sheets}`].join('\n');
}

/** What happened to a job, a line each. */
export function timelineOf({ timeline }: Pick<Job, 'timeline'>): string {
  return timeline
    .map(({ ageMs, state, message }) => `  ${formatDuration(ageMs)}  ${[state, message].filter(Boolean).join(': ')}`)
    .join('\n');
}

/** Runners show the stack, which begins with the message as it was when the error was made. */
export function addToMessage(error: unknown, note: string): void {
  if (typeof error !== 'object' || error === null || !('message' in error)) return;
  // The stack is written when it is first read, with the message of that moment.
  const stack = 'stack' in error ? error.stack : undefined;
  const before = String(error.message);
  const after = `${before}\n\n${note}`;
  error.message = after;
  if (typeof stack === 'string') Object.assign(error, { stack: stack.replace(before, () => after) });
}
