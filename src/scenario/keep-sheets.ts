/**
 * Keeps what came out for a job as files: a PDF, a picture of each side, raw bytes.
 */

import type { Printout } from '../devices/printout.ts';
import type { Stage, SubmittedJob } from './stage.ts';

/** Nobody looks at more pictures; the PDF has all sides. */
const MOST_PICTURES = 8;

/** @param keep - writes a file; returns where it is */
export async function keepSheets(
  job: SubmittedJob,
  stage: Stage,
  keep: (name: string, bytes: Uint8Array) => string,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const printout of stage.printouts(job)) {
    const name = `${job.name}-${job.id}-${printout.submission}`;
    for (const [ending, bytes] of await filesOf(printout)) files.push(keep(name + ending, bytes));
  }
  return files;
}

async function filesOf(
  printout: Printout,
): Promise<readonly (readonly [ending: string, bytes: Uint8Array])[]> {
  if (printout.kind === 'raw') return [['.raw', printout.bytes]];
  const files: [string, Uint8Array][] = [['.pdf', await printout.pdf()]];
  const sides = printout.sheets.flatMap((sheet) => sheet.sides).length;
  for (let side = 1; side <= Math.min(sides, MOST_PICTURES); side++) {
    files.push([`-side-${side}.png`, await printout.png(side)]);
  }
  return files;
}
