/**
 * Page forms: document pages as form objects of the sheets PDF, each made once however often it is drawn.
 * Runs in the press worker.
 *
 * A page with one content stream keeps it byte for byte, compressed as it came: nothing is inflated, and
 * thousands of pages take no time. Only several streams have to be joined, and one of them that cannot be
 * decoded counts as far as it goes. Fonts and pictures that pages share are copied once.
 */

import { constants, deflateSync, inflateSync } from 'node:zlib';

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
import { addLayers } from './page-layers.ts';

const FILTER_ENTRIES = ['Filter', 'DecodeParms'] as const;

/** What a page form is made of: bytes and the filters they are under. */
interface Content {
  readonly bytes: Uint8Array;
  readonly filters: PDFDict | 'FlateDecode';
}

/**
 * Adds a form for each of the pages that has contents. Result: page number → form.
 *
 * @param group - the entry of a transparency group, if what a page draws may not be blended with what lies below it
 */
export function addPageForms(
  output: PDFDocument,
  source: PDFDocument,
  pages: ReadonlyMap<number, DocumentPage>,
  group?: PDFDict,
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
    if (group) entries.set(PDFName.of('Group'), group);
    const resources = page.node.Resources();
    if (resources) entries.set(PDFName.of('Resources'), copier.copy(resources));
    setFilters(entries, content, copier);
    forms.set(number, output.context.register(PDFRawStream.of(entries, content.bytes)));
  }
  addLayers(output, source, copier);
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
  if (stream instanceof PDFRawStream) return Buffer.concat([decoded(stream), NEWLINE]);
  if (stream instanceof PDFContentStream) return Buffer.concat([stream.getUnencodedContents(), NEWLINE]);
  throw new DocumentError('the document is damaged: the contents of a page are not a stream');
}

function decoded(stream: PDFRawStream): Uint8Array {
  useLongFilterName(stream.dict);
  try {
    return decodePDFRawStream(stream).decode();
  } catch {
    return decodedInPart(stream);
  }
}

/** The short names are for pictures inside contents; viewers take them here as well. */
const LONG_FILTER_NAMES = new Map([
  [PDFName.of('Fl'), PDFName.of('FlateDecode')],
  [PDFName.of('LZW'), PDFName.of('LZWDecode')],
  [PDFName.of('A85'), PDFName.of('ASCII85Decode')],
  [PDFName.of('AHx'), PDFName.of('ASCIIHexDecode')],
  [PDFName.of('RL'), PDFName.of('RunLengthDecode')],
]);

function useLongFilterName(dict: PDFDict): void {
  const filter = dict.lookup(PDFName.of('Filter'));
  const long = filter instanceof PDFName ? LONG_FILTER_NAMES.get(filter) : undefined;
  if (long) dict.set(PDFName.of('Filter'), long);
}

/** What came through before the damage; nothing of what is under a filter that is not known. */
function decodedInPart({ dict, contents }: PDFRawStream): Uint8Array {
  if (dict.lookup(PDFName.of('Filter')) !== PDFName.of('FlateDecode')) return Buffer.of();
  try {
    return inflateSync(contents, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.of();
  }
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
