/**
 * Job story: what happened to a job, for people: its states and printouts in the order of time, and files that show
 * what was printed: a PDF, a picture of each side, raw bytes with pictures of their labels and receipts.
 */

import { formatDuration } from '../../common/duration.ts';
import { amountInWords, type Printout } from '../../devices/printer/printout.ts';
import { PICTURE_MOST_CHARACTERS } from '../../record/fields.ts';
import type { Setup, SubmittedJob } from '../setup/setup.ts';
import type { ProofPicture } from '../vocabulary/outcome.ts';
import { keptName, picturedOf, sideName, sidesOf } from '../vocabulary/printed-sides.ts';

export interface JobStory {
  readonly name: string;
  readonly id: number;
  readonly timeline: readonly string[];
  /** Files that show its sheets. */
  readonly files: readonly string[];
  /** Its first sides as PNG in base64, for a report that is one file. */
  readonly pictures: readonly { readonly caption: string; readonly png: string }[];
}

/** Writes a file; returns where it is. */
export type Keep = (name: string, bytes: Uint8Array) => string;

/** More pictures are of no use; the PDF has all sides. */
const MOST_PICTURES = 8;
const MOST_IN_REPORT = 4;

/** @param proof - shows what is not as it should be on its sheets */
export async function tellStory(
  job: SubmittedJob,
  proof: readonly ProofPicture[],
  setup: Setup,
  keep: Keep,
): Promise<JobStory> {
  const timeline = await timelineOf(job, setup);
  const sheets = await keepSheets(job, setup, keep);
  const files = [...sheets.files, ...proof.map(({ name, png }) => keep(name, png))];
  const pictures = [...inReport(sheets.pictures), ...inReport(proof)];
  return { name: job.name, id: job.id, timeline, files, pictures };
}

interface Captioned {
  readonly caption: string;
  readonly png: Uint8Array;
}

function inReport(pictures: readonly Captioned[]): JobStory['pictures'] {
  return pictures
    .map(({ caption, png }) => ({ caption, png: Buffer.from(png).toString('base64') }))
    .filter(({ png }) => png.length <= PICTURE_MOST_CHARACTERS)
    .slice(0, MOST_IN_REPORT);
}

/** A line for each state and printout of a job, and for each fault of its printer, with its time in the scenario. */
async function timelineOf(job: SubmittedJob, setup: Setup): Promise<readonly string[]> {
  const [states = []] = await setup.states([job]);
  const lines = [
    ...states.map(({ state, message, createTimestamp }) => ({
      atMs: setup.elapsedMs(Date.parse(createTimestamp)),
      what: message ? `${state}: ${message}` : state,
    })),
    ...paperOf(job, setup).map((printout) => ({
      atMs: setup.elapsedMs(printout.printedAtMs),
      what: describePrintout(printout),
    })),
  ];
  const { name, faults } = setup.isUnseen ? { name: job.printer, faults: [] } : setup.printer(job.printer);
  const standing = faults.map((fault) => ({ atMs: setup.elapsedMs(), what: `${name} has ${fault}` }));
  const inTime = [...lines.toSorted((a, b) => a.atMs - b.atMs), ...standing];
  return inTime.map(({ atMs, what }) => `${formatOffset(atMs)}  ${what}`);
}

/** As far as it is seen. */
function paperOf(job: SubmittedJob, setup: Setup): readonly Printout[] {
  return setup.isUnseen ? [] : setup.printouts(job);
}

/** `+1.5s`; negative where the clock of a computer is slow. */
function formatOffset(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${formatDuration(Math.abs(ms))}`.padStart(8);
}

function describePrintout(printout: Printout): string {
  return `${amountInWords(printout)} came out of ${printout.printerName}`;
}

interface KeptSheets {
  readonly files: readonly string[];
  readonly pictures: readonly Captioned[];
}

async function keepSheets(job: SubmittedJob, setup: Setup, keep: Keep): Promise<KeptSheets> {
  const files: string[] = [];
  const pictures: Captioned[] = [];
  for (const printout of paperOf(job, setup)) {
    const name = keptName(job, printout);
    const { documents, sides } = await shownBy(printout);
    for (const [ending, bytes] of documents) files.push(keep(name + ending, bytes));
    for (const [index, bytes] of sides.entries()) {
      files.push(keep(`${name}${sideName(index + 1)}.png`, bytes));
      pictures.push({ caption: `side ${index + 1} of ${job.name}, from ${printout.printerName}`, png: bytes });
    }
  }
  return { files, pictures };
}

interface Shown {
  /** By the endings of their names. */
  readonly documents: readonly (readonly [ending: string, bytes: Uint8Array])[];
  /** Pictures, from the first side on. */
  readonly sides: readonly Uint8Array[];
}

async function shownBy(printout: Printout): Promise<Shown> {
  const raw: [string, Uint8Array][] = printout.kind === 'raw' ? [['.raw', printout.bytes]] : [];
  const pictured = picturedOf(printout);
  const pdf = await pictured?.pdf();
  if (!pictured || !pdf) return { documents: raw, sides: [] };
  const sides: Uint8Array[] = [];
  const drawn = Math.min(await sidesOf(printout), MOST_PICTURES);
  for (let side = 1; side <= drawn; side++) {
    const png = await pictured.png(side);
    if (png) sides.push(png);
  }
  return { documents: [...raw, ['.pdf', pdf]], sides };
}
