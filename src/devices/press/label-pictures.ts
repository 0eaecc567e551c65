/**
 * Label pictures: draws ZPL as a PDF, a page for each label that came out. Runs in the press worker, which
 * is where the renderer is loaded, at the first label that is looked at.
 *
 *   ZPL ─► renderer (zpl-renderer-js) ─► a gray PNG a label ─► page of the stock's size
 *
 * The pictures go into the PDF as they are: its Flate filter reads the pixels of a PNG, filters and all.
 * Copies share one picture. The renderer does not know ^PQ; the caller says how many labels there are.
 */

import {
  concatTransformationMatrix,
  drawObject,
  PDFContentStream,
  PDFDocument,
  PDFName,
  popGraphicsState,
  pushGraphicsState,
  type PDFRef,
} from 'pdf-lib';
import type { ZplApi } from 'zpl-renderer-js';

import { messageOf } from '../../common/error-message.ts';
import { DocumentError, type LabelsToDraw } from './press-messages.ts';
import { mmToPoints, type LabelStock } from './print-settings.ts';

type Renderer = Pick<ZplApi, 'zplToBase64MultipleAsync'>;

/** @throws DocumentError when the renderer is not there, or cannot draw this */
export async function drawLabels(
  { zpl, copies, mirrored, stock }: LabelsToDraw,
  rendererModule: string,
): Promise<Uint8Array> {
  const renderer = await load(rendererModule);
  const { widthMm, heightMm, dotsPerMm } = stock;
  const drawn = await renderer.zplToBase64MultipleAsync(zpl, widthMm, heightMm, dotsPerMm).catch(refuse);
  if (drawn.length !== copies.length) {
    throw new DocumentError(`its labels are ${copies.length}, of which the renderer draws ${drawn.length}`);
  }
  return pagesOf(
    drawn.map((picture) => readPng(Buffer.from(picture, 'base64'))),
    copies,
    mirrored,
    stock,
  );
}

async function load(rendererModule: string): Promise<Renderer> {
  try {
    const { ready }: { ready: Promise<{ api: Renderer }> } = await import(rendererModule);
    return (await ready).api;
  } catch (error) {
    throw new DocumentError(`${rendererModule} could not be loaded: ${shortened(error)}`, { cause: error });
  }
}

function refuse(error: unknown): never {
  throw new DocumentError(`the renderer says '${shortened(error)}'`, { cause: error });
}

const LONGEST_MESSAGE = 200;

function shortened(error: unknown): string {
  return messageOf(error).replaceAll(/\s+/g, ' ').slice(0, LONGEST_MESSAGE);
}

interface GrayPicture {
  readonly width: number;
  readonly height: number;
  /** Compressed lines, each with the type of its filter before it. */
  readonly data: Uint8Array;
}

const SIGNATURE_BYTES = 8;
/** Length and type before the data of a chunk, checksum after it. */
const CHUNK_HEAD_BYTES = 8;
const CHUNK_BYTES = 12;
/** 8 bits, gray, and the one way of compression, filters and order of lines. */
const GRAY = Buffer.from([8, 0, 0, 0, 0]);

function readPng(png: Buffer): GrayPicture {
  const parts: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = SIGNATURE_BYTES; at + CHUNK_BYTES <= png.length;) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + CHUNK_HEAD_BYTES, at + CHUNK_HEAD_BYTES + length);
    const type = png.toString('latin1', at + 4, at + CHUNK_HEAD_BYTES);
    if (type === 'IHDR') header = data;
    if (type === 'IDAT') parts.push(data);
    at += CHUNK_BYTES + length;
  }
  if (header?.length !== 13 || !header.subarray(8).equals(GRAY)) {
    throw new DocumentError('the renderer makes pictures of a kind that platen does not know');
  }
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4), data: Buffer.concat(parts) };
}

async function pagesOf(
  pictures: readonly GrayPicture[],
  copies: readonly number[],
  mirrored: readonly boolean[],
  stock: LabelStock,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  for (const [index, picture] of pictures.entries()) {
    const image = addImage(pdf, picture);
    for (let copy = 0; copy < (copies[index] ?? 0); copy++)
      addPage(pdf, image, picture, stock, mirrored[index] ?? false);
  }
  return pdf.save({ addDefaultPage: false, updateFieldAppearances: false });
}

function addImage(pdf: PDFDocument, { width, height, data }: GrayPicture): PDFRef {
  const image = pdf.context.stream(data, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 8,
    Filter: 'FlateDecode',
    DecodeParms: { Predictor: 15, Colors: 1, BitsPerComponent: 8, Columns: width },
  });
  return pdf.context.register(image);
}

/** Dots are as large as the print head makes them; the first one lies in the upper left corner. */
function addPage(
  pdf: PDFDocument,
  image: PDFRef,
  { width, height }: GrayPicture,
  stock: LabelStock,
  isMirrored: boolean,
): void {
  const pageHeight = mmToPoints(stock.heightMm);
  const page = pdf.addPage([mmToPoints(stock.widthMm), pageHeight]);
  const widthPt = mmToPoints(width / stock.dotsPerMm);
  const heightPt = mmToPoints(height / stock.dotsPerMm);
  const operators = [
    pushGraphicsState(),
    concatTransformationMatrix(
      isMirrored ? -widthPt : widthPt,
      0,
      0,
      heightPt,
      isMirrored ? widthPt : 0,
      pageHeight - heightPt,
    ),
    drawObject(page.node.newXObject('Label', image)),
    popGraphicsState(),
  ];
  const content = PDFContentStream.of(pdf.context.obj({}), operators, false);
  page.node.set(PDFName.of('Contents'), pdf.context.register(content));
}
