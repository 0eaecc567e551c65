/**
 * Page forms: document pages as form objects of the sheets PDF, each made once however often it is drawn.
 * Runs in the press worker.
 *
 * A page with one content stream keeps it byte for byte, compressed as it came: nothing is inflated, and
 * thousands of pages take no time. Only several streams have to be joined. Fonts and pictures that pages
 * share are copied once.
 */

import { deflateSync } from 'node:zlib';

import {
  decodePDFRawStream,
  PDFArray,
  PDFContentStream,
  PDFName,
  PDFObjectCopier,
  PDFRawStream,
  type PDFDict,
  type PDFDocument,
  type PDFPage,
  type PDFRef,
} from 'pdf-lib';

import { DocumentError } from './press-messages.ts';
import type { DocumentPage } from './document-pages.ts';

const FILTER_ENTRIES = ['Filter', 'DecodeParms'] as const;

/** What a page form is made of: bytes and the filters they are under. */
interface Content {
  readonly bytes: Uint8Array;
  readonly filters: PDFDict | 'FlateDecode';
}

/** Adds a form for each of the pages that has contents. Result: page number → form. */
export function addPageForms(
  output: PDFDocument,
  source: PDFDocument,
  pages: ReadonlyMap<number, DocumentPage>,
): Map<number, PDFRef> {
  const copier = PDFObjectCopier.for(source.context, output.context);
  const forms = new Map<number, PDFRef>();
  for (const [number, { page, view }] of pages) {
    const content = contentOf(page);
    if (!content) continue;
    const { left, bottom, right, top } = view.box;
    const entries = output.context.obj({
      Type: 'XObject',
      Subtype: 'Form',
      FormType: 1,
      BBox: [left, bottom, right, top],
      Matrix: view.toUpright,
    });
    const resources = page.node.Resources();
    if (resources) entries.set(PDFName.of('Resources'), copier.copy(resources));
    setFilters(entries, content, copier);
    forms.set(number, output.context.register(PDFRawStream.of(entries, content.bytes)));
  }
  return forms;
}

function contentOf({ node, doc }: PDFPage): Content | undefined {
  const contents = node.Contents();
  if (!contents) return undefined;
  const entries = contents instanceof PDFArray ? contents.asArray() : [contents];
  const streams = entries.map((entry) => doc.context.lookup(entry));
  const [only] = streams;
  if (streams.length === 1 && only instanceof PDFRawStream) {
    return { bytes: only.contents, filters: only.dict };
  }
  return { bytes: deflateSync(Buffer.concat(streams.map(plainBytes))), filters: 'FlateDecode' };
}

/** Parts end in a line break, as a word may not go on in the next one. */
function plainBytes(stream: unknown): Buffer {
  if (stream instanceof PDFRawStream) return Buffer.concat([decodePDFRawStream(stream).decode(), NEWLINE]);
  if (stream instanceof PDFContentStream) return Buffer.concat([stream.getUnencodedContents(), NEWLINE]);
  throw new DocumentError('the document is damaged: the contents of a page are not a stream');
}

const NEWLINE = Buffer.from('\n');

function setFilters(entries: PDFDict, { filters }: Content, copier: PDFObjectCopier): void {
  if (filters === 'FlateDecode') {
    entries.set(PDFName.of('Filter'), PDFName.of(filters));
    return;
  }
  for (const name of FILTER_ENTRIES) {
    const value = filters.get(PDFName.of(name));
    if (value) entries.set(PDFName.of(name), copier.copy(value));
  }
}
