/**
 * PDF builder: small PDFs written by hand, with knobs for what can be wrong with one.
 *
 *   %PDF-1.4 │ 1 catalog │ 2 page tree │ 3.. pages and contents │ extra objects │ xref │ trailer
 *
 * Every knob replaces one part and leaves the others sound.
 */

import { constants, deflateRawSync } from 'node:zlib';

export interface PdfKnobs {
  readonly header?: string;
  /** Bytes before the header, and after the end. */
  readonly before?: string;
  readonly after?: string;
  readonly pageCount?: number;
  /** Entries of every page beside Type, Parent and Contents; a MediaBox unless given. */
  readonly page?: string;
  readonly content?: string | Buffer;
  /** Entries of the content stream beside Length, such as a Filter. */
  readonly contentEntries?: string;
  readonly contentLength?: string;
  readonly contentsEntry?: string;
  readonly catalog?: string;
  /** Replace members of the root of the page tree. */
  readonly kids?: string;
  readonly count?: string;
  readonly tree?: string;
  /** Bodies of objects after the pages; the first of them has the number `firstExtra`. */
  readonly extra?: readonly string[];
  readonly trailer?: string;
  readonly startxref?: string;
  /** Changes the offsets in the xref table. */
  readonly offset?: (offset: number) => number;
  readonly xref?: string;
  readonly end?: string;
  /** Says what to do with the finished file. */
  readonly finish?: (file: Buffer) => Buffer;
}

const CONTENT = '0.2 0.4 0.8 rg 20 20 100 150 re f';

/** Number of the first extra object of a document with `pageCount` pages. */
export function firstExtra(pageCount = 1): number {
  return 3 + pageCount * 2;
}

export function buildPdf(knobs: PdfKnobs = {}): Uint8Array {
  const { pageCount = 1, before = '', header = '%PDF-1.4\n', after = '', offset = (at) => at } = knobs;
  const objects = [catalogOf(knobs), treeOf(knobs), ...pagesOf(knobs), ...(knobs.extra ?? [])];
  let file = before + header;
  const offsets = objects.map((body, index) => {
    const at = file.length - before.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset(at);
  });
  const startxref = file.length - before.length;
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  file += knobs.xref ?? `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += knobs.trailer ?? `trailer\n<< /Size ${firstExtra(pageCount) + 1} /Root 1 0 R >>\n`;
  file += knobs.startxref ?? `startxref\n${startxref}\n`;
  file += (knobs.end ?? '%%EOF\n') + after;
  const bytes = Buffer.from(file, 'latin1');
  return knobs.finish?.(bytes) ?? bytes;
}

function catalogOf({ catalog }: PdfKnobs): string {
  return catalog ?? '<< /Type /Catalog /Pages 2 0 R >>';
}

function treeOf({ pageCount = 1, tree, kids, count }: PdfKnobs): string {
  const pages = Array.from({ length: pageCount }, (_, index) => `${3 + index * 2} 0 R`).join(' ');
  return tree ?? `<< /Type /Pages /Kids ${kids ?? `[${pages}]`} /Count ${count ?? String(pageCount)} >>`;
}

function pagesOf(knobs: PdfKnobs): string[] {
  const { pageCount = 1, page = '/MediaBox [0 0 200 300]', content = CONTENT } = knobs;
  const bytes = typeof content === 'string' ? content : content.toString('latin1');
  const length = knobs.contentLength ?? String(bytes.length);
  return Array.from({ length: pageCount }, (_, index) => {
    const contents = knobs.contentsEntry ?? `/Contents ${4 + index * 2} 0 R`;
    return [
      `<< /Type /Page /Parent 2 0 R ${page} ${contents} >>`,
      `<< /Length ${length} ${knobs.contentEntries ?? ''} >>\nstream\n${bytes}\nendstream`,
    ];
  }).flat();
}

/** A stream of blanks that grows to `megabytes` when it is inflated, and is small until then. One is deflated, for all. */
export function deflateBomb(megabytes: number): Buffer {
  const blanks = Buffer.alloc(MEGABYTE, ' ');
  const block = deflateRawSync(blanks, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: megabytes }, () => block);
  return Buffer.concat([
    DEFLATED,
    ...blocks,
    LAST_BLOCK,
    adler32(BigInt(blanks[0] ?? 0), BigInt(megabytes * MEGABYTE)),
  ]);
}

const MEGABYTE = 1024 * 1024;
const DEFLATED = Buffer.from('78da', 'hex');
const LAST_BLOCK = Buffer.from('0300', 'hex');

/** The checksum that ends a deflated stream of `count` equal bytes. */
function adler32(byte: bigint, count: bigint): Buffer {
  const low = (1n + byte * count) % 65_521n;
  const high = (count + (byte * count * (count + 1n)) / 2n) % 65_521n;
  return words(Number(high * 65_536n + low));
}

/** A page with a JPEG 2000 picture that says of itself that it is 30,000 by 30,000, more than whoever draws it can hold. */
export function endlessPicture(): Uint8Array {
  const side = 30_000;
  const stream = Buffer.concat([
    Buffer.from('ff4fff5100320000', 'hex'),
    words(side, side, 0, 0, side, side, 0, 0),
    Buffer.from('0004070101070101070101070101', 'hex'),
    Buffer.from('ff52000c00000001000504040000', 'hex'),
    Buffer.from(`ff5c001340${'40'.repeat(16)}`, 'hex'),
    Buffer.from('ff90000a0000000000120001', 'hex'),
    Buffer.from('ff9380808080ffd9', 'hex'),
  ]).toString('latin1');
  const picture = `<< /Type /XObject /Subtype /Image /Width 100 /Height 100 /Filter /JPXDecode /Length ${stream.length} >>`;
  return buildPdf({
    page: `/MediaBox [0 0 200 300] /Resources << /XObject << /A ${firstExtra()} 0 R >> >>`,
    content: '200 0 0 300 0 0 cm /A Do',
    extra: [`${picture}\nstream\n${stream}\nendstream`],
  });
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}
