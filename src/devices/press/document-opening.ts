/**
 * Document opening: from the bytes of a job to a PDF that can be drawn. Runs in the press worker.
 *
 *   bytes ─► PDFium looks ─► plain ─► pdf-lib ─► document
 *                │                       │ cannot, or finds damage
 *                │ encrypted, annotated  ▼
 *                └────────────────────► rewritten by PDFium, or its pages alone ─► pdf-lib ─► document
 *                                                                 │ cannot either
 *                                                                 ▼
 *                                                               DocumentError in the words of users
 *
 * A plain document keeps its bytes. One with an owner password only opens with the empty user password; as clients do,
 * the press ignores that its author forbids printing.
 */

import {
  ParseSpeeds,
  PDFDict,
  PDFDocument,
  PDFInvalidObject,
  PDFName,
  PDFNumber,
  PDFRawStream,
  type PDFObject,
  type PDFPage,
  type PDFPageLeaf,
} from 'pdf-lib';

import { lookAt, onlyPagesOf, rewritten, type Look } from './document-normalising.ts';
import { moveLayersToAppearances } from './page-layers.ts';
import type { OpenFailure } from './pdfium.ts';
import { DocumentError } from './press-messages.ts';

/** How far into a file the header may stand: what CUPS and viewers put up with. */
const HEADER_WITHIN_BYTES = 1_024;
const TRAILER_WITHIN_BYTES = 2_048;
/** PDFium leaves the entry of an encryption that it has undone. */
const LOAD_OPTIONS = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest, ignoreEncryption: true } as const;

/** What a reader of text writes in place of bytes that it does not understand; a sound PDF has no row of them. */
const REPLACED = Buffer.from('\uFFFD\uFFFD');

const RESOURCES = PDFName.of('Resources');

const READ_AS_TEXT = 'the document is damaged: its bytes were changed, as by reading them as text';
const NEEDS_PASSWORD = 'the document is encrypted and needs a password';

/** @throws DocumentError when nothing can open it */
export async function openDocument(document: Uint8Array): Promise<PDFDocument> {
  if (document.length === 0) throw new DocumentError('the document is empty');
  const head = Buffer.from(document.subarray(0, HEADER_WITHIN_BYTES)).toString('latin1');
  if (!head.includes('%PDF-')) throw new DocumentError(`the document is not a PDF: it begins with ${quoted(head)}`);
  if (wasReadAsText(document.subarray(0, HEADER_WITHIN_BYTES))) throw new DocumentError(READ_AS_TEXT);
  const look = await lookAt(document);
  if (look === 'password') throw new DocumentError(NEEDS_PASSWORD);
  if (look === 'encryption') throw new DocumentError('the document is encrypted in a way that is not known');
  let failure: DocumentError | undefined;
  for (const open of [openPlain, openRewritten, openPages]) {
    try {
      const opened = await open(document, look);
      if (opened) return opened;
    } catch (error) {
      failure ??= asDamage(error);
    }
  }
  throw failure ?? new DocumentError(whyUnreadable(document, look));
}

/** A PDF that the press itself, or PDFium, has written. */
export function openWritten(pdf: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(pdf, LOAD_OPTIONS);
}

/** Runs what reads a document's objects; whatever it trips over is damage of the document. */
export async function readingObjects<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asDamage(error);
  }
}

/** Undefined where pdf-lib sees less of it than PDFium. What PDFium cannot open is left to pdf-lib alone. */
async function openPlain(document: Uint8Array, look: Look | OpenFailure): Promise<PDFDocument | undefined> {
  if (typeof look === 'object' && !look.isPlain) return undefined;
  const opened = await loaded(document);
  if (!opened || typeof look !== 'object') return opened;
  const isWhole = opened.context.enumerateIndirectObjects().every(([, object]) => wasRead(object));
  return isWhole && opened.getPageCount() >= look.pages ? opened : undefined;
}

/** The line break before `endstream` may be part of a stream or not. */
const LINE_BREAK_BYTES = 2;

/** pdf-lib passes over what it does not understand, and ends some streams at the first `endstream` in them. */
function wasRead(object: PDFObject): boolean {
  if (!(object instanceof PDFRawStream)) return !(object instanceof PDFInvalidObject);
  const length = object.dict.lookup(PDFName.of('Length'));
  return !(length instanceof PDFNumber) || length.asNumber() <= object.contents.length + LINE_BREAK_BYTES;
}

async function openRewritten(document: Uint8Array, look: Look | OpenFailure): Promise<PDFDocument | undefined> {
  if (typeof look !== 'object') return undefined;
  const source = look.isLayered ? await layersToAppearances(document) : document;
  const opened = await loaded(await rewritten(source, 'flat'));
  for (const { node } of opened?.getPages() ?? []) keepInheritedResources(node);
  return opened;
}

/** A page into which an annotation was drawn has resources of its own, in place of those that it inherited. */
function keepInheritedResources(page: PDFPageLeaf): void {
  const own = page.lookup(RESOURCES);
  if (!(own instanceof PDFDict)) return;
  page.ascend((ancestor) => {
    const inherited = ancestor === page ? undefined : ancestor.lookup(RESOURCES);
    if (inherited instanceof PDFDict) addMissing(own, inherited);
  });
}

/** Kinds of resources, and names within a kind. */
function addMissing(own: PDFDict, inherited: PDFDict): void {
  for (const [kind, value] of inherited.entries()) {
    const [ours, theirs] = [own.lookup(kind), inherited.lookup(kind)];
    if (ours === undefined) own.set(kind, value);
    else if (ours instanceof PDFDict && theirs instanceof PDFDict) addMissing(ours, theirs);
  }
}

async function openPages(document: Uint8Array, look: Look | OpenFailure): Promise<PDFDocument | undefined> {
  if (typeof look !== 'object') return undefined;
  const opened = await loaded(await onlyPagesOf(document));
  // A page that is not there at all is a blank one then.
  return opened?.getPages().some(({ node }) => node.Contents()) ? opened : undefined;
}

/** A layer of an annotation would be lost when the annotation is drawn into its page. */
async function layersToAppearances(document: Uint8Array): Promise<Uint8Array> {
  const opened = await loaded(await rewritten(document, 'as it is'));
  if (!opened) return document;
  moveLayersToAppearances(opened);
  return opened.save({ addDefaultPage: false, updateFieldAppearances: false });
}

/** Undefined where pdf-lib finds no pages, or not what they inherit. @throws DocumentError for pages in a circle */
async function loaded(bytes: Uint8Array | OpenFailure): Promise<PDFDocument | undefined> {
  if (typeof bytes === 'string') return undefined;
  const opened = await PDFDocument.load(bytes, LOAD_OPTIONS).catch(() => undefined);
  try {
    const pages = opened?.getPages() ?? [];
    return pages.length > 0 && pages.every(canInherit) ? opened : undefined;
  } catch (error) {
    if (isEndless(error)) throw asDamage(error);
    return undefined;
  }
}

/** A page whose parents are a circle can: whatever reads it says so, while PDFium would go round for ever. */
function canInherit({ node }: PDFPage): boolean {
  try {
    node.ascend(() => undefined);
    return true;
  } catch (error) {
    return isEndless(error);
  }
}

/** Near its head, where a PDF says in a few bytes that it is no text, this is certain although it may still open. */
function wasReadAsText(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REPLACED);
}

function whyUnreadable(document: Uint8Array, look: Look | OpenFailure): string {
  if (wasReadAsText(document)) return READ_AS_TEXT;
  const tail = Buffer.from(document.subarray(-TRAILER_WITHIN_BYTES)).toString('latin1');
  if (!tail.includes('%%EOF')) return 'the document is truncated: its end is missing';
  return look === 'damaged' ? 'the document is damaged: its pages cannot be found' : 'the document has no pages';
}

/** The words of the library say nothing to a user; they stay in the cause. */
function asDamage(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const what = isEndless(error) ? 'its pages refer to each other in a circle' : 'its pages cannot be read';
  return new DocumentError(`the document is damaged: ${what}`, { cause: error });
}

function isEndless(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function quoted(head: string): string {
  const printable = Array.from(head.slice(0, 16), (char) => (char >= ' ' && char <= '~' ? char : '.'));
  return `'${printable.join('')}'`;
}
