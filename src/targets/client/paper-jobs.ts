/**
 * Paper jobs: which job it is that came out of a printer, and what of it can be seen there. A client may cut a title or
 * leave it out, and hand on another document than it got; so a job is recognised by what survived of its marks.
 *
 *   title ─► id or part of the title ─► document ─► the only job of the printer that is not yet out
 */

import type { Press } from '../../devices/press/press.ts';
import { inOneLine } from '../../common/in-one-line.ts';
import { readPrintOptions } from '../../devices/printer/print-options.ts';
import type { Printout, SheetsPrintout } from '../../devices/printer/printout.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import { BeyondProgram, type DeliveredJob, type SubmittedJob } from '../../link/device-link.ts';

/** A job that may come out, and how often it has. */
export interface ExpectedJob {
  readonly job: SubmittedJob;
  /** The document, where the job carried it. */
  readonly bytes: Buffer | undefined;
  readonly printouts: Printout[];
}

/** What is yet to come out, in the order in which the service took it. */
export class ExpectedJobs {
  readonly all: ExpectedJob[] = [];
  /** By content: jobs of one document share its bytes. */
  readonly #documents = new Map<string, Buffer>();

  add(job: SubmittedJob): void {
    const { contentType, content } = job;
    if (!contentType.endsWith('_base64')) {
      this.all.push({ job, bytes: undefined, printouts: [] });
      return;
    }
    const bytes = this.#documents.get(content) ?? Buffer.from(content, 'base64');
    this.#documents.set(content, bytes);
    this.all.push({ job, bytes, printouts: [] });
  }
}

/** A part of a title that is shorter could be in any. */
const SHORTEST_PART = 6;

/** Whether a title shows a mark of a job. The surest first. */
const MARKS: readonly ((title: string, job: SubmittedJob) => boolean)[] = [
  (title, job) => job.title !== '' && title === job.title,
  (title, { jobId }) => title.includes(String(jobId)) && new RegExp(`(^|\\D)${jobId}(\\D|$)`).test(title),
  (title, job) => isPart(title, job.title) || isPart(job.title, title),
];

/** Pages do not come out as bytes, nor bytes for the printer as sheets, unless it understands them. */
function isOfKind({ job, bytes }: ExpectedJob, { kind }: Printout): boolean {
  const isRaw = job.contentType.startsWith('raw_');
  return kind === 'raw' ? isRaw : !isRaw || bytes?.subarray(0, PDF_MARK.length).toString() === PDF_MARK;
}

const PDF_MARK = '%PDF-';

function isPart(part: string, whole: string): boolean {
  return part.length >= SHORTEST_PART && whole.includes(part);
}

/** Where paper came out. */
export interface PaperPlace {
  /** In the API of the service. */
  readonly printerId: number | undefined;
  readonly printer: VirtualPrinter;
  readonly press: Press;
}

/** The job that came out; undefined where it could be any of several, or none. */
export async function recognise(
  printout: Printout,
  place: PaperPlace,
  { all }: ExpectedJobs,
): Promise<ExpectedJob | undefined> {
  const fitting = all.filter((one) => isOfKind(one, printout));
  for (const mark of MARKS) {
    const marked = fitting.filter(({ job }) => mark(printout.title, job));
    // Takes the first of several with the same marks that has yet to come out; else the last comes out again.
    const found = marked.find((one) => !isOut(one)) ?? marked.at(-1);
    if (found) return found;
  }
  const [here = [], elsewhere = []] = [true, false].map((isHere) =>
    fitting.filter(({ job }) => (job.printerId === place.printerId) === isHere),
  );
  for (const group of [here.filter((one) => !isOut(one)), here.toReversed(), elsewhere]) {
    const found = await ofSameDocument(printout, place, group);
    if (found) return found;
  }
  const waiting = here.filter((one) => !isOut(one));
  return waiting.length === 1 ? waiting[0] : undefined;
}

/** The first whose document came out as it was to. */
async function ofSameDocument(
  printout: Printout,
  { printer, press }: PaperPlace,
  jobs: readonly ExpectedJob[],
): Promise<ExpectedJob | undefined> {
  const compared = new Set<string>();
  for (const one of jobs) {
    const { content, options } = one.job;
    const key = `${JSON.stringify(options)} ${content}`;
    if (!one.bytes || compared.has(key)) continue;
    if (!(await differenceOf(one, printout, printer, press))) return one;
    compared.add(key);
  }
  return undefined;
}

export function isOut({ job, printouts }: ExpectedJob): boolean {
  return printouts.length >= job.qty;
}

/** Options whose effect is in the number of sheets and in how they are turned. */
const VISIBLE: readonly string[] = ['copies', 'duplex', 'pages'];

/** A job as its paper shows it: what cannot be seen there ends the check that looks at it. */
export async function seenOnPaper(
  expected: ExpectedJob,
  printerKey: string,
  printer: VirtualPrinter,
  press: Press,
): Promise<DeliveredJob> {
  const { job, printouts } = expected;
  const [first] = printouts;
  const { jobId, contentType, options } = job;
  const wrong = first && (await differenceOf(expected, first, printer, press));
  const unknown = { source: null, authentication: null, createTimestamp: '', expireAt: null } as const;
  const seen: DeliveredJob = {
    jobId,
    printerKey,
    title: first?.title ?? '',
    contentType,
    content: wrong?.content ?? job.content,
    qty: printouts.length,
    options: wrong?.options ?? options,
    ...unknown,
  };
  const unseen = Object.keys(unknown).map((field) => [field, notSeen(field)]);
  const hidden = Object.keys(options).filter((option) => !VISIBLE.includes(option));
  if (hidden.length > 0) unseen.push(['options', notSeen(`option ${hidden[0]}`)]);
  return Object.defineProperties(seen, Object.fromEntries(unseen));
}

/**
 * What came out, as a job that prints the same again, for computers that print what they get: the job as it was
 * submitted where that is what came out, or else its paper.
 */
export async function paperItself(
  expected: ExpectedJob,
  printerKey: string,
  printer: VirtualPrinter,
  press: Press,
): Promise<DeliveredJob> {
  const { job, printouts } = expected;
  const [first] = printouts;
  const isAsSubmitted =
    first !== undefined && expected.bytes !== undefined && !(await differenceOf(expected, first, printer, press));
  const isRaw = first?.kind === 'raw';
  const bytes = isRaw ? first.bytes : await first?.pdf();
  const flip = first?.kind === 'sheets' ? first.sheets[0]?.flip : null;
  const paper = {
    contentType: isRaw ? 'raw_base64' : 'pdf_base64',
    content: Buffer.from(bytes ?? []).toString('base64'),
    options: flip ? { duplex: flip } : {},
  } as const;
  const { contentType, content, options } = isAsSubmitted ? job : paper;
  return {
    jobId: job.jobId,
    printerKey,
    title: first?.title ?? '',
    source: null,
    contentType,
    content,
    options,
    qty: printouts.length,
    authentication: null,
    createTimestamp: new Date(first?.printedAtMs ?? 0).toISOString(),
    expireAt: null,
  };
}

function notSeen(what: string): PropertyDescriptor {
  const get = (): never => {
    throw new BeyondProgram(`${what} of a job is not seen on paper`);
  };
  return { get, enumerable: false };
}

/** What of a job is not as it was submitted. */
async function differenceOf(
  { job, bytes: wanted }: ExpectedJob,
  printout: Printout,
  printer: VirtualPrinter,
  press: Press,
): Promise<Partial<Pick<DeliveredJob, 'content' | 'options'>> | undefined> {
  // The document of an address is what the computer got there.
  if (!wanted) return undefined;
  if (printout.kind === 'raw') {
    return wanted.equals(printout.bytes) ? undefined : { content: Buffer.from(printout.bytes).toString('base64') };
  }
  const visible = job.contentType.startsWith('raw_')
    ? []
    : Object.entries(job.options).filter(([name]) => VISIBLE.includes(name));
  const read = readPrintOptions(Object.fromEntries(visible), printer.profile);
  if (!read.ok) return undefined;
  const { sheets, pdf } = await press.sheetsOf(wanted, read.value.settings);
  if ((await textsOf(press, pdf, sheets)) !== (await textsOf(press, await printout.pdf(), printout.sheets))) {
    return { content: Buffer.from(await printout.pdf()).toString('base64') };
  }
  const [came, due] = [shapeOf(printout.sheets), shapeOf(sheets)];
  return came === due ? undefined : { options: { 'on paper': came, expected: due } };
}

type Sheets = SheetsPrintout['sheets'];

function shapeOf(sheets: Sheets): string {
  return `${sheets.length} sheets, ${sheets[0]?.flip ?? 'one-sided'}`;
}

/** Each text once: how often it is printed shows in the shape. */
async function textsOf(press: Press, pdf: Uint8Array, sheets: Sheets): Promise<string> {
  const sides = sheets.reduce((sum, sheet) => sum + sheet.sides.length, 0);
  const texts = new Set<string>();
  for (let side = 1; side <= sides; side++) texts.add(inOneLine(await press.textOf(pdf, side)));
  return [...texts].filter((text) => text !== '').join('\n');
}
