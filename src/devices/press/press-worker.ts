/**
 * Press worker: the thread in which documents are opened, so that a hostile one costs at most a thread.
 * Started by press-engine.ts. It says `ready` when it has loaded what most requests need; other libraries are loaded at
 * the first request that needs them.
 */

import { parentPort, workerData } from 'node:worker_threads';

import { messageOf } from '../../common/error-message.ts';
import type { PressReply, PressRequest, PressResults } from './press-messages.ts';

// The libraries report damage on the console, which is the user's terminal.
Object.assign(console, { log: () => undefined, warn: () => undefined, error: () => undefined });

async function work(request: PressRequest): Promise<PressResults[keyof PressResults]> {
  if (request.kind === 'sheets') {
    const { composeSheets } = await import('./sheet-composer.ts');
    return composeSheets(request.document, request.settings);
  }
  if (request.kind === 'pdf') {
    const { pdfOfRaster } = await import('./raster-document.ts');
    return pdfOfRaster(request.document, request.format);
  }
  if (request.kind === 'firstSides') {
    const { firstSides } = await import('./sheet-composer.ts');
    return firstSides(request.pdf, request.sides);
  }
  if (request.kind === 'content') {
    const { recogniseRaw } = await import('../raw/raw-document.ts');
    return recogniseRaw(request.document, request);
  }
  if (request.kind === 'joined') {
    const { joined } = await import('./sheet-composer.ts');
    return joined(request.pdfs);
  }
  if (request.kind === 'labels') {
    const { drawLabels } = await import('./label-pictures.ts');
    return drawLabels(request, String(workerData));
  }
  if (request.kind === 'receipts') {
    const { drawReceipts } = await import('./receipt-pictures.ts');
    return drawReceipts(request);
  }
  const { pictureOf, textOf } = await import('./sheet-picture.ts');
  if (request.kind === 'png') return pictureOf(request.pdf, request.side, request.dpi);
  return textOf(request.pdf, request.side);
}

async function reply(request: PressRequest): Promise<PressReply> {
  try {
    return { kind: 'made', result: await work(request) };
  } catch (error) {
    const message = messageOf(error);
    if (error instanceof WebAssembly.RuntimeError) {
      const reason = `the engine that draws gave up on it (${message})`;
      return { kind: 'refused', message: `${placeIn(request)} cannot be drawn: ${reason}`, isSpoilt: false };
    }
    const known = error instanceof Error && error.name === 'DocumentError';
    // What draws labels is a program of its own, which may not live after it has failed.
    const isSpoilt = request.kind === 'labels';
    return { kind: 'refused', message: known ? message : `the document cannot be read: ${message}`, isSpoilt };
  }
}

function placeIn(request: PressRequest): string {
  return 'side' in request ? `side ${request.side} of this document` : 'this document';
}

void Promise.all([import('./sheet-composer.ts'), import('./pdfium.ts').then(({ loadPdfium }) => loadPdfium())]).then(
  () => parentPort?.postMessage('ready', []),
);

parentPort?.on('message', (request: PressRequest) => {
  void reply(request).then((answer) => parentPort?.postMessage(answer, []));
});
