/**
 * Star commands: Star line mode and raster mode, and StarPRNT, which is line mode with pictures of its own.
 */

import { fromColumns, fromRows } from './bitmaps.ts';
import { barcode, printStored } from './escpos-codes.ts';
import { buzz, byte, commandTable, counted, cut, isOn, until, word, type CommandRows } from './receipt-command.ts';
import type { ReceiptHead } from './receipt-head.ts';

const NUL = 0;
const RS = 0x1e;
/** Digits stand for themselves and for their number. */
const numberOf = (value = 0): number => (value >= 48 ? value - 48 : value);
const ALIGNS = [0, 0.5, 1];

/** How much larger letters are, from 1; by numbers from 0. */
const enlarged = (value = 0): number => Math.min(numberOf(value), 7) + 1;

const drawer = (number: number) => (head: ReceiptHead) => head.happen('drawer', number);

/** Rows of eight dots, in columns. */
const columnsLength =
  (heightBytes: number) =>
  (bytes: Uint8Array, at: number): number =>
    2 + word(bytes, at) * heightBytes;

function stripe(heightBytes: number, scale: number) {
  return (head: ReceiptHead, parameters: Uint8Array): void => {
    head.stripe(
      fromColumns(parameters.subarray(2), word(parameters, 0), heightBytes),
      scale,
      heightBytes === 1 ? 3 : 1,
    );
  };
}

const BARCODES = [
  'upce',
  'upca',
  'ean8',
  'ean13',
  'code39',
  'interleaved2of5',
  'code128',
  'code93',
  'rationalizedCodabar',
  'code128',
];
/** Which of the four forms of ESC b prints the data below. */
const READABLE = new Set([2, 4]);

/** ESC b: kind, form, width, height, and data up to RS. */
function printBarcode(head: ReceiptHead, parameters: Uint8Array): void {
  const [kind, form, width, height = 0] = parameters;
  const symbology = BARCODES[numberOf(kind)];
  if (symbology === undefined) return head.leaveOut(`a bar code of kind ${kind}, which there is not`);
  const data = Buffer.from(parameters.subarray(4, -1)).toString('latin1');
  const readable = READABLE.has(numberOf(form)) ? 2 : 0;
  head.code(barcode(symbology, data), { module: Math.min(numberOf(width) + 1, 4), height, readable });
  head.feed(0);
}

/** ESC k: pictures of 24 lines, in rows. */
function fineRows(head: ReceiptHead, parameters: Uint8Array): void {
  head.stripe(fromRows(parameters.subarray(2), byte(parameters, 0), 24), 1, 1);
}

/** A line of dots in raster mode; `k` feeds the paper no further. */
function rasterLine(head: ReceiptHead, parameters: Uint8Array): void {
  head.picture(fromRows(parameters.subarray(2), word(parameters, 0), 1), 1, 1);
}

/** What the end of a page or of a document does, by its number: some of them cut. */
const CUTS = new Set([0, 8, 9, 12, 13, 36, 37]);

function endRaster(head: ReceiptHead): void {
  if (CUTS.has(head.settings.rasterEnd)) head.cut();
}

const digits = (parameters: Uint8Array): number => Number.parseInt(Buffer.from(parameters).toString('latin1'), 10) || 0;

const store =
  (symbology: string, before: number) =>
  (head: ReceiptHead, parameters: Uint8Array): void =>
    head.setCode({ symbology, data: Buffer.from(parameters.subarray(before)).toString('utf8') });

const ROWS: CommandRows = {
  HT: ['tab', 0, (head) => head.tab()],
  LF: ['line feed', 0, (head) => head.lineFeed()],
  VT: ['vertical tab', 0, (head) => head.lineFeed()],
  FF: ['form feed', 0, (head) => head.lineFeed()],
  CR: ['carriage return', 0, null],
  CAN: ['clear the buffer', 0, null],
  ENQ: ['status', 0, null],
  EOT: ['status', 0, null],
  BEL: ['drawer', 0, drawer(1)],
  FS: ['drawer at once', 0, drawer(1)],
  EM: ['drawer 2 at once', 0, drawer(2)],
  SUB: ['drawer 2', 0, drawer(2)],
  SO: ['double width', 0, (head) => head.set({ width: 2 })],
  DC4: ['single width', 0, (head) => head.set({ width: 1 })],
  SI: ['upside down', 0, (head) => head.set({ isUpsideDown: true })],
  DC2: ['upright', 0, (head) => head.set({ isUpsideDown: false })],
  'ESC @': ['reset', 0, (head) => head.reset()],
  'ESC BEL': ['pulse of the drawer', 2, null],
  'ESC FF NUL': ['end of the page', 0, endRaster],
  'ESC FF EM': ['end of the page', 0, endRaster],
  'ESC FF EOT': ['end of the document', 0, endRaster],
  'ESC ACK SOH': ['status', 0, null],
  'ESC SP': ['space between letters', 1, (head, [dots]) => head.set({ letterSpace: numberOf(dots) })],
  'ESC !': ['setting', 1, null],
  'ESC #': ['setting', until(NUL), null],
  'ESC $': ['Japanese', 1, (head, [on]) => head.set({ wideEncoding: isOn(on) ? 'shift_jis' : undefined })],
  'ESC %': ['characters of its own', 1, (head, [on]) => isOn(on) && head.leaveOut('characters of its own')],
  'ESC &': ['define a character', 50, null],
  'ESC * r A': ['raster mode', 0, null],
  'ESC * r B': ['end of raster mode', 0, endRaster],
  'ESC * r C': ['clear', 0, null],
  'ESC * r D': [
    'drawer',
    until(NUL),
    (head, parameters) => digits(parameters) > 0 && head.happen('drawer', digits(parameters)),
  ],
  'ESC * r E': ['end of the document', until(NUL), (head, parameters) => head.set({ rasterEnd: digits(parameters) })],
  'ESC * r F': ['end of the page', until(NUL), null],
  'ESC * r R': ['reset of raster mode', 0, null],
  'ESC * r Y': ['feed', until(NUL), (head, parameters) => head.feed(digits(parameters))],
  'ESC * r': ['setting of raster mode', until(NUL), null],
  'ESC -': ['underline', 1, (head, [on]) => head.set({ underline: isOn(on) ? 2 : 0 })],
  'ESC _': ['line above', 1, 'not drawn'],
  'ESC /': ['zero', 1, null],
  'ESC 0': ['line space', 0, (head) => head.set({ lineSpace: Math.round(head.paper.dotsPerMm * 3) })],
  'ESC 1': ['line space', 0, (head) => head.set({ lineSpace: Math.round(head.paper.dotsPerMm * 4) })],
  'ESC 2': ['line space', 0, null],
  'ESC 3': ['line space', 1, null],
  'ESC 4': ['reverse', 0, (head) => head.set({ isReverse: true })],
  'ESC 5': ['not reverse', 0, (head) => head.set({ isReverse: false })],
  'ESC :': ['font', 0, (head) => head.set({ font: 'B' })],
  'ESC A': ['line space', 1, null],
  'ESC B': ['vertical tabs', until(NUL), null],
  'ESC C NUL': ['length of the page', 1, null],
  'ESC C': ['length of the page', 1, null],
  'ESC D': ['tabs', until(NUL), (head, parameters) => head.set({ tabs: [...parameters].filter((tab) => tab > 0) })],
  'ESC E': ['bold', 0, (head) => head.set({ isBold: true })],
  'ESC F': ['not bold', 0, (head) => head.set({ isBold: false })],
  'ESC FS p': ['kept picture', 2, 'not drawn'],
  'ESC FS q': ['keep pictures', (bytes, at) => 5 + word(bytes, at + 1) * word(bytes, at + 3) * 8, null],
  'ESC GS #': ['setting', until(NUL), null],
  'ESC GS (': ['setting', counted(1), null],
  'ESC GS ) U': ['encoding', counted(), encodeLetters],
  'ESC GS )': ['setting', counted(1), null],
  'ESC GS A': ['position', 2, (head, parameters) => head.moveTo(word(parameters, 0))],
  'ESC GS BEL': ['drawer or buzzer', 3, buzz],
  'ESC GS EM DC1': ['buzzer', 3, null],
  'ESC GS EM DC2': ['buzzer', 3, buzz],
  'ESC GS ETX': ['setting', 3, null],
  'ESC GS P 0': ['page mode', 0, (head) => head.enterPage()],
  'ESC GS P 1': ['end of page mode', 0, (head) => head.leavePage()],
  'ESC GS P 2': ['direction', 1, (head, [direction = 0]) => head.page?.setDirection(numberOf(direction))],
  'ESC GS P 3': ['area', 8, setPageArea],
  'ESC GS P 4': ['position', 2, (head, parameters) => head.page?.moveTo(word(parameters, 0))],
  'ESC GS P 5': ['move', 2, (head, parameters) => head.page?.feed(word(parameters, 0))],
  'ESC GS P 6': ['print the page', 0, (head) => head.printPage(true)],
  'ESC GS P 7': ['print the page', 0, (head) => head.printPage(false)],
  'ESC GS P 8': ['clear the page', 0, (head) => head.clearPage()],
  'ESC GS R': ['move', 2, (head, parameters) => head.moveBy(word(parameters, 0))],
  'ESC GS S': [
    'picture',
    (bytes, at) => 6 + word(bytes, at + 1) * word(bytes, at + 3),
    (head, parameters) =>
      head.picture(fromRows(parameters.subarray(6), word(parameters, 1), word(parameters, 3)), 1, 1),
  ],
  'ESC GS a': ['alignment', 1, (head, [value]) => head.set({ align: ALIGNS[numberOf(value)] ?? 0 })],
  'ESC GS b': ['setting', 1, null],
  'ESC GS t': ['code page', 1, (head, [page = 0]) => head.selectPage(page)],
  'ESC GS x S': ['setting of PDF417', 4, null],
  'ESC GS x D': ['data of PDF417', counted(), store('pdf417', 2)],
  'ESC GS x P': ['PDF417', 0, (head) => printStored(head, 'pdf417')],
  'ESC GS x I': ['size of PDF417', 0, null],
  'ESC GS x S 1': ['setting of PDF417', 1, null],
  'ESC GS x S 2': ['setting of PDF417', 1, (head, [module = 2]) => head.setCode({ module: Math.min(module, 15) || 1 })],
  'ESC GS x S 3': ['setting of PDF417', 1, null],
  'ESC GS x S 0': ['setting of PDF417', 3, null],
  'ESC GS y S 0': ['model of QR code', 1, null],
  'ESC GS y S 1': [
    'level of QR code',
    1,
    (head, [level]) => head.setCode({ level: 'LMQH'.charAt(numberOf(level)) || 'L' }),
  ],
  'ESC GS y S 2': ['size of QR code', 1, (head, [module = 3]) => head.setCode({ module: Math.min(module, 16) || 1 })],
  'ESC GS y D 1': ['data of QR code', counted(1), store('qrcode', 3)],
  'ESC GS y D 2': ['data of QR code', counted(1), store('qrcode', 3)],
  'ESC GS y P': ['QR code', 0, (head) => printStored(head, 'qrcode')],
  'ESC GS y I': ['size of QR code', 0, null],
  'ESC I': ['feed', 1, (head, [dots = 0]) => head.feed(dots)],
  'ESC J': ['feed', 1, (head, [dots = 0]) => head.feed(dots)],
  'ESC K': ['picture in columns', columnsLength(1), stripe(1, 2)],
  'ESC L': ['picture in columns', columnsLength(1), stripe(1, 1)],
  'ESC M': ['font', 0, (head) => head.set({ font: 'A' })],
  'ESC N': ['bottom margin', 1, null],
  'ESC O': ['no bottom margin', 0, null],
  'ESC P': ['font', 0, (head) => head.set({ font: 'B' })],
  'ESC Q': ['right margin', 1, (head, [columns = 0]) => setRightMargin(head, columns)],
  'ESC R': ['letters of a country', 1, (head, [country = 0]) => head.set({ country: numberOf(country) })],
  'ESC RS C': ['colour', 1, null],
  'ESC RS F': ['font', 1, (head, [font]) => head.set({ font: numberOf(font) === 0 ? 'A' : 'B' })],
  'ESC RS L': ['logo', 1, 'not drawn'],
  'ESC RS a': ['status of its own accord', 1, null],
  'ESC RS': ['setting', 2, null],
  'ESC U': ['one direction', 1, null],
  'ESC W': ['width of letters', 1, (head, [width]) => head.set({ width: enlarged(width) })],
  'ESC X': ['picture in columns', columnsLength(3), stripe(3, 1)],
  'ESC ^': ['pictures of nine needles', columnsLength(2), 'not drawn'],
  'ESC a': ['feed lines', 1, (head, [lines = 0]) => head.feedLines(lines)],
  'ESC b': ['bar code', (bytes, at) => 4 + until(RS)(bytes, at + 4), printBarcode],
  'ESC d': ['cut', 1, cut],
  'ESC g': ['font', 0, (head) => head.set({ font: 'B' })],
  'ESC h': ['height of letters', 1, (head, [height]) => head.set({ height: enlarged(height) })],
  'ESC i': [
    'size of letters',
    2,
    (head, [height, width]) => head.set({ height: enlarged(height), width: enlarged(width) }),
  ],
  'ESC j': ['feed back', 1, (head, [dots = 0]) => head.feed(-dots)],
  'ESC k': ['picture', (bytes, at) => 2 + byte(bytes, at) * 24, fineRows],
  'ESC l': ['left margin', 1, (head, [columns = 0]) => head.set({ leftMargin: columns * head.letterWidth })],
  'ESC p': ['Japanese', 0, (head) => head.set({ wideEncoding: 'shift_jis' })],
  'ESC q': ['no Japanese', 0, (head) => head.set({ wideEncoding: undefined })],
  'ESC s': ['space of Japanese', 2, null],
  'ESC t': ['space of Japanese', 2, null],
  'ESC z': ['line space', 1, (head, [value]) => head.set({ lineSpace: head.paper.dotsPerMm * (isOn(value) ? 4 : 3) })],
  b: ['line of a raster', (bytes, at) => 2 + word(bytes, at), rasterLine],
  k: ['line of a raster', (bytes, at) => 2 + word(bytes, at), rasterLine],
};

/** ESC GS ) U: how letters are encoded. */
function encodeLetters(head: ReceiptHead, parameters: Uint8Array): void {
  const [, , fn, value] = parameters;
  if (numberOf(fn) === 0 && numberOf(value) === 1) head.set({ encoding: 'utf8', wideEncoding: undefined });
}

function setPageArea(head: ReceiptHead, parameters: Uint8Array): void {
  const [x = 0, y = 0, width = 0, height = 0] = [0, 2, 4, 6].map((at) => word(parameters, at));
  head.page?.setArea({ x, y, width, height });
}

function setRightMargin(head: ReceiptHead, columns: number): void {
  const { leftMargin } = head.settings;
  const right = Math.min(columns * head.letterWidth, head.paper.widthDots);
  if (right > leftMargin) head.set({ areaWidth: right - leftMargin });
}

export const STAR = commandTable(ROWS, /^(?:ESC GS|ESC RS|ESC \* r|ESC [bh])/);
