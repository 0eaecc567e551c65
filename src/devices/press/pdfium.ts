/**
 * PDFium, the engine that reads and draws PDFs. Runs in the press worker, which survives it: an instance that throws
 * may be in any state, so the next document gets a new one.
 */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

import { DocumentError } from './press-messages.ts';

/** Its functions, and its memory, whose views are others whenever it has grown. */
export type Pdfium = WrappedPdfiumModule & { readonly pdfium: { readonly HEAPU8: Uint8Array } };

/** Why a document does not open: FPDF_GetLastError. */
export type OpenFailure = 'damaged' | 'password' | 'encryption';

const FAILURES: Readonly<Record<number, OpenFailure>> = { 4: 'password', 5: 'encryption' };
const NO_PASSWORD = '';

let instance: Promise<Pdfium> | undefined;

/** Makes it ready, so that no document waits for it. */
export async function loadPdfium(): Promise<void> {
  await (instance ??= start());
}

/** `work` may keep nothing of the engine. */
export async function withPdfium<T>(work: (pdfium: Pdfium) => T): Promise<T> {
  const pdfium = await (instance ??= start());
  try {
    return work(pdfium);
  } catch (error) {
    if (!(error instanceof DocumentError)) instance = undefined;
    throw error;
  }
}

async function start(): Promise<Pdfium> {
  const { buffer: wasmBinary } = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const pdfium: Pdfium = await init({ wasmBinary, print: silent, printErr: silent });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

function silent(): void {}

/** Opens a document for as long as `use` takes. */
export function withDocument<T>(pdfium: Pdfium, bytes: Uint8Array, use: (document: number) => T): T | OpenFailure {
  return withMemory(pdfium, bytes.length, (at) => {
    pdfium.pdfium.HEAPU8.set(bytes, at);
    const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, NO_PASSWORD);
    if (!document) return FAILURES[pdfium.FPDF_GetLastError()] ?? 'damaged';
    try {
      return use(document);
    } finally {
      pdfium.FPDF_CloseDocument(document);
    }
  });
}

/** Memory of the engine for as long as `use` takes. */
export function withMemory<T>(pdfium: Pdfium, size: number, use: (at: number) => T): T {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const at = malloc(size);
  if (at === 0) throw new DocumentError('the document takes more memory than the engine that reads it has');
  try {
    return use(at);
  } finally {
    free(at);
  }
}

/** What `fill` writes into `count` floats, in order; undefined where it says that it has written nothing. */
export function floatsOf(pdfium: Pdfium, count: number, fill: (at: number) => boolean): number[] | undefined {
  return withMemory(pdfium, count * FLOAT_BYTES, (at) => {
    if (!fill(at)) return undefined;
    return Array.from({ length: count }, (_, index) => pdfium.pdfium.getValue(at + index * FLOAT_BYTES, 'float'));
  });
}

export function withFloats<T>(pdfium: Pdfium, floats: readonly number[], use: (at: number) => T): T {
  return withMemory(pdfium, floats.length * FLOAT_BYTES, (at) => {
    for (const [index, value] of floats.entries()) pdfium.pdfium.setValue(at + index * FLOAT_BYTES, value, 'float');
    return use(at);
  });
}

const FLOAT_BYTES = 4;
