/**
 * Marked document: a small document by which its job is known on paper. The mark stands at its beginning and its end,
 * as text and as a square code, so that paper which was cut short or drawn anew tells it.
 *
 *   PLT7K2MX9QHLG A … PLT7K2MX9QHCJ Z      its last two letters follow from the others
 */

import type { Random } from '../common/random.ts';
import { encode } from '../devices/press/receipt-codes.ts';

export const DOCUMENT_KINDS = ['esc-pos', 'zpl', 'pdf', 'text'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Without letters and digits that are taken for others. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('');
const LENGTH = 8;
const MODULE_PT = 5;
const MARK = /PLT([A-HJ-NP-Z2-9]{8})([A-HJ-NP-Z2-9]{2})/g;
/** The largest prime below 32 * 32, so that each other letter changes the check. */
const CHECK_MODULUS = 1021;

export function newMark(random: Random): string {
  const letters = Array.from({ length: LENGTH }, () => random.pick(LETTERS)).join('');
  return `PLT${letters}${checkOf(letters)}`;
}

/** A code on small or turned paper is now and then read wrongly, and must not be taken for another mark. */
function checkOf(letters: string): string {
  const count = LETTERS.length;
  const sum = letters
    .split('')
    .reduce((rest, letter) => (rest * (count + 1) + LETTERS.indexOf(letter)) % CHECK_MODULUS, 0);
  return `${LETTERS[Math.floor(sum / count)]}${LETTERS[sum % count]}`;
}

/** Each has a code, the lines, and a code. */
const DOCUMENTS: Readonly<Record<DocumentKind, (mark: string) => Buffer>> = {
  'esc-pos': (mark) =>
    Buffer.from(
      `\x1b@\x1ba\x01${squareCode(`${mark}-A`)}${linesOf(mark).join('\n')}\n${squareCode(`${mark}-Z`)}\n\n\n\x1dV\x42\x00`,
      'latin1',
    ),
  zpl: (mark) => Buffer.from(labelOf(mark)),
  pdf: (mark) => pdfOf(mark),
  text: (mark) => Buffer.from(`${linesOf(mark).join('\r\n')}\r\n\f`),
};

export function markedDocument(kind: DocumentKind, mark: string): Buffer {
  return DOCUMENTS[kind](mark);
}

function linesOf(mark: string): readonly string[] {
  return [`${mark} A`, '2 x Soup of the day', '1 x Bread', `${mark} Z`];
}

/** A mark in what came out of a printer. */
export interface SeenMark {
  readonly mark: string;
  /** How often its document stands there. */
  readonly copies: number;
  /** Its end stands there as well. */
  readonly isWhole: boolean;
}

/** Every mark in the text of a printout; that of a document, where the pipeline renders none of its own. */
export function marksIn(text: string): readonly SeenMark[] {
  const found = [...text.matchAll(MARK)].filter(([, letters = '', check]) => check === checkOf(letters));
  const marks = new Set(found.map(([mark]) => mark));
  return [...marks].map((mark) => {
    // A text and a code say the same twice.
    const most = (letter: string): number =>
      Math.max(...['\\s+', '-'].map((between) => countOf(text, new RegExp(`${mark}${between}${letter}\\b`, 'g'))));
    const [begins, ends] = [most('A'), most('Z')];
    return { mark, copies: Math.max(begins, ends, 1), isWhole: ends >= begins };
  });
}

function countOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

/** Model 2, six dots a module, level Q. */
function squareCode(data: string): string {
  const functions = ['1A2\0', '1C\x06', '1E2', `1P0${data}`, '1Q0'];
  return functions.map((one) => `\x1d(k${String.fromCharCode(one.length, 0)}${one}`).join('');
}

function labelOf(mark: string): string {
  const lines = linesOf(mark).map((line, index) => `^FO300,${40 + 50 * index}^FD${line}^FS`);
  const codes = ['A', 'Z'].map((letter, index) => `^FO40,${40 + 220 * index}^BQN,2,6^FDQA,${mark}-${letter}^FS`);
  return `^XA^CF0,36${[...lines, ...codes].join('')}^XZ\n`;
}

/** The dots of a code as squares, from its upper left corner. */
function squaresOf(data: string, left: number, top: number): string {
  const code = encode({ symbology: 'qrcode', data, options: { eclevel: 'Q' } });
  if (typeof code === 'string') throw new Error(code);
  const { width, height, bits } = code;
  const isBlack = (x: number, y: number): boolean =>
    ((bits[y * Math.ceil(width / 8) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0;
  const places = Array.from({ length: width * height }, (_, at) => [at % width, Math.floor(at / width)] as const);
  const squares = places
    .filter(([x, y]) => isBlack(x, y))
    .map(([x, y]) => `${left + x * MODULE_PT} ${top - (y + 1) * MODULE_PT} ${MODULE_PT} ${MODULE_PT} re`);
  return `${squares.join(' ')} f`;
}

/** One page of lines between two codes. */
function pdfOf(mark: string): Buffer {
  const lines = linesOf(mark).map((line) => `(${line}) Tj T*`);
  const content = [
    squaresOf(`${mark}-A`, 60, 790),
    `BT /F1 18 Tf 60 640 Td 26 TL ${lines.join(' ')} ET`,
    squaresOf(`${mark}-Z`, 60, 520),
  ].join('\n');
  return pdfOfObjects(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ].map((object) => Buffer.from(object)),
  );
}

/** A PDF of objects that are numbered from 1, of which the first is its catalog. */
export function pdfOfObjects(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const places = objects.map((object, index) => {
    const at = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const at = parts.reduce((sum, part) => sum + part.length, 0);
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}
