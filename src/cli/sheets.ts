/**
 * Sheets: what came out of a printer for a job, kept as files. Only a platen bench can tell; other
 * services know nothing of paper.
 */

import path from 'node:path';

import { z } from 'zod';

import { ActionableError } from '../common/actionable-error.ts';
import { Refusal, type Remote } from './remote.ts';
import { writeFileWhole } from './whole-file.ts';

export interface SheetsRequest {
  readonly jobId: number;
  /** So many printouts have to be out. */
  readonly printouts: number;
  readonly folder: string;
  readonly timeout: string;
}

const printedJob = z.object({
  sides: z.number(),
  printouts: z.array(z.object({ kind: z.enum(['sheets', 'raw']) })),
});

/** Waits for the sheets and writes them as `7.pdf`, `7-1.png`, `7-2.png` …, raw bytes as `7.raw`. */
export async function saveSheets(remote: Remote, request: SheetsRequest): Promise<string[]> {
  const { jobId, folder } = request;
  const job = await printed(remote, request);
  const isRaw = job.printouts.some(({ kind }) => kind === 'raw');
  const sources = isRaw
    ? [[`${jobId}.raw`, 'raw']]
    : [[`${jobId}.pdf`, 'sheets.pdf'], ...pictures(jobId, job.sides)];
  const files: string[] = [];
  for (const [name = '', source] of sources) {
    const file = path.join(folder, name);
    writeFileWhole(file, await remote.bytes(`/_platen/jobs/${jobId}/${source}`));
    files.push(file);
  }
  return files;
}

async function printed(remote: Remote, request: SheetsRequest): Promise<z.infer<typeof printedJob>> {
  const { jobId, printouts, timeout } = request;
  const query = `id=${jobId}&printouts=${printouts}&timeout=${timeout}`;
  try {
    return printedJob.parse(await remote.get(`/_platen/jobs/wait?${query}`));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    throw new ActionableError(
      'usage',
      `${remote.url} is no platen bench: it cannot show the sheets of job ${jobId}`,
      'Leave --out away, or print on a bench that `platen start` runs.',
      { cause: error },
    );
  }
}

function pictures(jobId: number, sides: number): string[][] {
  return Array.from({ length: sides }, (_, index) => [
    `${jobId}-${index + 1}.png`,
    `sheets/${index + 1}.png`,
  ]);
}
