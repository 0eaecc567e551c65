/**
 * Document opening: from the bytes of a job to a PDF that can be drawn. Runs in the press worker.
 *
 *   bytes ─► pdf-lib ─► document
 *              │ cannot: encrypted, or damaged
 *              ▼
 *            its maintained fork, with the empty password ─► rewritten ─► pdf-lib ─► document
 *              │ cannot either
 *              ▼
 *            DocumentError that says what pdf-lib found
 *
 * The fork does not replace pdf-lib: its sheets look the same, but its files are larger and have other bytes, and
 * it gives up on damage that the two get over together.
 *
 * A document with an owner password only opens with the empty user password; as clients do, the press ignores
 * that its author forbids printing.
 */

import { ParseSpeeds, PDFDocument } from 'pdf-lib';

import { messageOf } from '../../common/error-message.ts';
import { DocumentError } from './press-messages.ts';

/** How far into a file the header may stand: what CUPS and viewers put up with. */
const HEADER_WITHIN_BYTES = 1_024;
const TRAILER_WITHIN_BYTES = 2_048;
const LOAD_OPTIONS = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest } as const;

/** @throws DocumentError when nothing can open it */
export async function openDocument(document: Uint8Array): Promise<PDFDocument> {
  if (document.length === 0) throw new DocumentError('the document is empty');
  const head = Buffer.from(document.subarray(0, HEADER_WITHIN_BYTES)).toString('latin1');
  if (!head.includes('%PDF-')) throw new DocumentError(`the document is not a PDF: it begins with ${quoted(head)}`);
  try {
    return withPages(await PDFDocument.load(document, LOAD_OPTIONS));
  } catch (error) {
    const rewritten = await rewrite(document);
    if (rewritten) return rewritten;
    throw new DocumentError(whyUnreadable(error, document), { cause: error });
  }
}

/** Runs what reads a document's objects; whatever it trips over is damage of the document. */
export async function readingObjects<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asDamage(error);
  }
}

async function rewrite(document: Uint8Array): Promise<PDFDocument | undefined> {
  try {
    const { PDFDocument: Fork } = await import('@cantoo/pdf-lib');
    const opened = await Fork.load(document, { ...LOAD_OPTIONS, password: '' });
    const bytes = await opened.save({ addDefaultPage: false, updateFieldAppearances: false });
    const rewritten = await PDFDocument.load(bytes, LOAD_OPTIONS);
    return rewritten.getPageCount() > 0 ? rewritten : undefined;
  } catch {
    return undefined;
  }
}

/** pdf-lib also "opens" what has neither catalog nor page tree. */
function withPages(document: PDFDocument): PDFDocument {
  document.catalog.Pages();
  return document;
}

/** pdf-lib's own error classes do not survive its compilation, so its messages are what there is to go by. */
function whyUnreadable(error: unknown, document: Uint8Array): string {
  const message = messageOf(error);
  if (message.includes('is encrypted')) return 'the document is encrypted and needs a password';
  const tail = Buffer.from(document.subarray(-TRAILER_WITHIN_BYTES)).toString('latin1');
  if (!tail.includes('%%EOF')) return 'the document is truncated: its end is missing';
  return `the document is damaged: ${firstLine(message)}`;
}

function asDamage(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return new DocumentError('the document is damaged: its pages refer to each other in a circle', {
      cause: error,
    });
  }
  const message = messageOf(error);
  return new DocumentError(`the document is damaged: ${firstLine(message)}`, { cause: error });
}

function quoted(head: string): string {
  const printable = Array.from(head.slice(0, 16), (char) => (char >= ' ' && char <= '~' ? char : '.'));
  return `'${printable.join('')}'`;
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
