/**
 * Document: a file to print, and how to send it: as a PDF, or raw in the printer's own language.
 */

import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import { meantHint, nearestName } from '../../common/nearest-name.ts';
import { readGivenFile, readStandardInput, STANDARD_INPUT } from '../../common/given-file.ts';
import { documentNames, placeOfShipped } from '../../devices/document/shipped-documents.ts';
import type { ContentType } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';

export interface PrintableDocument {
  /** Name of the file, for the title. */
  readonly name: string;
  readonly contentType: Extract<ContentType, `${string}_base64`>;
  readonly content: Buffer;
}

/** A PDF says so in its first kilobyte. */
const PDF_HEAD_BYTES = 1024;

const BEGINNING_CHARACTERS = 12;
/** Enough for as many characters in UTF-8. */
const BEGINNING_BYTES = 4 * BEGINNING_CHARACTERS;

/** How documents in printers' own languages begin: ZPL, ESC/POS and PCL, PostScript. */
const PRINTER_LANGUAGES: readonly string[] = ['^XA', '\u001b', '%!PS'];

/**
 * Reads a document from a file, from standard input where the name is `-`, or one that ships with platen by its name.
 *
 * @param asRaw - send it as it is, whatever it looks like
 * @throws ActionableError when there is no such file, or it cannot be printed
 */
export async function readDocument(named: string, asRaw: boolean): Promise<PrintableDocument> {
  const file = placeOf(named);
  return documentOf(await readContent(file), file === STANDARD_INPUT ? 'standard input' : file, asRaw);
}

/**
 * How to send these bytes.
 *
 * @param file - what a message calls them
 * @throws ActionableError when they cannot be printed
 */
export function documentOf(content: Buffer, file: string, asRaw: boolean): PrintableDocument {
  const name = path.basename(file);
  if (content.length === 0) throw unprintable(file, 'is empty', 'Name a document with content.');
  checkSize(file, content);
  if (!asRaw && isPdf(content)) return { name, contentType: 'pdf_base64', content };
  if (asRaw || isPrinterLanguage(content)) return { name, contentType: 'raw_base64', content };
  throw unprintable(
    file,
    `is neither a PDF nor in a printer language; it begins with ${beginningOf(content)}`,
    'Convert it to PDF, or send it to the printer unchanged with --raw (in a program: `raw: true`).',
  );
}

function readContent(file: string): Promise<Buffer> {
  const nextStep = 'Name the document to print, or - for standard input.';
  return file === STANDARD_INPUT ? readStandardInput(nextStep) : readGivenFile(file, nextStep);
}

/** Names of the documents that ship: `invoice`. */
export function shippedDocuments(): readonly string[] {
  return documentNames().map(shortName);
}

/** The path of what is named: a file, or else a document that ships. */
function placeOf(named: string): string {
  if (named === STANDARD_INPUT || existsSync(named)) return named;
  const shipped = documentNames();
  const wanted = named.replace(/^(\.\/)?fixtures\/documents\//, '');
  const found = shipped.find((name) => name === wanted || shortName(name) === wanted);
  if (found !== undefined) return placeOfShipped(found);
  const names = shippedDocuments();
  const hint = meantHint(nearestName(shortName(wanted), names));
  throw usageError(
    `there is no file ${named}, and no document of this name${hint}`,
    `Name a file, - for standard input, or what ships with platen: ${names.join(', ')}.`,
  );
}

/** `invoice` of `invoice.pdf`. */
function shortName(file: string): string {
  return path.basename(file, path.extname(file));
}

function isPdf(content: Buffer): boolean {
  return content.subarray(0, PDF_HEAD_BYTES).includes('%PDF-');
}

function isPrinterLanguage(content: Buffer): boolean {
  const head = content.subarray(0, 64).toString('latin1').trimStart();
  return PRINTER_LANGUAGES.some((beginning) => head.startsWith(beginning));
}

function checkSize(file: string, content: Buffer): void {
  const mostMegabytes = LIMITS.base64DocumentMegabytes.value;
  if (content.length < mostMegabytes * 1024 * 1024) return;
  throw unprintable(
    file,
    `is too large for a request: the limit is ${mostMegabytes} MB`,
    'Host it, and submit its address with contentType pdf_uri.',
  );
}

function beginningOf(content: Buffer): string {
  const head = content.toString(isUtf8(content) ? 'utf8' : 'latin1', 0, BEGINNING_BYTES);
  return JSON.stringify(Array.from(head).slice(0, BEGINNING_CHARACTERS).join(''));
}

function unprintable(file: string, what: string, nextStep: string): ActionableError {
  return usageError(`${file} ${what}`, nextStep);
}
