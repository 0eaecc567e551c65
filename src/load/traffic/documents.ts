/**
 * Documents of a load: read or generated once, and kept ready to submit, so that a submission copies bytes and
 * encodes nothing.
 */

import { createHash } from 'node:crypto';

import { PDFDocument } from 'pdf-lib';

import { usageError } from '../../common/actionable-error.ts';
import { readRegularFile } from '../../common/regular-file.ts';
import type { DocumentFile, LoadDocument } from '../plan/load-scenario.ts';

export interface PreparedDocument {
  readonly name: string;
  readonly language: LoadDocument['language'];
  readonly via: LoadDocument['via'];
  readonly bytes: Buffer;
  /** The pages of a generated document; null for a file. */
  readonly pages: number | null;
  /** The hash of the bytes, in lowercase hexadecimal digits. */
  readonly sha256: string;
}

/** The same bytes in every shard. @throws ActionableError when a file cannot be read */
export function prepareDocuments(documents: readonly LoadDocument[]): Promise<readonly PreparedDocument[]> {
  return Promise.all(documents.map(prepare));
}

async function prepare({ name, language, via, source }: LoadDocument): Promise<PreparedDocument> {
  const bytes = source.kind === 'file' ? readSame(source) : await make(language, source);
  return {
    name,
    language,
    via,
    bytes,
    pages: source.kind === 'made' ? source.pages : null,
    sha256: digestOf(bytes),
  };
}

/** What the plan was made of: another file that was put in its place since is refused. */
export function readSame({ path, sha256 }: DocumentFile): Buffer {
  const read = readRegularFile(path);
  const reason = read.ok ? 'it has changed since the plan was made' : read.error;
  if (read.ok && digestOf(read.value) === sha256) return read.value;
  throw usageError(`the document ${path} cannot be read: ${reason}`, 'Start the run again.');
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface Made {
  readonly pages: number;
  readonly bytes: number;
}

function make(language: LoadDocument['language'], made: Made): Promise<Buffer> {
  return language === 'pdf' ? makePdf(made) : Promise.resolve(makeLabels(made));
}

const TEXT_AT = { x: 60, y: 760, size: 14 };
/** A fixed date: every machine generates the same bytes. */
const MADE_AT = new Date(0);

async function makePdf({ pages, bytes }: Made): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.setCreationDate(MADE_AT);
  document.setModificationDate(MADE_AT);
  for (let page = 1; page <= pages; page++) {
    document.addPage().drawText(`Page ${page} of ${pages}`, TEXT_AT);
  }
  const plain = await document.save({ useObjectStreams: false });
  if (plain.length >= bytes) return Buffer.from(plain);
  // A stream that no page refers to only makes the document larger.
  document.context.register(document.context.stream(padding(bytes - plain.length)));
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

function makeLabels({ pages, bytes }: Made): Buffer {
  const labels = Array.from(
    { length: pages },
    (_, page) => `^XA^FO50,50^A0N,40,40^FDLabel ${page + 1} of ${pages}^FS^XZ\n`,
  ).join('');
  const missing = bytes - labels.length;
  return Buffer.from(missing > 0 ? `^FX ${padding(missing)}\n${labels}` : labels);
}

/** Text that does not compress, the same each time. */
function padding(length: number): string {
  let text = '';
  for (let block = 0; text.length < length; block++) {
    text += createHash('sha256').update(String(block)).digest('base64url');
  }
  return text.slice(0, length);
}
