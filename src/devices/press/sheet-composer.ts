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
  PDFObjectCopier,
  PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  setFillingRgbColor,
  setGraphicsState,
  type PDFDict,
  type PDFOperator,
  type PDFRef,
} from 'pdf-lib';

import type { PrintSettings, Rotation } from './print-settings.ts';
import { openDocument, openWritten, readingObjects } from './document-opening.ts';
import { documentPages, type DocumentPage } from './document-pages.ts';
import { addPageForms } from './page-forms.ts';
import type { Matrix } from './page-geometry.ts';
import { addLayers } from './page-layers.ts';
import { DocumentError, type PressedSheets } from './press-messages.ts';
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
  const group = output.context.obj({ Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true });
  const isGray = sheets.some(({ color }) => color === 'gray');
  const forms = addPageForms(output, source, usedPages(sheets, pages), isGray ? group : undefined);
  const desaturate = output.context.register(output.context.obj({ Type: 'ExtGState', BM: 'Saturation', ca: 1 }));
  for (const sheet of sheets) {
    checkPaper(sheet);
    for (const side of sheet.sides) {
      const page = output.addPage([sheet.paper.widthPt, sheet.paper.heightPt]);
      const operators = sideOperators(page, side, forms, asked);
      const drawn = isGray && operators.length > 0 ? inGray(page, { group, desaturate, operators }) : operators;
      const content = PDFContentStream.of(output.context.obj({}), drawn, false);
      page.node.set(PDFName.of('Contents'), output.context.register(content));
    }
  }
  return output.save(SAVE_OPTIONS);
}

/** The first `count` sides of a sheets PDF. */
export async function firstSides(pdf: Uint8Array, count: number): Promise<Uint8Array> {
  const part = await PDFDocument.create({ updateMetadata: false });
  addSides(part, await openWritten(pdf), count);
  return part.save(SAVE_OPTIONS);
}

/** Sheets PDFs one after the other. */
export async function joined(pdfs: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = await PDFDocument.create({ updateMetadata: false });
  for (const pdf of pdfs) addSides(whole, await openWritten(pdf));
  return whole.save(SAVE_OPTIONS);
}

/** Copies the first `count` sides with the layers that they name, which `copyPages` of the library leaves behind. */
function addSides(output: PDFDocument, sheets: PDFDocument, count?: number): void {
  const copier = PDFObjectCopier.for(sheets.context, output.context);
  for (const { node } of sheets.getPages().slice(0, count)) {
    const leaf = copier.copy(node);
    output.addPage(PDFPage.of(leaf, output.context.register(leaf), output));
  }
  addLayers(output, sheets, copier);
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

interface GraySide {
  readonly group: PDFDict;
  readonly desaturate: PDFRef;
  readonly operators: readonly PDFOperator[];
}

/**
 * Groups in RGB, so that luminosity is computed in one space whatever the document's colours. The ground is white
 * before anything is drawn, as gray that is blended with nothing stays gray.
 */
function inGray(page: PDFPage, { group, desaturate, operators }: GraySide): PDFOperator[] {
  const { width, height } = page.getSize();
  page.node.set(PDFName.of('Group'), group);
  const filled = (level: number): PDFOperator[] => [
    setFillingRgbColor(level, level, level),
    rectangle(0, 0, width, height),
    fill(),
  ];
  return [
    pushGraphicsState(),
    ...filled(1),
    popGraphicsState(),
    ...operators,
    pushGraphicsState(),
    setGraphicsState(page.node.newExtGState('Gray', desaturate)),
    ...filled(0.5),
    popGraphicsState(),
  ];
}

/** The document pages that are drawn. */
function usedPages(sheets: readonly Sheet[], pages: readonly DocumentPage[]): Map<number, DocumentPage> {
  const used = new Map<number, DocumentPage>();
  for (const number of new Set(sheets.flatMap(({ sides }) => sides.flatMap((side) => side.sourcePages)))) {
    const documentPage = pages[number - 1];
    if (documentPage) used.set(number, documentPage);
  }
  return used;
}
