/**
 * Pictures: whether the sides that came out for a job look as in the PNGs of the scenario. What does not is kept by the
 * run, from where it can be copied.
 */

import { pngDifference, pngSize, sizesInWords } from '../../common/png-difference.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import type { Setup, SubmittedJob } from '../setup/setup.ts';
import type { Break, ProofPicture } from '../vocabulary/outcome.ts';
import { keptName, picturedOf, sideName, sidesOf } from '../vocabulary/printed-sides.ts';

/** A side that came out. */
interface Side {
  /** The name of its picture among what the run keeps, without its ending. */
  readonly kept: string;
  readonly png: Uint8Array;
}

/** Why it does not look as it should. */
interface Complaint {
  readonly actual: string;
  /** What differs, in red. */
  readonly difference?: Uint8Array;
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
    const expected = files.pictures.get(name);
    const complaint = await complaintOf(side, expected);
    if (!complaint) continue;
    const of = `side ${index + 1} of ${job.name}`;
    const proof = (what: string, caption: string, png: Uint8Array | undefined): ProofPicture[] =>
      side && png ? [{ jobId: job.id, name: `${side.kept}-${what}.png`, caption, png }] : [];
    const { actual, difference } = complaint;
    const pictures = difference
      ? [
          ...proof('expected', `${of} as in ${name}`, expected),
          ...proof('difference', `${of}: what differs, in red`, difference),
        ]
      : [];
    breaks.push({ at: `picture of ${of}`, expected: `as in ${name}`, actual, jobs: [job.name], pictures });
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
    return png && { kept: keptName(job, printout) + sideName(side), png };
  }
  return undefined;
}

/** Undefined when it looks as it should. */
async function complaintOf(side: Side | undefined, expected: Uint8Array | undefined): Promise<Complaint | undefined> {
  if (side === undefined) return { actual: 'no such side came out' };
  const complaint = (why: string): Complaint => ({
    actual: `${why}; the run keeps ${side.kept}.png: copy it there if it is right`,
  });
  if (expected === undefined) return complaint('there is no such file');
  if (Buffer.compare(expected, side.png) === 0) return undefined;
  const was = pngSize(expected);
  if (!was.ok) return complaint(was.error);
  const is = pngSize(side.png);
  const otherSize = is.ok ? sizesInWords(is.value, was.value) : is.error;
  // What has another size is not unpacked.
  if (otherSize !== undefined) return complaint(otherSize);
  const read = await pngDifference(expected, side.png);
  if (!read.ok) return complaint(read.error);
  const { share, how, picture } = read.value;
  return share === 0 ? undefined : { ...complaint(how), difference: picture };
}
