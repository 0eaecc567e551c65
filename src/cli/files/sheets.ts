/**
 * Sheets: what a printer printed for a job, saved as files. Only a platen workbench knows; other services know
 * nothing of paper.
 */

import path from 'node:path';

import { z } from 'zod';

import { usageError } from '../../common/actionable-error.ts';
import { durationMs } from '../../common/duration.ts';
import { paperToCome } from '../../record/paper-words.ts';
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
  sheets: z.number(),
  sheetsDue: z.number(),
  held: z.string().nullable(),
  options: z.object({ ignored: z.record(z.string(), z.string()) }),
  printouts: z.array(
    z.object({
      kind: z.enum(['sheets', 'raw']),
      sides: z.number(),
      raw: z.object({ notDrawn: z.string().nullish(), language: z.string(), summary: z.string() }).optional(),
    }),
  ),
});

type PrintedJob = z.infer<typeof printedJob>;

export interface SavedSheets {
  readonly files: readonly string[];
  /** Whether sheets were still to come when the time was up; then there are no files. */
  readonly isIncomplete?: true;
  /** Why labels have no picture, or what is known of bytes without one; null if all have one. */
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
  const isRaw = job.printouts.some(({ kind }) => kind === 'raw');
  const query = isRaw ? `?width=${PIECE_PIXELS}` : '';
  const sides: readonly Source[] = [[`${jobId}.pdf`, 'sheets.pdf'], ...pictures(jobId, job.sides, query)];
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

/** About the dots of a label or a receipt: fewer blur its bar codes. */
const PIECE_PIXELS = 800;

function notDrawnOf({ printouts }: PrintedJob): string | null {
  const told = printouts.find(({ raw }) => raw?.notDrawn)?.raw?.notDrawn;
  const raw = printouts.find((printout) => printout.sides === 0)?.raw;
  return told ?? (raw ? [raw.language, raw.summary].filter((part) => part !== '').join(', ') : null);
}

async function lookAt(remote: Remote, jobId: number): Promise<PrintedJob> {
  return printedJob.parse(await remote.get(`/_platen/jobs/${jobId}`));
}

/** What a job that its computer calls done has not printed yet. */
export interface PaperTrouble {
  /** For people: `1 of 3 sheets out: Laser has media-jam`. */
  readonly text: string;
  readonly isHeld: boolean;
}

/** What a workbench tells of the paper of a job; of others nothing is known. */
export interface PaperNews {
  /** Undefined when everything is out. */
  readonly trouble?: PaperTrouble | undefined;
  /** Print option → why it had no effect. */
  readonly ignored: Readonly<Record<string, string>>;
}

export async function paperNews(remote: Remote, jobId: number): Promise<PaperNews> {
  const job = printedJob.safeParse(await remote.aside(`/_platen/jobs/${jobId}`)).data;
  if (job === undefined) return { ignored: {} };
  const text = paperToCome(job);
  const { ignored } = job.options;
  return text === undefined ? { ignored } : { ignored, trouble: { text, isHeld: job.held !== null } };
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

function pictures(jobId: number, sides: number, query: string): Source[] {
  return Array.from({ length: sides }, (_, index): Source => {
    const side = index + 1;
    return [`${jobId}-${side}.png`, `sheets/${side}.png${query}`];
  });
}
