/**
 * Raw document: which printer language RAW bytes are in, and how much they print.
 *
 * The bytes go to the printer unaltered whatever this says: it is for people and for expectations. The
 * first test of the table that holds decides; those at a fixed place come before those that search.
 * Time is linear in the length; of a very long document only the beginning is read.
 */

import { UNCOUNTED, type RawCount, type RawCounter } from './raw-count.ts';
import { countReceipts } from './raw-escpos.ts';
import { countCpcl, countDpl, countEpl, countSbpl, countTspl } from './raw-labels.ts';
import { countPcl, countPostScript, countText, withPjlCopies } from './raw-pages.ts';
import { countZpl } from './raw-zpl.ts';

export type RawLanguage =
  | 'empty'
  | 'pdf'
  | 'pjl'
  | 'postscript'
  | 'pcl-xl'
  | 'pcl'
  | 'esc-pos'
  | 'esc-p'
  | 'star'
  | 'raster'
  | 'dpl'
  | 'sbpl'
  | 'cpcl'
  | 'zpl'
  | 'epl'
  | 'tspl'
  | 'text'
  | 'unknown';

export interface RawContent extends RawCount {
  readonly language: RawLanguage;
}

const LONGEST_READ_BYTES = 4 * 1024 * 1024;
/** So far into a document a language is looked for. */
const SEARCHED_BYTES = 65_536;
const UEL = '\x1b%-12345X';
/** Cuts, pictures, alignment, size of letters. */
const ESC_POS_EVIDENCE = ['\x1dV', '\x1dv0', '\x1d(L', '\x1ba', '\x1d!', '\x1bi', '\x1bm'];
const ESC_POS_STARTS = ['\x1b', '\x1d', '\x10\x04'];
const STAR_STARTS = ['\x1b\x1da', '\x1b*rA', '\x1b@\x1b\x1da', '\x1b@\x1b*rA'];
const RASTER = /^(?:RaS[23]|[23]SaR|UNIRAST\0|\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*)/;

/** In this order; `head` is the searched beginning. */
const TESTS: readonly (readonly [RawLanguage, (head: string) => boolean])[] = [
  ['empty', (head) => head === ''],
  ['pdf', (head) => head.slice(0, 1_024).includes('%PDF-')],
  ['pjl', (head) => head.slice(0, 128).includes(UEL)],
  ['postscript', (head) => startsWithOne(head, ['%!', '\x04%!'])],
  ['pcl-xl', (head) => /^[()'] HP-PCL XL;/.test(head)],
  ['raster', (head) => RASTER.test(head)],
  // ESC E followed by 0 or 1 is emphasised print of ESC/POS.
  ['pcl', (head) => head.startsWith('\x1bE') && !startsWithOne(head.slice(2), ['\0', '\x01'])],
  ['star', (head) => startsWithOne(head, STAR_STARTS)],
  [
    'esc-pos',
    (head) => startsWithOne(head, ESC_POS_STARTS) && ESC_POS_EVIDENCE.some((command) => head.includes(command)),
  ],
  ['esc-p', (head) => head.startsWith('\x1b@')],
  ['dpl', (head) => head.slice(0, 256).includes('\x02L')],
  ['sbpl', (head) => startsWithOne(head, ['\x1bA', '\x02\x1bA'])],
  ['cpcl', (head) => /^\s{0,9}!\s{1,9}(?:U1\b|\d{1,9}\s{1,9}\d{1,9}\s{1,9}\d{1,9}\s)/.test(head)],
  ['zpl', (head) => /\^XA/i.test(head) || /^\s{0,9}[\^~][A-Z]{2}/i.test(head.replace('\x10', ''))],
  ['epl', (head) => /^\s{0,99}N\r?\n/.test(head) && /^(?:[qQABPRS]\d|[ABL][A-Z]?\d|ZB|ZT|P\d)/m.test(head)],
  ['tspl', (head) => /^(?:SIZE[ \t]|GAP[ \t]|CLS\b|PRINT[ \t]{1,9}\d)/im.test(head)],
  ['text', (head) => isText(head.slice(0, 1_024))],
];

const COUNTERS: Readonly<Partial<Record<RawLanguage, RawCounter>>> = {
  postscript: countPostScript,
  pcl: countPcl,
  'esc-pos': countReceipts,
  'esc-p': countText,
  dpl: countDpl,
  sbpl: countSbpl,
  cpcl: countCpcl,
  zpl: countZpl,
  epl: countEpl,
  tspl: countTspl,
  text: countText,
};

const NOTES: Readonly<Partial<Record<RawLanguage, string>>> = {
  empty: 'it has no bytes',
  pdf: 'a PDF sent as RAW: only a printer that interprets PDF prints its pages',
  raster: 'a picture or raster: only a printer that takes this format prints it',
};

/** As much of a document as is read. */
export function readPartOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, LONGEST_READ_BYTES);
}

/**
 * Never throws, and leaves the bytes as they are.
 *
 * @param length - of the whole document, where `bytes` is only the part of it that is read
 */
export function recogniseRaw(bytes: Uint8Array, length = bytes.length): RawContent {
  const read = readPartOf(bytes);
  const content = contentOf(Buffer.from(read.buffer, read.byteOffset, read.length).toString('latin1'));
  if (length <= LONGEST_READ_BYTES) return content;
  const note = `only the first ${LONGEST_READ_BYTES} of ${length} bytes were read`;
  return { ...content, note: content.note === null ? note : `${content.note}; ${note}` };
}

function contentOf(text: string): RawContent {
  const language = languageOf(text);
  if (language === 'pjl') return wrappedContent(text);
  const count = COUNTERS[language]?.(text) ?? UNCOUNTED;
  return { language, ...count, note: count.note ?? NOTES[language] ?? null };
}

function languageOf(text: string): RawLanguage {
  const head = text.slice(0, SEARCHED_BYTES);
  return TESTS.find(([, test]) => test(head))?.[0] ?? 'unknown';
}

const PJL_LANGUAGES: Readonly<Record<string, RawLanguage>> = {
  PCL: 'pcl',
  PCL3GUI: 'pcl',
  PCLXL: 'pcl-xl',
  POSTSCRIPT: 'postscript',
  PDF: 'pdf',
};

/** What the wrapper says that follows; the wrapper alone is PJL. */
function wrappedContent(text: string): RawContent {
  const header = text.slice(0, 4_096);
  const entered = /@PJL ENTER LANGUAGE[ \t]{0,9}=[ \t]{0,9}([A-Z0-9]{1,20})[^\n]{0,99}\n?/i.exec(header);
  const language = PJL_LANGUAGES[entered?.[1]?.toUpperCase() ?? ''];
  if (!entered || !language) return { language: 'pjl', ...UNCOUNTED };
  const parts = text.slice(entered.index + entered[0].length).split(UEL);
  const body = parts.filter((part) => !part.startsWith('@PJL')).join('');
  const count = COUNTERS[language]?.(body) ?? UNCOUNTED;
  const { note, ...rest } = withPjlCopies(count, header);
  const wrapped = NOTES[language] ?? 'wrapped in PJL';
  return { language, ...rest, note: note === null ? wrapped : `${wrapped}; ${note}` };
}

function startsWithOne(text: string, starts: readonly string[]): boolean {
  return starts.some((start) => text.startsWith(start));
}

/** Nineteen of twenty bytes are printable or beyond ASCII, and there is no NUL. */
function isText(head: string): boolean {
  if (head.includes('\0')) return false;
  const controls = head.replaceAll(/[\t\n\f\r -~\x80-\xff]/g, '').length;
  return controls * 20 <= head.length;
}
