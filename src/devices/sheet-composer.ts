/**
 * Sheet composer: draws planned sheets as a PDF, one page a side. Runs in the press worker.
 *
 *   document ─► pages, upright ─► plan ─► each side: paper-sized page, its document page centred at
 *                                         its own scale; what reaches over the edge is cut off
 *
 * The same document and settings give the same bytes.
 */

import { PDFDocument, PDFName, PDFNumber, type PDFArray, type PDFEmbeddedPage, type PDFPage } from 'pdf-lib';

import { DocumentError } from './document-error.ts';
import { uprightPage, type Box, type UprightPage } from './page-geometry.ts';
import type { PressedSheets } from './press-messages.ts';
import type { PrintSettings } from './print-options.ts';
import { planSheets, type SheetSide } from './sheet-plan.ts';

/** How far into a file the header may stand: what CUPS and viewers put up with. */
const HEADER_WITHIN_BYTES = 1_024;
const TRAILER_WITHIN_BYTES = 2_048;

/**
 * Makes the sheets of one submission.
 *
 * @throws DocumentError when the document cannot be printed with these settings
 */
export async function composeSheets(document: Uint8Array, settings: PrintSettings): Promise<PressedSheets> {
  const source = await openDocument(document);
  const pages = readingPages(() => source.getPages());
  if (pages.length === 0) throw new DocumentError('the document has no pages');
  const upright = pages.map((page) => readingPages(() => measure(page)));
  const plan = planSheets(upright, settings);
  if (!plan.ok) throw new DocumentError(plan.error);
  const sides = plan.value.flatMap((sheet) => sheet.sides);
  const pdf = await readingPagesAsync(() => draw(sides, pages, upright));
  return { sheets: plan.value, pdf };
}

async function openDocument(document: Uint8Array): Promise<PDFDocument> {
  if (document.length === 0) throw new DocumentError('the document is empty');
  const head = Buffer.from(document.subarray(0, HEADER_WITHIN_BYTES)).toString('latin1');
  if (!head.includes('%PDF-'))
    throw new DocumentError(`the document is not a PDF: it begins with ${quoted(head)}`);
  try {
    return await PDFDocument.load(document, { updateMetadata: false });
  } catch (error) {
    throw new DocumentError(whyUnreadable(error, document), { cause: error });
  }
}

/** pdf-lib's own error classes do not survive its compilation, so its messages are what there is to go by. */
function whyUnreadable(error: unknown, document: Uint8Array): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('is encrypted')) return 'the document is encrypted and needs a password';
  const tail = Buffer.from(document.subarray(-TRAILER_WITHIN_BYTES)).toString('latin1');
  if (!tail.includes('%%EOF')) return 'the document is truncated: its end is missing';
  return `the document is damaged: ${firstLine(message)}`;
}

function readingPages<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asDamage(error);
  }
}

async function readingPagesAsync<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asDamage(error);
  }
}

function asDamage(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  if (error instanceof RangeError) {
    return new DocumentError('the document is damaged: its pages refer to each other in a circle', {
      cause: error,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new DocumentError(`the document is damaged: ${firstLine(message)}`, { cause: error });
}

function measure(page: PDFPage): UprightPage {
  const cropBox = page.node.CropBox();
  const userUnit = page.node.get(PDFName.of('UserUnit'));
  return uprightPage({
    mediaBox: boxOf(page.node.MediaBox()),
    ...(cropBox ? { cropBox: boxOf(cropBox) } : {}),
    rotate: page.node.Rotate()?.asNumber() ?? 0,
    userUnit: userUnit instanceof PDFNumber ? userUnit.asNumber() : 1,
  });
}

function boxOf(array: PDFArray): Box {
  const { x, y, width, height } = array.asRectangle();
  return { left: x, bottom: y, right: x + width, top: y + height };
}

async function draw(
  sides: readonly SheetSide[],
  pages: readonly PDFPage[],
  upright: readonly UprightPage[],
): Promise<Uint8Array> {
  const output = await PDFDocument.create({ updateMetadata: false });
  const embedded = await embedUsedPages(output, sides, pages, upright);
  for (const side of sides) {
    const { widthPt, heightPt } = side.paper;
    const sheet = output.addPage([widthPt, heightPt]);
    for (const number of side.sourcePages) {
      const size = upright[number - 1];
      const content = embedded.get(number);
      if (!size || !content) continue;
      sheet.drawPage(content, {
        x: (widthPt - size.widthPt) / 2,
        y: (heightPt - size.heightPt) / 2,
        xScale: 1,
        yScale: 1,
      });
    }
  }
  return output.save({ addDefaultPage: false, updateFieldAppearances: false });
}

/** All in one call, so that fonts and pictures shared between pages are copied once. */
async function embedUsedPages(
  output: PDFDocument,
  sides: readonly SheetSide[],
  pages: readonly PDFPage[],
  upright: readonly UprightPage[],
): Promise<Map<number, PDFEmbeddedPage>> {
  const used: { number: number; page: PDFPage; view: UprightPage }[] = [];
  for (const number of new Set(sides.flatMap((side) => side.sourcePages))) {
    const page = pages[number - 1];
    const view = upright[number - 1];
    // A page without Contents is blank: pdf-lib cannot embed it, and there is nothing to draw.
    if (page?.node.Contents() && view) used.push({ number, page: withoutAnnotations(page), view });
  }
  const embedded = await output.embedPages(
    used.map(({ page }) => page),
    used.map(({ view }) => view.box),
    used.map(({ view }) => view.toUpright),
  );
  return new Map(used.map(({ number }, index) => [number, embedded[index]] as [number, PDFEmbeddedPage]));
}

/** Annotations are not drawn by embedding, but would drag in every page they link to. */
function withoutAnnotations(page: PDFPage): PDFPage {
  page.node.delete(PDFName.of('Annots'));
  return page;
}

function quoted(head: string): string {
  const printable = Array.from(head.slice(0, 16), (char) => (char >= ' ' && char <= '~' ? char : '.'));
  return `'${printable.join('')}'`;
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
