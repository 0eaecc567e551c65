/**
 * Pictures: whether the sides that came out for a job look as in the PNGs of the scenario. What does not is kept by the
 * run, from where it can be copied.
 */

import { pngDifference, pngSize, sizesInWords } from '../../common/png-difference.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import type { Setup, SubmittedJob } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { keptName, picturedOf, sideEnding, sidesOf } from '../vocabulary/printed-sides.ts';

/** A side that came out. */
interface Side {
  /** The name of its picture among what the run keeps. */
  readonly kept: string;
  readonly png: Uint8Array;
}

/**
 * @param wanted - of the first side, or as a list of all
 * @param printouts - what came out for the job
 */
export async function judgePictures(
  wanted: string | readonly string[],
  printouts: readonly Printout[],
  job: SubmittedJob,
  { files }: Setup,
): Promise<readonly Break[]> {
  const names = [wanted].flat();
  const counts = await Promise.all(printouts.map(sidesOf));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const breaks: Break[] = [];
  for (const [index, name] of names.entries()) {
    const side = await sideAt(index, printouts, counts, job);
    const actual = await complaintOf(side, files.pictures.get(name));
    if (actual !== undefined) {
      const at = `picture of side ${index + 1} of ${job.name}`;
      breaks.push({ at, expected: `as in ${name}`, actual, jobs: [job.name] });
    }
  }
  if (Array.isArray(wanted) && all !== names.length)
    breaks.push({ at: `sides of ${job.name}`, expected: `${names.length}`, actual: `${all}`, jobs: [job.name] });
  return breaks;
}

async function sideAt(
  index: number,
  printouts: readonly Printout[],
  counts: readonly number[],
  job: SubmittedJob,
): Promise<Side | undefined> {
  let before = 0;
  for (const [at, printout] of printouts.entries()) {
    const side = index + 1 - before;
    before += counts[at] ?? 0;
    if (index >= before) continue;
    const png = await picturedOf(printout)?.png(side);
    return png && { kept: keptName(job, printout) + sideEnding(side), png };
  }
  return undefined;
}

/** Undefined when it looks as it should. */
async function complaintOf(side: Side | undefined, expected: Uint8Array | undefined): Promise<string | undefined> {
  if (side === undefined) return 'no such side came out';
  const copy = `the run keeps ${side.kept}: copy it there if it is right`;
  if (expected === undefined) return `there is no such file; ${copy}`;
  if (Buffer.compare(expected, side.png) === 0) return undefined;
  const was = pngSize(expected);
  if (!was.ok) return `${was.error}; ${copy}`;
  const is = pngSize(side.png);
  const otherSize = is.ok ? sizesInWords(is.value, was.value) : is.error;
  // What has another size is not unpacked.
  if (otherSize !== undefined) return `${otherSize}; ${copy}`;
  const read = await pngDifference(expected, side.png);
  if (!read.ok) return `${read.error}; ${copy}`;
  return read.value.share === 0 ? undefined : `${read.value.how}; ${copy}`;
}
