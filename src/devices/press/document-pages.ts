/**
 * Document pages: the pages of an opened document with what a viewer would make of their entries. Runs
 * in the press worker.
 *
 * As viewers do: a media box that is missing or malformed counts as US Letter, a malformed crop box is
 * ignored, as are a rotation or unit that is not a number; whatever is not a stream among a page's contents
 * is left out, and a page without contents is blank.
 */

import { PDFArray, PDFName, PDFNumber, PDFStream, type PDFDocument, type PDFObject, type PDFPage } from 'pdf-lib';

import type { Rotation } from './print-settings.ts';
import { uprightPage, type Box, type UprightPage } from './page-geometry.ts';

export interface DocumentPage {
  readonly page: PDFPage;
  readonly view: UprightPage;
}

const NO_BOX: Box = { left: 0, bottom: 0, right: 0, top: 0 };

/** @param rotate - counts instead of the pages' own rotation where it is not null */
export function documentPages(document: PDFDocument, rotate: Rotation | null): DocumentPage[] {
  return document.getPages().map((page) => {
    keepSoundContents(page);
    return { page, view: measure(page, rotate) };
  });
}

function measure(page: PDFPage, rotate: Rotation | null): UprightPage {
  const inherited = (name: string): PDFObject | undefined => {
    const value = page.node.getInheritableAttribute(PDFName.of(name));
    return value && page.doc.context.lookup(value);
  };
  return uprightPage({
    mediaBox: boxOf(inherited('MediaBox')) ?? NO_BOX,
    cropBox: boxOf(inherited('CropBox')),
    rotate: rotate ?? numberOf(inherited('Rotate')) ?? 0,
    userUnit: numberOf(page.node.lookup(PDFName.of('UserUnit'))) ?? 1,
  });
}

function boxOf(object: PDFObject | undefined): Box | undefined {
  if (!(object instanceof PDFArray)) return undefined;
  const numbers = object.asArray().map((_, index) => numberOf(object.lookup(index)));
  const [left, bottom, right, top] = numbers;
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return undefined;
  return { left, bottom, right, top };
}

function numberOf(object: PDFObject | undefined): number | undefined {
  return object instanceof PDFNumber && Number.isFinite(object.asNumber()) ? object.asNumber() : undefined;
}

/** Leaves nothing but streams in the contents of a page. */
function keepSoundContents({ node, doc }: PDFPage): void {
  const name = PDFName.of('Contents');
  const contents = node.lookup(name);
  if (contents instanceof PDFStream) return;
  const entries = contents instanceof PDFArray ? contents.asArray() : [];
  const streams = entries.filter((entry) => doc.context.lookup(entry) instanceof PDFStream);
  if (streams.length === 0) node.delete(name);
  else if (streams.length < entries.length) node.set(name, doc.context.obj(streams));
}
