/**
 * Printed annotations: form fields, stamps and notes drawn into the content of their page, since a page
 * is embedded without them. Runs in the press worker.
 *
 * Drawn is what a viewer prints: an annotation with a normal appearance whose Print flag is set and
 * whose Hidden flag is not. Source: ISO 32000-1, 12.5.3 (flags) and 12.5.5 (appearance streams).
 */

import {
  concatTransformationMatrix,
  drawObject,
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRef,
  PDFStream,
  popGraphicsState,
  pushGraphicsState,
  type PDFDocument,
  type PDFOperator,
  type PDFPage,
} from 'pdf-lib';

import type { Matrix } from './page-geometry.ts';

const HIDDEN = 1 << 1;
const PRINT = 1 << 2;

/** Gives form fields that have a value and no appearance one, as far as that can be done. */
export function completeFormFields(document: PDFDocument): void {
  if (!document.catalog.has(PDFName.of('AcroForm'))) return;
  try {
    document.getForm().updateFieldAppearances();
  } catch {
    // A form that cannot be understood is printed with the appearances it brought.
  }
}

/** Moves what is to be printed of the annotations of a page into its content, and removes them all. */
export function drawAnnotations(document: PDFDocument, page: PDFPage): void {
  const annotations = page.node.lookup(PDFName.of('Annots'));
  page.node.delete(PDFName.of('Annots'));
  if (!(annotations instanceof PDFArray)) return;
  const operators = annotations.asArray().flatMap((_, index) => {
    const annotation = annotations.lookup(index);
    return annotation instanceof PDFDict ? drawn(annotation, page) : [];
  });
  if (operators.length === 0) return;
  const { context } = document;
  const begin = context.register(context.contentStream([pushGraphicsState()]));
  const end = context.register(context.contentStream([popGraphicsState(), ...operators]));
  page.node.normalize();
  if (!page.node.wrapContentStreams(begin, end)) page.node.addContentStream(end);
}

function drawn(annotation: PDFDict, page: PDFPage): PDFOperator[] {
  const flags = annotation.lookup(PDFName.of('F'));
  const bits = flags instanceof PDFNumber ? flags.asNumber() : 0;
  const appearance = appearanceOf(annotation);
  const rect = numbersOf(annotation.lookup(PDFName.of('Rect')), 4);
  if (!appearance || !rect || (bits & PRINT) === 0 || (bits & HIDDEN) !== 0) return [];
  const placing = placingMatrix(appearance.stream.dict, rect);
  if (!placing) return [];
  const name = page.node.newXObject('Annotation', appearance.ref);
  return [pushGraphicsState(), concatTransformationMatrix(...placing), drawObject(name), popGraphicsState()];
}

/** The normal appearance; of several, the one of the annotation's state (a ticked box, say). */
function appearanceOf(annotation: PDFDict): { ref: PDFRef; stream: PDFStream } | undefined {
  const appearances = annotation.lookup(PDFName.of('AP'));
  if (!(appearances instanceof PDFDict)) return undefined;
  const normal = appearances.lookup(PDFName.of('N'));
  const state = annotation.lookup(PDFName.of('AS'));
  const inStates = normal instanceof PDFDict && state instanceof PDFName;
  const ref = inStates ? normal.get(state) : appearances.get(PDFName.of('N'));
  const stream = ref instanceof PDFRef ? annotation.context.lookup(ref) : undefined;
  return ref instanceof PDFRef && stream instanceof PDFStream ? { ref, stream } : undefined;
}

/** Maps the appearance's box, turned by its own matrix, onto the annotation's rectangle. */
function placingMatrix(appearance: PDFDict, rect: readonly number[]): Matrix | undefined {
  const box = numbersOf(appearance.lookup(PDFName.of('BBox')), 4);
  if (!box) return undefined;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(appearance.lookup(PDFName.of('Matrix')), 6) ?? [];
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box;
  const corners = [
    [x1, y1],
    [x1, y2],
    [x2, y1],
    [x2, y2],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const [left, right] = bounds(corners.map(([x]) => x));
  const [bottom, top] = bounds(corners.map(([, y]) => y));
  if (right === left || top === bottom) return undefined;
  const [rectLeft, rectRight] = bounds([rect[0] ?? 0, rect[2] ?? 0]);
  const [rectBottom, rectTop] = bounds([rect[1] ?? 0, rect[3] ?? 0]);
  const xScale = (rectRight - rectLeft) / (right - left);
  const yScale = (rectTop - rectBottom) / (top - bottom);
  return [xScale, 0, 0, yScale, rectLeft - left * xScale, rectBottom - bottom * yScale];
}

function numbersOf(object: unknown, count: number): number[] | undefined {
  if (!(object instanceof PDFArray) || object.size() !== count) return undefined;
  const numbers = object.asArray().map((_, index) => object.lookup(index));
  return numbers.every((number) => number instanceof PDFNumber)
    ? numbers.map((number) => number.asNumber())
    : undefined;
}

function bounds(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
