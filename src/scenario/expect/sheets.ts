/**
 * sheets: what a printer printed for a job.
 */

import { z } from 'zod';
import { inOneLine } from '../../common/in-one-line.ts';

import type { Sheet, SheetSide } from '../../devices/press/sheet-plan.ts';
import type { Printout } from '../../devices/printer/printout.ts';
import { sheetsIn } from '../vocabulary/printed-sides.ts';
import { count } from '../vocabulary/schema-types.ts';
import type { Setup, SubmittedJob } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';
import { judgePictures } from './pictures.ts';

const page = z.number().int().min(1);

const pictureFile = z
  .string()
  .regex(/.\.png$/, 'must be the path of a PNG, such as ./letter.png')
  .max(1_000);
/** More are too long to look at; what else is on the paper its text says. */
const MOST_PICTURES = 8;

const details = z.strictObject({
  sheets: count.exactOptional().describe('Sheets of paper in all; of RAW bytes labels, pages or receipts.'),
  printouts: count.exactOptional().describe('How often the document was printed: once for each of `qty`.'),
  pages: z
    .array(z.union([page, z.array(page)]))
    .exactOptional()
    .describe('The page of the document on each side, in order; a list for several on one side, [] for a blank one.'),
  text: z
    .union([z.string().min(1), z.array(z.string().min(1))])
    .exactOptional()
    .describe('Text on the sheets, labels or receipts; as a list, one for each side.'),
  picture: z
    .union([pictureFile, z.array(pictureFile).min(1).max(MOST_PICTURES)])
    .exactOptional()
    .describe('A PNG beside the scenario that the first side looks like; as a list, one for each side.'),
  paper: z.string().exactOptional().describe('Name of the paper of every sheet.'),
  sizeMm: z
    .tuple([z.number(), z.number()])
    .exactOptional()
    .describe('Width and height of every sheet in millimetres, give or take half of one.'),
  turned: z
    .union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)])
    .exactOptional()
    .describe('Clockwise rotation of every page on its sheet.'),
  rawBytes: count.exactOptional().describe('Bytes printed in the printer’s own language, in all.'),
  pieces: count.exactOptional().describe('Labels, pages or receipts printed for RAW bytes, in all.'),
  unaltered: z.literal(true).exactOptional().describe('Every printout has exactly the submitted bytes.'),
});
const wanted = z.union([count.transform((sheets) => ({ sheets })), details]);
type Wanted = z.output<typeof details>;

export const sheets = expectationKind<Wanted>({
  about: 'By name of a job: how many sheets were printed for it (in short `letter: 3`), and what is on them.',
  of: 'job',
  wanted,
  async judge(name, given, setup) {
    const breaks: Break[] = [];
    for (const job of setup.jobsNamed(name)) breaks.push(...(await judgeJob(job, given, setup)));
    return breaks;
  },
});

/** What was printed for one job. */
interface Output {
  readonly job: SubmittedJob;
  readonly printouts: readonly Printout[];
  readonly sheets: readonly Sheet[];
  readonly sides: readonly SheetSide[];
}

async function judgeJob(job: SubmittedJob, given: Wanted, setup: Setup): Promise<readonly Break[]> {
  const printouts = setup.printouts(job);
  const sheets = printouts.flatMap((printout) => (printout.kind === 'sheets' ? printout.sheets : []));
  const output: Output = { job, printouts, sheets, sides: sheets.flatMap(({ sides }) => sides) };
  return [
    ...judgeCounts(output, given),
    ...judgePages(output, given),
    ...judgeTurn(output, given),
    ...judgePaper(output, given),
    ...(await judgeText(output, given)),
    ...(given.picture === undefined ? [] : await judgePictures(given.picture, printouts, job, setup)),
  ];
}

function judgeCounts({ job, printouts }: Output, given: Wanted): readonly Break[] {
  const rawBytes = printouts.reduce((sum, one) => sum + (one.kind === 'raw' ? one.length : 0), 0);
  const pieces = printouts.reduce((sum, one) => sum + (one.kind === 'raw' ? one.pieces : 0), 0);
  const isAltered = printouts.some((one) => one.kind !== 'raw' || !isSame(one.bytes, job.content));
  return [
    ...unless(given.printouts, printouts.length, 'printouts', job),
    ...unless(given.sheets, sheetsIn(printouts), 'sheets', job),
    ...unless(given.rawBytes, rawBytes, 'raw bytes', job),
    ...unless(given.pieces, pieces, 'pieces', job),
    ...(given.unaltered && (isAltered || printouts.length === 0)
      ? [breakOf('bytes', 'those that were submitted', isAltered ? 'others' : 'nothing was printed', job)]
      : []),
  ];
}

function isSame(bytes: Uint8Array, submitted: Uint8Array | undefined): boolean {
  return submitted !== undefined && Buffer.compare(bytes, submitted) === 0;
}

function unless(wantedCount: number | undefined, seen: number, what: string, job: SubmittedJob): readonly Break[] {
  if (wantedCount === undefined || wantedCount === seen) return [];
  return [breakOf(what, String(wantedCount), String(seen), job)];
}

function judgePages({ job, sides }: Output, { pages }: Wanted): readonly Break[] {
  if (pages === undefined) return [];
  const expected = pages.map((side) => (typeof side === 'number' ? [side] : side)).map(pagesInWords);
  const seen = sides.map(({ sourcePages }) => pagesInWords(sourcePages));
  const at = Math.max(expected.length, seen.length);
  const first = Array.from({ length: at }, (_, index) => index).find((index) => expected[index] !== seen[index]);
  if (first === undefined) return [];
  const where = `pages (first difference on side ${first + 1})`;
  return [breakOf(where, expected.join(', ') || 'no side', seen.join(', ') || 'no side', job)];
}

function judgeTurn({ job, sides }: Output, { turned }: Wanted): readonly Break[] {
  if (turned === undefined) return [];
  const placements = sides.flatMap((side) => side.placements);
  const wrong = placements.find(({ rotation }) => rotation !== turned);
  if (wrong) return [breakOf(`turn of page ${wrong.page}`, `${turned}°`, `${wrong.rotation}°`, job)];
  return placements.length === 0 ? [breakOf('turn', `${turned}°`, 'no page was printed', job)] : [];
}

function pagesInWords(pages: readonly number[]): string {
  return pages.length === 0 ? 'blank' : pages.join('+');
}

const POINTS_PER_MM = 72 / 25.4;
const TOLERANCE_MM = 0.5;

function judgePaper({ job, sheets }: Output, { paper, sizeMm }: Wanted): readonly Break[] {
  const wrongPaper = sheets.find((sheet) => paper !== undefined && sheet.paper.name !== paper);
  const wrongSize = sheets.find((sheet) => sizeMm !== undefined && !hasSize(sheet, sizeMm));
  return [
    ...(wrongPaper
      ? [
          breakOf(
            `paper of sheet ${wrongPaper.number}`,
            paper ?? '',
            wrongPaper.paper.name ?? 'paper without a name',
            job,
          ),
        ]
      : []),
    ...(wrongSize && sizeMm
      ? [breakOf(`size of sheet ${wrongSize.number}`, `${sizeMm.join(' × ')} mm`, sizeInWords(wrongSize), job)]
      : []),
    ...((paper ?? sizeMm) !== undefined && sheets.length === 0
      ? [breakOf('paper', 'a sheet', 'none was printed', job)]
      : []),
  ];
}

function hasSize({ paper }: Sheet, [width, height]: readonly [number, number]): boolean {
  return isNear(paper.widthPt, width) && isNear(paper.heightPt, height);
}

function isNear(points: number, mm: number): boolean {
  return Math.abs(points / POINTS_PER_MM - mm) <= TOLERANCE_MM;
}

function sizeInWords({ paper }: Sheet): string {
  return `${(paper.widthPt / POINTS_PER_MM).toFixed(1)} × ${(paper.heightPt / POINTS_PER_MM).toFixed(1)} mm`;
}

async function judgeText({ job, printouts }: Output, { text }: Wanted): Promise<readonly Break[]> {
  if (text === undefined) return [];
  const seen = (await Promise.all(printouts.map(textsOf))).flat().map(inOneLine);
  if (typeof text === 'string') {
    return seen.some((side) => side.includes(inOneLine(text)))
      ? []
      : [breakOf('text', `'${text}' on a side`, inShort(seen), job)];
  }
  const wrong = text.findIndex((part, side) => !seen[side]?.includes(inOneLine(part)));
  if (wrong >= 0)
    return [breakOf(`text of side ${wrong + 1}`, `'${text[wrong]}'`, inShort([seen[wrong] ?? 'no such side']), job)];
  return seen.length === text.length ? [] : [breakOf('sides', String(text.length), String(seen.length), job)];
}

async function textsOf(printout: Printout): Promise<string[]> {
  if (printout.kind === 'raw') return printout.drawn?.texts() ?? [];
  const sides = printout.sheets.flatMap((sheet) => sheet.sides);
  return Promise.all(sides.map((_, index) => printout.text(index + 1)));
}

const TEXT_SHOWN_CHARACTERS = 200;

function inShort(texts: readonly string[]): string {
  const whole = texts.join(' | ') || 'no text';
  return whole.length > TEXT_SHOWN_CHARACTERS ? `${whole.slice(0, TEXT_SHOWN_CHARACTERS)}…` : whole;
}

function breakOf(what: string, expected: string, actual: string, { name }: SubmittedJob): Break {
  return { at: `${what} of ${name}`, expected, actual, jobs: [name] };
}
