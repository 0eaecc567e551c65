/**
 * Marked document: a small document by which its job is known on paper. The mark stands at its beginning and its end,
 * so that paper which was cut short tells it.
 *
 *   PLT7K2MX9QH A … PLT7K2MX9QH Z
 */

import type { Random } from '../common/random.ts';

export const DOCUMENT_KINDS = ['esc-pos', 'zpl', 'pdf', 'text'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Without letters and digits that are taken for others. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('');
const LENGTH = 8;
const MARK = /PLT[A-HJ-NP-Z2-9]{8}/g;

export function newMark(random: Random): string {
  return `PLT${Array.from({ length: LENGTH }, () => random.pick(LETTERS)).join('')}`;
}

const DOCUMENTS: Readonly<Record<DocumentKind, (mark: string) => Buffer>> = {
  'esc-pos': (mark) => Buffer.from(`\x1b@\x1ba\x01${linesOf(mark).join('\n')}\n\n\n\x1dV\x42\x00`, 'latin1'),
  zpl: (mark) =>
    Buffer.from(
      `^XA^CF0,36${linesOf(mark)
        .map((line, index) => `^FO40,${40 + 50 * index}^FD${line}^FS`)
        .join('')}^XZ\n`,
    ),
  pdf: (mark) => pdfOf(linesOf(mark)),
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
  const marks = new Set([...text.matchAll(MARK)].map(([mark]) => mark));
  return [...marks].map((mark) => {
    const [begins, ends] = ['A', 'Z'].map((letter) => countOf(text, new RegExp(`${mark}\\s+${letter}\\b`, 'g')));
    return { mark, copies: Math.max(begins ?? 0, ends ?? 0, 1), isWhole: (ends ?? 0) >= (begins ?? 0) };
  });
}

function countOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

/** One page of lines. */
function pdfOf(lines: readonly string[]): Buffer {
  const content = `BT /F1 18 Tf 60 760 Td 26 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, 'latin1');
}
