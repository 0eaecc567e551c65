/**
 * Document normalising: a document as a plain PDF whose pages look as they print. Runs in the press worker.
 *
 *   document ─► PDFium ─► nothing to do: neither password nor annotation that prints
 *                 │
 *                 └─► appearances that are missing, or that the form wants renewed ─► drawn into the pages ─► saved
 *
 * An annotation prints if its Print flag is set and its Hidden flag is not; of links and pop-up notes nothing is drawn.
 * Source: ISO 32000-1, 12.5.3 (flags), 12.5.5 (appearances) and 12.7.2 (NeedAppearances).
 */

import { floatsOf, withDocument, withFloats, withMemory, withPdfium, type OpenFailure, type Pdfium } from './pdfium.ts';
import { DocumentError } from './press-messages.ts';

/** What PDFium sees at first sight. */
export interface Look {
  readonly pages: number;
  /** pdf-lib may read it as it came. */
  readonly isPlain: boolean;
  /** An annotation that prints is on a layer, which is lost when it is drawn into its page. */
  readonly isLayered: boolean;
}

const LINK = 2;
const POPUP = 16;
const WIDGET = 20;
const [HIDDEN, PRINT, NO_ROTATE] = [2, 4, 16] as const;
const [CHECK_BOX, RADIO_BUTTON, COMBO_BOX] = [2, 3, 4] as const;
const NORMAL_APPEARANCE = 0;
const MEDIA_BOX = 0;
const FOR_PRINT = 1;
const REMOVE_SECURITY = 3;
const NOT_ENCRYPTED = -1;

export function lookAt(bytes: Uint8Array): Promise<Look | OpenFailure> {
  return withPdfium((pdfium) =>
    withDocument(pdfium, bytes, (document) => {
      const pages = pdfium.FPDF_GetPageCount(document);
      const annotated = annotatedPages(pdfium, document);
      const isEncrypted = pdfium.FPDF_GetSecurityHandlerRevision(document) !== NOT_ENCRYPTED;
      return {
        pages,
        isPlain: !isEncrypted && annotated.length === 0,
        isLayered: annotated.some(({ isLayered }) => isLayered),
      };
    }),
  );
}

/** The document as PDFium writes it, without encryption. `flat`: with its annotations drawn into its pages. */
export function rewritten(bytes: Uint8Array, how: 'as it is' | 'flat'): Promise<Uint8Array | OpenFailure> {
  return withPdfium((pdfium) =>
    withDocument(pdfium, bytes, (document) => {
      if (how === 'flat') flatten(pdfium, document);
      return saved(pdfium, document);
    }),
  );
}

/** The pages alone, in a new document: what is left of a page tree that nothing else can read. */
export function onlyPagesOf(bytes: Uint8Array): Promise<Uint8Array | OpenFailure> {
  return withPdfium((pdfium) =>
    withDocument(pdfium, bytes, (document) => {
      flatten(pdfium, document);
      const pages = pdfium.FPDF_CreateNewDocument();
      try {
        pdfium.FPDF_ImportPages(pages, document, '', 0);
        return saved(pdfium, pages);
      } finally {
        pdfium.FPDF_CloseDocument(pages);
      }
    }),
  );
}

interface AnnotatedPage {
  readonly index: number;
  readonly isLayered: boolean;
}

/** The pages with annotations that print. Loads no page, which would parse it. */
function annotatedPages(pdfium: Pdfium, document: number): AnnotatedPage[] {
  const annotated: AnnotatedPage[] = [];
  for (let index = 0; index < pdfium.FPDF_GetPageCount(document); index++) {
    const printed: { isLayered: boolean }[] = [];
    for (let number = pdfium.EPDFPage_GetAnnotCountRaw(document, index) - 1; number >= 0; number--) {
      const annotation = pdfium.EPDFPage_GetAnnotRaw(document, index, number);
      if (!annotation) continue;
      if (prints(pdfium, annotation)) printed.push({ isLayered: pdfium.FPDFAnnot_HasKey(annotation, 'OC') });
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
    if (printed.length > 0) annotated.push({ index, isLayered: printed.some(({ isLayered }) => isLayered) });
  }
  return annotated;
}

function prints(pdfium: Pdfium, annotation: number): boolean {
  const flags = pdfium.FPDFAnnot_GetFlags(annotation);
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
  return (flags & PRINT) !== 0 && (flags & HIDDEN) === 0 && subtype !== LINK && subtype !== POPUP;
}

function flatten(pdfium: Pdfium, document: number): void {
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  try {
    for (const { index } of annotatedPages(pdfium, document)) flattenPage(pdfium, { document, form, index });
  } finally {
    pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

interface Place {
  readonly document: number;
  readonly form: number;
  readonly index: number;
}

function flattenPage(pdfium: Pdfium, place: Place): void {
  const { document, form, index } = place;
  const page = pdfium.FPDF_LoadPage(document, index);
  if (!page) return;
  const combos = comboAppearances(pdfium, page, form);
  // Makes the appearances that are missing.
  pdfium.FORM_OnAfterLoadPage(page, form);
  drawWithoutArrows(pdfium, page, combos);
  giveOwnMediaBox(pdfium, page, place);
  const quarters = pdfium.FPDFPage_GetRotation(page);
  eachAnnotation(pdfium, page, (annotation, number) => {
    if (pdfium.FPDFAnnot_GetSubtype(annotation) === LINK) pdfium.FPDFPage_RemoveAnnot(page, number);
    else if (prints(pdfium, annotation)) settle(pdfium, annotation, form, quarters);
  });
  pdfium.FPDFPage_Flatten(page, FOR_PRINT);
  pdfium.FORM_OnBeforeClosePage(page, form);
  pdfium.FPDF_ClosePage(page);
}

/** The last one first, so that one may be removed. */
function eachAnnotation(pdfium: Pdfium, page: number, visit: (annotation: number, number: number) => void): void {
  for (let number = pdfium.FPDFPage_GetAnnotCount(page) - 1; number >= 0; number--) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, number);
    if (!annotation) continue;
    visit(annotation, number);
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
}

/** The appearances of combo boxes, by the number of their annotation. */
function comboAppearances(pdfium: Pdfium, page: number, form: number): Map<number, string> {
  const appearances = new Map<number, string>();
  eachAnnotation(pdfium, page, (annotation, number) => {
    const isCombo = pdfium.FPDFAnnot_GetFormFieldType(form, annotation) === COMBO_BOX;
    if (isCombo) appearances.set(number, appearanceOf(pdfium, annotation));
  });
  return appearances;
}

/** PDFium draws the arrow that a combo box has on a screen into each appearance that it makes for one. */
function drawWithoutArrows(pdfium: Pdfium, page: number, before: ReadonlyMap<number, string>): void {
  if (before.size === 0) return;
  eachAnnotation(pdfium, page, (annotation, number) => {
    const known = before.get(number);
    if (known === undefined || known === appearanceOf(pdfium, annotation)) return;
    pdfium.EPDFAnnot_GenerateFormFieldAP(annotation);
  });
}

function appearanceOf(pdfium: Pdfium, annotation: number): string {
  const size = pdfium.FPDFAnnot_GetAP(annotation, NORMAL_APPEARANCE, 0, 0);
  return withMemory(pdfium, Math.max(size, 1), (at) => {
    pdfium.FPDFAnnot_GetAP(annotation, NORMAL_APPEARANCE, at, size);
    return Buffer.from(pdfium.pdfium.HEAPU8.slice(at, at + size)).toString('utf16le');
  });
}

/** Flattening takes US Letter for a page whose media box is inherited. */
function giveOwnMediaBox(pdfium: Pdfium, page: number, { document, index }: Place): void {
  const hasOwn = floatsOf(pdfium, 4, (at) => pdfium.FPDFPage_GetMediaBox(page, at, at + 4, at + 8, at + 12));
  if (hasOwn) return;
  const box = floatsOf(pdfium, 4, (at) => pdfium.EPDF_GetPageBoxByIndex(document, index, MEDIA_BOX, at));
  const [left = 0, top = 0, right = 0, bottom = 0] = box ?? [];
  if (box) pdfium.FPDFPage_SetMediaBox(page, left, Math.min(top, bottom), right, Math.max(top, bottom));
}

function settle(pdfium: Pdfium, annotation: number, form: number, quarters: number): void {
  settleButton(pdfium, annotation, form);
  const staysUpright = (pdfium.FPDFAnnot_GetFlags(annotation) & NO_ROTATE) !== 0;
  if (quarters > 0 && staysUpright) turnUpright(pdfium, annotation, quarters);
}

/** A button without a state is off; PDFium would draw the first of its states. */
function settleButton(pdfium: Pdfium, annotation: number, form: number): void {
  if (pdfium.FPDFAnnot_GetSubtype(annotation) !== WIDGET || pdfium.FPDFAnnot_HasKey(annotation, 'AS')) return;
  const type = pdfium.FPDFAnnot_GetFormFieldType(form, annotation);
  if (type !== CHECK_BOX && type !== RADIO_BUTTON) return;
  withMemory(pdfium, UTF16_OFF_BYTES, (at) => {
    pdfium.pdfium.stringToUTF16('Off', at, UTF16_OFF_BYTES);
    pdfium.FPDFAnnot_SetStringValue(annotation, 'AS', at);
  });
}

const UTF16_OFF_BYTES = 8;

/** By quarters counter-clockwise: cosine and sine. */
const TURNS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** Turns an annotation about its upper left corner against the turn of its page, so that it is level on paper. */
function turnUpright(pdfium: Pdfium, annotation: number, quarters: number): void {
  const rect = floatsOf(pdfium, 4, (at) => pdfium.FPDFAnnot_GetRect(annotation, at));
  const matrix = floatsOf(pdfium, 6, (at) => pdfium.EPDFAnnot_GetAPMatrix(annotation, NORMAL_APPEARANCE, at));
  if (!rect || !matrix) return;
  const [cos, sin] = TURNS[quarters % TURNS.length] ?? TURNS[0];
  const turn = (x: number, y: number): [number, number] => [x * cos - y * sin, x * sin + y * cos];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  const turned = [...turn(a, b), ...turn(c, d), ...turn(e, f)];
  withFloats(pdfium, turned, (at) => pdfium.EPDFAnnot_SetAPMatrix(annotation, NORMAL_APPEARANCE, at));
  const [left = 0, top = 0, right = 0, bottom = 0] = rect;
  const [width, height] = turn(right - left, bottom - top);
  const [xs, ys] = [
    [left, left + width],
    [top, top + height],
  ];
  const upright = [Math.min(...xs), Math.max(...ys), Math.max(...xs), Math.min(...ys)];
  withFloats(pdfium, upright, (at) => pdfium.FPDFAnnot_SetRect(annotation, at));
}

function saved(pdfium: Pdfium, document: number): Uint8Array {
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  try {
    if (!pdfium.FPDF_SaveAsCopy(document, writer, REMOVE_SECURITY)) {
      throw new DocumentError('the document is damaged: its objects cannot be written again');
    }
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
    return withMemory(pdfium, size, (at) => {
      pdfium.PDFiumExt_GetFileWriterData(writer, at, size);
      return pdfium.pdfium.HEAPU8.slice(at, at + size);
    });
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer);
  }
}
