/**
 * Raw document: which printer language RAW bytes are in, and how much they print.
 *
 * The bytes go to the printer unaltered whatever this says: it is for people and for expectations. The
 * first test of the table that holds decides; those at a fixed place come before those that search.
 * Time is linear in the length; of a very long document only the beginning is read.
 */

import { signsOf } from '../receipt/printed-receipt.ts';
import type { ReceiptLanguage, ReceiptPaper } from '../receipt/receipt-paper.ts';
import { UNCOUNTED, type RawCount, type RawCounter } from './raw-count.ts';
import { countCpcl, countDpl, countEpl, countSbpl, countTspl } from './raw-labels.ts';
import { countEscP, countPcl, countText, withPjlCopies } from './raw-pages.ts';
import { countPostScript } from './raw-postscript.ts';
import { countReceipts, type ReceiptContent } from './raw-receipts.ts';
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
  /** Set where a receipt printer prints it. */
  readonly receipt?: ReceiptContent;
}

const LONGEST_READ_BYTES = 4 * 1024 * 1024;
/** So far into a document a language is looked for. */
const SEARCHED_BYTES = 65_536;
const UEL = '\x1b%-12345X';
const RASTER = /^(?:RaS[23]|[23]SaR|UNIRAST\0|\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*)/;

/** What follows ESC in PCL; ESC E followed by 0 or 1 is emphasised print of ESC/POS. */
const PCL = /^(?:E|[&*()][a-z]?[-+]?\d|%-?\d)/;
const ESC_POS_BOLD = ['E\0', 'E\x01'];
/** Commands that dot matrix printers have and receipt printers have not. */
const ESC_P = /^[PxklgQC0]/;
const ESC_P_NEVER = ['\x10', '\x1d'];
const EPL_LINES = [
  /^N\r?$/m,
  /^q\d{1,4}\r?$/m,
  /^Q\d{1,5},\d/m,
  /^[AB]\d{1,4},\d{1,4},/m,
  /^PA?\d{1,5}(?:,\d{1,5})?\r?$/m,
  /^F[RS]"/m,
  /^[DS]\d{1,2}\r?$/m,
  /^Z[BT]\r?$/m,
  /^L[EOSW]\d{1,4},/m,
  /^[Gb][GW]?\d{1,4},/m,
];

type Test = (head: string, paper: ReceiptPaper | undefined) => boolean;
/** In this order; `head` is the searched beginning. */
const TESTS: readonly (readonly [RawLanguage, Test])[] = [
  ['empty', (head) => head === ''],
  ['pdf', (head) => head.slice(0, 1_024).includes('%PDF-')],
  ['pjl', (head) => head.slice(0, 128).includes(UEL)],
  ['postscript', (head) => startsWithOne(head, ['%!', '\x04%!'])],
  ['pcl-xl', (head) => /^[()'] HP-PCL XL;/.test(head)],
  ['raster', (head) => RASTER.test(head)],
  ['pcl', (head) => isPcl(head.split('\x1b', 2)[1] ?? '')],
  ['dpl', (head) => head.slice(0, 256).includes('\x02L')],
  ['sbpl', (head) => startsWithOne(head, ['\x1bA', '\x02\x1bA'])],
  ['esc-p', (head) => head.startsWith('\x1b@') && isEscP(head)],
  ['esc-pos', (head, paper) => receiptLanguageOf(head, paper) === 'esc-pos'],
  ['star', (head, paper) => receiptLanguageOf(head, paper) === 'star'],
  ['esc-p', (head) => head.startsWith('\x1b@')],
  ['cpcl', (head) => /^\s{0,9}!\s{1,9}(?:U1?\b|UTILITIES\b|\d{1,9}\s{1,9}\d{1,9}\s{1,9}\d{1,9}\s)/.test(head)],
  ['zpl', (head) => /\^XA/i.test(head) || /^\s{0,9}[\^~][A-Z]{2}/i.test(head.replace('\x10', ''))],
  ['epl', (head) => EPL_LINES.filter((line) => line.test(head)).length >= 2],
  ['tspl', (head) => /^(?:SIZE[ \t]|GAP[ \t]|CLS\b|PRINT[ \t]{1,9}\d)/im.test(head)],
  ['text', (head) => isText(head.slice(0, 1_024))],
];

const COUNTERS: Readonly<Partial<Record<RawLanguage, RawCounter>>> = {
  postscript: countPostScript,
  pcl: countPcl,
  'esc-p': countEscP,
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

export interface RawReading {
  /** How long the whole document is, where only a part of it is read. */
  readonly length?: number | undefined;
  /** What the printer prints on, where it is a receipt printer. */
  readonly paper?: ReceiptPaper | undefined;
}

/** Never throws, and leaves the bytes as they are. */
export function recogniseRaw(bytes: Uint8Array, { length = bytes.length, paper }: RawReading = {}): RawContent {
  const read = readPartOf(bytes);
  const text = Buffer.from(read.buffer, read.byteOffset, read.length).toString('latin1');
  const content = contentOf(text, read, paper);
  if (length <= LONGEST_READ_BYTES) return content;
  const note = `only the first ${LONGEST_READ_BYTES} of ${length} bytes were read`;
  return { ...content, note: content.note === null ? note : `${content.note}; ${note}` };
}

function contentOf(text: string, bytes: Uint8Array, paper: ReceiptPaper | undefined): RawContent {
  const language = languageOf(text, paper);
  if (language === 'pjl') return wrappedContent(text);
  if (language === 'esc-pos' || language === 'star') return { language, ...countReceipts(bytes, language, paper) };
  // A receipt printer takes all that is in no other language for its own.
  if (paper && (language === 'text' || language === 'esc-p' || language === 'unknown')) {
    const own = language === 'text' ? language : paper.language;
    return { language: own, ...countReceipts(bytes, paper.language, paper) };
  }
  const count = COUNTERS[language]?.(text) ?? UNCOUNTED;
  return { language, ...count, note: count.note ?? NOTES[language] ?? null };
}

function languageOf(text: string, paper: ReceiptPaper | undefined): RawLanguage {
  const head = text.slice(0, SEARCHED_BYTES);
  return TESTS.find(([, test]) => test(head, paper))?.[0] ?? 'unknown';
}

/**
 * The language with more commands of its own in the document. Where neither is ahead and it has commands of both, the
 * printer decides. Undefined where it has no command of a receipt printer.
 */
function receiptLanguageOf(head: string, paper: ReceiptPaper | undefined): ReceiptLanguage | undefined {
  const bytes = Buffer.from(head, 'latin1');
  const [escPos, star] = [signsOf(bytes, 'esc-pos'), signsOf(bytes, 'star')];
  const ahead = escPos.own - escPos.unknown - star.own + star.unknown;
  const best = ahead > 0 ? escPos : star;
  if (ahead !== 0) return best.own + best.shared > 2 * best.unknown ? (ahead > 0 ? 'esc-pos' : 'star') : undefined;
  return escPos.shared > escPos.unknown ? (paper?.language ?? 'esc-pos') : undefined;
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

/** @param sequence - the first escape sequence of a document, without its ESC */
function isPcl(sequence: string): boolean {
  return PCL.test(sequence) && !startsWithOne(sequence, ESC_POS_BOLD);
}

function isEscP(head: string): boolean {
  if (ESC_P_NEVER.some((control) => head.includes(control))) return false;
  return head.split('\x1b').some((sequence) => ESC_P.test(sequence));
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
