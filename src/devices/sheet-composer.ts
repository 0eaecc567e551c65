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
  PDFDocument,
  PDFName,
  PDFNumber,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  setFillingRgbColor,
  setGraphicsState,
  type PDFArray,
  type PDFEmbeddedPage,
  type PDFPage,
  type PDFRef,
} from 'pdf-lib';

import { DocumentError } from './document-error.ts';
import { openDocument, readingObjects } from './document-opening.ts';
import { uprightPage, type Box, type Matrix, type UprightPage } from './page-geometry.ts';
import type { PressedSheets } from './press-messages.ts';
import type { PrintSettings, Rotation } from './print-settings.ts';
import { completeFormFields, drawAnnotations } from './printed-annotations.ts';
import { planSheets, type Sheet, type SheetSide } from './sheet-plan.ts';
import type { Placement } from './side-layout.ts';

/** The size PDF allows for a page without a user unit; viewers and drivers fail beyond it. */
const LONGEST_SIDE_PT = 14_400;

interface DocumentPage {
  readonly page: PDFPage;
  readonly view: UprightPage;
}

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

function documentPages(source: PDFDocument, rotate: Rotation | null): DocumentPage[] {
  return source.getPages().map((page) => ({ page, view: measure(page, rotate) }));
}

function measure(page: PDFPage, rotate: Rotation | null): UprightPage {
  const cropBox = page.node.CropBox();
  const userUnit = page.node.get(PDFName.of('UserUnit'));
  return uprightPage({
    mediaBox: boxOf(page.node.MediaBox()),
    ...(cropBox ? { cropBox: boxOf(cropBox) } : {}),
    rotate: rotate ?? page.node.Rotate()?.asNumber() ?? 0,
    userUnit: userUnit instanceof PDFNumber ? userUnit.asNumber() : 1,
  });
}

function boxOf(array: PDFArray): Box {
  const { x, y, width, height } = array.asRectangle();
  return { left: x, bottom: y, right: x + width, top: y + height };
}

async function draw(
  sheets: readonly Sheet[],
  pages: readonly DocumentPage[],
  source: PDFDocument,
  asked: Rotation,
): Promise<Uint8Array> {
  const output = await PDFDocument.create({ updateMetadata: false });
  const embedded = await embedUsedPages(output, sheets, pages, source);
  const desaturate = output.context.register(
    output.context.obj({ Type: 'ExtGState', BM: 'Saturation', ca: 1 }),
  );
  for (const sheet of sheets) {
    checkPaper(sheet);
    for (const side of sheet.sides) {
      const page = output.addPage([sheet.paper.widthPt, sheet.paper.heightPt]);
      drawSide(page, side, embedded, asked);
      if (sheet.color === 'gray' && side.sourcePages.length > 0) makeGray(page, desaturate);
    }
  }
  return output.save({
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: ParseSpeeds.Fastest,
  });
}

function checkPaper({ paper }: Sheet): void {
  if (Math.max(paper.widthPt, paper.heightPt) <= LONGEST_SIDE_PT) return;
  const size = `${Math.round(paper.widthPt)} × ${Math.round(paper.heightPt)}`;
  throw new DocumentError(`no paper is as large as ${size} points, the size of the document page`);
}

function drawSide(
  page: PDFPage,
  { placements }: SheetSide,
  embedded: ReadonlyMap<number, PDFEmbeddedPage>,
  asked: Rotation,
): void {
  for (const placement of placements) {
    const content = embedded.get(placement.page);
    if (!content) continue;
    const turn = (placement.rotation - asked + 360) % 360;
    const name = page.node.newXObject('Page', content.ref);
    page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(...placingMatrix(placement, turn)),
      drawObject(name),
      popGraphicsState(),
    );
  }
}

/**
 * From the embedded page, upright with its corner at the origin, to its place. A rotation the job asked
 * for is in the embedded page already; `turn` is what the layout added.
 */
function placingMatrix({ scale, leftPt, bottomPt, widthPt, heightPt }: Placement, turn: number): Matrix {
  if (turn === 90) return [0, -scale, scale, 0, leftPt, bottomPt + heightPt];
  if (turn === 180) return [-scale, 0, 0, -scale, leftPt + widthPt, bottomPt + heightPt];
  if (turn === 270) return [0, scale, -scale, 0, leftPt + widthPt, bottomPt];
  return [scale, 0, 0, scale, leftPt, bottomPt];
}

/** A page group in RGB, so that luminosity is computed in one space whatever the document's colours. */
function makeGray(page: PDFPage, desaturate: PDFRef): void {
  const { width, height } = page.getSize();
  const group = { Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true };
  page.node.set(PDFName.of('Group'), page.doc.context.obj(group));
  page.pushOperators(
    pushGraphicsState(),
    setGraphicsState(page.node.newExtGState('Gray', desaturate)),
    setFillingRgbColor(0.5, 0.5, 0.5),
    rectangle(0, 0, width, height),
    fill(),
    popGraphicsState(),
  );
}

/** All in one call, so that fonts and pictures shared between pages are copied once. */
async function embedUsedPages(
  output: PDFDocument,
  sheets: readonly Sheet[],
  pages: readonly DocumentPage[],
  source: PDFDocument,
): Promise<Map<number, PDFEmbeddedPage>> {
  completeFormFields(source);
  const used: (DocumentPage & { readonly number: number })[] = [];
  for (const number of new Set(sheets.flatMap(({ sides }) => sides.flatMap((side) => side.sourcePages)))) {
    const documentPage = pages[number - 1];
    if (!documentPage) continue;
    drawAnnotations(source, documentPage.page);
    // A page without Contents is blank: pdf-lib cannot embed it, and there is nothing to draw.
    if (documentPage.page.node.Contents()) used.push({ number, ...documentPage });
  }
  const embedded = await output.embedPages(
    used.map(({ page }) => page),
    used.map(({ view }) => view.box),
    used.map(({ view }) => view.toUpright),
  );
  return new Map(used.map(({ number }, index) => [number, embedded[index]] as [number, PDFEmbeddedPage]));
}
