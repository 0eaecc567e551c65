/**
 * Keeps what came out for a job as files: a PDF, a picture of each side, raw bytes with
 * pictures of the labels where they are drawn.
 */

import type { Printout } from '../devices/printer/printout.ts';
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
  const raw: [string, Uint8Array][] = printout.kind === 'raw' ? [['.raw', printout.bytes]] : [];
  const pictured = printout.kind === 'raw' ? printout.labels : printout;
  const pdf = await pictured?.pdf();
  if (!pictured || !pdf) return raw;
  const sides =
    'sheets' in pictured ? pictured.sheets.flatMap((sheet) => sheet.sides).length : pictured.sides;
  const files: [string, Uint8Array][] = [...raw, ['.pdf', pdf]];
  for (let side = 1; side <= Math.min(sides, MOST_PICTURES); side++) {
    const png = await pictured.png(side);
    if (png) files.push([`-side-${side}.png`, png]);
  }
  return files;
}
