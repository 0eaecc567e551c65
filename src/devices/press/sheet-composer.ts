/**
 * Sheet composer: draws planned sheets as a PDF, one page a side. Runs in the press worker.
 *
 *   document ─► pages, upright ─► plan ─► each side: paper-sized page with its document pages where the
 *                                         plan puts them; what reaches over the edge is cut off
 *
 * Gray sides keep their vectors and text: a gray rectangle over the whole side, blended so that it takes
 * away the saturation of what lies below. The same document and settings give the same bytes.
 */

import {
  concatTransformationMatrix,
  drawObject,
  fill,
  ParseSpeeds,
  PDFContentStream,
  PDFDocument,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  setFillingRgbColor,
  setGraphicsState,
  type PDFOperator,
  type PDFPage,
  type PDFRef,
} from 'pdf-lib';

import type { PrintSettings, Rotation } from './print-settings.ts';
import { openDocument, readingObjects } from './document-opening.ts';
import { documentPages, type DocumentPage } from './document-pages.ts';
import { addPageForms } from './page-forms.ts';
import type { Matrix } from './page-geometry.ts';
import { DocumentError, type PressedSheets } from './press-messages.ts';
import { completeFormFields, drawAnnotations } from './printed-annotations.ts';
import { planSheets, type Sheet, type SheetSide } from './sheet-plan.ts';
import type { Placement } from './side-layout.ts';

/** The size PDF allows for a page without a user unit; viewers and drivers fail beyond it. */
const LONGEST_SIDE_PT = 14_400;
const SAVE_OPTIONS = {
  addDefaultPage: false,
  updateFieldAppearances: false,
  objectsPerTick: ParseSpeeds.Fastest,
} as const;

/**
 * Makes the sheets of one submission.
 *
 * @throws DocumentError when the document cannot be printed with these settings
 */
export async function composeSheets(document: Uint8Array, settings: PrintSettings): Promise<PressedSheets> {
  const source = await openDocument(document);
  const pages = await readingObjects(() => documentPages(source, settings.rotate));
  if (pages.length === 0) throw new DocumentError('the document has no pages');
  const plan = planSheets(
    pages.map(({ view }) => view),
    settings,
  );
  if (!plan.ok) throw new DocumentError(plan.error);
  const pdf = await readingObjects(() => draw(plan.value, pages, source, settings.rotate ?? 0));
  return { sheets: plan.value, pdf };
}

async function draw(
  sheets: readonly Sheet[],
  pages: readonly DocumentPage[],
  source: PDFDocument,
  asked: Rotation,
): Promise<Uint8Array> {
  const output = await PDFDocument.create({ updateMetadata: false });
  const forms = addPageForms(output, source, usedPages(sheets, pages, source));
  const desaturate = output.context.register(output.context.obj({ Type: 'ExtGState', BM: 'Saturation', ca: 1 }));
  for (const sheet of sheets) {
    checkPaper(sheet);
    for (const side of sheet.sides) {
      const page = output.addPage([sheet.paper.widthPt, sheet.paper.heightPt]);
      const operators = sideOperators(page, side, forms, asked);
      if (sheet.color === 'gray' && operators.length > 0) {
        operators.push(...grayOperators(page, desaturate));
      }
      const content = PDFContentStream.of(output.context.obj({}), operators, false);
      page.node.set(PDFName.of('Contents'), output.context.register(content));
    }
  }
  return output.save(SAVE_OPTIONS);
}

/** The first `count` sides of a sheets PDF. */
export async function firstSides(pdf: Uint8Array, count: number): Promise<Uint8Array> {
  const whole = await openDocument(pdf);
  const part = await PDFDocument.create({ updateMetadata: false });
  const pages = await part.copyPages(
    whole,
    Array.from({ length: count }, (_, index) => index),
  );
  for (const page of pages) part.addPage(page);
  return part.save(SAVE_OPTIONS);
}

/** Sheets PDFs one after the other. */
export async function joined(pdfs: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = await PDFDocument.create({ updateMetadata: false });
  for (const pdf of pdfs) {
    const part = await openDocument(pdf);
    for (const page of await whole.copyPages(part, part.getPageIndices())) whole.addPage(page);
  }
  return whole.save(SAVE_OPTIONS);
}

function checkPaper({ paper }: Sheet): void {
  if (Math.max(paper.widthPt, paper.heightPt) <= LONGEST_SIDE_PT) return;
  const size = `${Math.round(paper.widthPt)} × ${Math.round(paper.heightPt)}`;
  throw new DocumentError(`no paper is as large as ${size} points, the size of the document page`);
}

function sideOperators(
  page: PDFPage,
  { placements }: SheetSide,
  forms: ReadonlyMap<number, PDFRef>,
  asked: Rotation,
): PDFOperator[] {
  return placements.flatMap((placement) => {
    const form = forms.get(placement.page);
    if (!form) return [];
    const turn = (placement.rotation - asked + 360) % 360;
    return [
      pushGraphicsState(),
      concatTransformationMatrix(...placingMatrix(placement, turn)),
      drawObject(page.node.newXObject('Page', form)),
      popGraphicsState(),
    ];
  });
}

/**
 * From the page's form, upright with its corner at the origin, to its place. A rotation the job asked
 * for is in the form already; `turn` is what the layout added.
 */
function placingMatrix({ scale, leftPt, bottomPt, widthPt, heightPt }: Placement, turn: number): Matrix {
  if (turn === 90) return [0, -scale, scale, 0, leftPt, bottomPt + heightPt];
  if (turn === 180) return [-scale, 0, 0, -scale, leftPt + widthPt, bottomPt + heightPt];
  if (turn === 270) return [0, scale, -scale, 0, leftPt + widthPt, bottomPt];
  return [scale, 0, 0, scale, leftPt, bottomPt];
}

/** A page group in RGB, so that luminosity is computed in one space whatever the document's colours. */
function grayOperators(page: PDFPage, desaturate: PDFRef): PDFOperator[] {
  const { width, height } = page.getSize();
  const group = { Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true };
  page.node.set(PDFName.of('Group'), page.doc.context.obj(group));
  return [
    pushGraphicsState(),
    setGraphicsState(page.node.newExtGState('Gray', desaturate)),
    setFillingRgbColor(0.5, 0.5, 0.5),
    rectangle(0, 0, width, height),
    fill(),
    popGraphicsState(),
  ];
}

/** The document pages that are drawn, with their form fields and annotations in their contents. */
function usedPages(
  sheets: readonly Sheet[],
  pages: readonly DocumentPage[],
  source: PDFDocument,
): Map<number, DocumentPage> {
  completeFormFields(source);
  const used = new Map<number, DocumentPage>();
  for (const number of new Set(sheets.flatMap(({ sides }) => sides.flatMap((side) => side.sourcePages)))) {
    const documentPage = pages[number - 1];
    if (!documentPage) continue;
    drawAnnotations(source, documentPage.page);
    used.set(number, documentPage);
  }
  return used;
}
