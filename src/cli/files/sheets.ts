/**
 * Sheets: what a printer printed for a job, saved as files. Only a platen workbench knows; other services know
 * nothing of paper.
 */

import path from 'node:path';

import { z } from 'zod';

import { usageError } from '../../common/actionable-error.ts';
import { durationMs } from '../../common/duration.ts';
import { Refusal, type Remote } from '../remote/remote.ts';
import { writeFileWhole } from './whole-file.ts';

export interface SheetsRequest {
  readonly jobId: number;
  /** Number of printouts to wait for. */
  readonly printouts: number;
  readonly folder: string;
  readonly timeout: string;
}

const printedJob = z.object({
  sides: z.number(),
  qty: z.number(),
  accountId: z.number(),
  printer: z.object({ id: z.number(), name: z.string() }),
  printouts: z.array(
    z.object({
      kind: z.enum(['sheets', 'raw']),
      sheets: z.number(),
      sheetsDue: z.number(),
      complete: z.boolean(),
      raw: z.object({ notDrawn: z.string().nullish() }).optional(),
    }),
  ),
});

const troubledRoom = z.object({
  computers: z.array(
    z.object({
      printers: z.array(z.object({ id: z.number().optional(), reasons: z.array(z.string()) })),
    }),
  ),
});

type PrintedJob = z.infer<typeof printedJob>;

export interface SavedSheets {
  readonly files: readonly string[];
  /** Whether sheets were still to come when the time was up; then there are no files. */
  readonly isIncomplete?: true;
  /** Why labels have no picture; null if all have one, or there are no labels. */
  readonly notDrawn: string | null;
}

/**
 * Waits for the sheets and writes them as `7.pdf`, `7-1.png`, `7-2.png` …; raw bytes as `7.raw`, with the same
 * files beside it for labels that can be drawn.
 */
export async function saveSheets(remote: Remote, request: SheetsRequest): Promise<SavedSheets> {
  const { jobId, folder } = request;
  const job = await printed(remote, request);
  if (job === undefined) return { files: [], notDrawn: null, isIncomplete: true };
  const save = async ([name, source]: Source): Promise<string> => {
    const file = path.join(folder, name);
    writeFileWhole(file, await remote.bytes(`/_platen/jobs/${jobId}/${source}`));
    return file;
  };
  const sides: readonly Source[] = [[`${jobId}.pdf`, 'sheets.pdf'], ...pictures(jobId, job.sides)];
  const isRaw = job.printouts.some(({ kind }) => kind === 'raw');
  const files: string[] = isRaw ? [await save([`${jobId}.raw`, 'raw'])] : [];
  const notDrawn = notDrawnOf(job);
  if (isRaw && job.sides === 0) return { files, notDrawn };
  try {
    for (const side of sides) files.push(await save(side));
  } catch (error) {
    // Whether a label can be drawn is known only when it is drawn.
    if (!isRaw || !(error instanceof Refusal)) throw error;
    return { files, notDrawn: notDrawnOf(await lookAt(remote, jobId)) ?? error.message };
  }
  return { files, notDrawn };
}

type Source = readonly [name: string, source: string];

function notDrawnOf({ printouts }: PrintedJob): string | null {
  return printouts.find(({ raw }) => raw?.notDrawn)?.raw?.notDrawn ?? null;
}

async function lookAt(remote: Remote, jobId: number): Promise<PrintedJob> {
  return printedJob.parse(await remote.get(`/_platen/jobs/${jobId}`));
}

/** What is wrong with the paper of a job that its computer calls done: a spooler knows nothing of jams. */
export interface PaperTrouble {
  /** For people: `1 of 3 sheets out: Laser has media-jam`. */
  readonly text: string;
  readonly hasReasons: boolean;
}

/** Undefined when everything is out, and for services that know nothing of paper. */
export async function paperTrouble(remote: Remote, jobId: number): Promise<PaperTrouble | undefined> {
  const job = printedJob.safeParse(await remote.get(`/_platen/jobs/${jobId}`).catch(nothing)).data;
  if (job === undefined) return undefined;
  const { printouts, printer, qty, accountId } = job;
  if (printouts.length >= qty && printouts.every(({ complete }) => complete)) return undefined;
  const room = troubledRoom.safeParse(await remote.get(`/_platen/room?account=${accountId}`).catch(nothing));
  const devices = (room.data?.computers ?? []).flatMap(({ printers }) => printers);
  const reasons = devices.find(({ id }) => id === printer.id)?.reasons ?? [];
  const why = reasons.length === 0 ? '' : `: ${printer.name} has ${reasons.join(', ')}`;
  return { text: sheetsOut(printouts) + why, hasReasons: reasons.length > 0 };
}

function sheetsOut(printouts: PrintedJob['printouts']): string {
  const sum = (of: 'sheets' | 'sheetsDue'): number => printouts.reduce((total, one) => total + one[of], 0);
  const due = sum('sheetsDue');
  return due === 0 ? 'not all of it is out' : `${sum('sheets')} of ${due} sheets out`;
}

function nothing(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

/** The job when its printouts are complete; undefined when the time was up before. */
async function printed(remote: Remote, request: SheetsRequest): Promise<PrintedJob | undefined> {
  const { jobId, printouts, timeout } = request;
  const query = `id=${jobId}&printouts=${printouts}&timeout=${timeout}`;
  try {
    const answer = await remote.getAfterWait(`/_platen/jobs/wait?${query}`, durationMs(timeout));
    return printedJob.parse(answer);
  } catch (error) {
    if (error instanceof Refusal && error.status === 408) return undefined;
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    throw usageError(
      `${remote.url} is not a platen workbench: it cannot show the sheets of job ${jobId}`,
      'Omit --out, or print on a workbench that `platen start` runs.',
      { cause: error },
    );
  }
}

function pictures(jobId: number, sides: number): Source[] {
  return Array.from({ length: sides }, (_, index): Source => [`${jobId}-${index + 1}.png`, `sheets/${index + 1}.png`]);
}
