/**
 * ESC/POS commands: all of Epson's receipt printers, and those that others have added.
 */

import { fromColumns, fromRows } from './bitmaps.ts';
import { printBarcode, printSquareCode } from './escpos-codes.ts';
import { buzz, byte, commandTable, counted, cut, isOn, until, word, type CommandRows } from './receipt-command.ts';
import type { ReceiptHead } from './receipt-head.ts';

const NUL = 0;
const ALIGNS = [0, 0.5, 1];
const alignOf = (value = 0): number => ALIGNS[value % 48] ?? 0;
const FONT_NAMES = ['A', 'B', 'C'] as const;
const fontOf = (value = 0): (typeof FONT_NAMES)[number] => FONT_NAMES[value % 48] ?? 'A';

/** Bits of ESC !. */
function selectMode(head: ReceiptHead, mode = 0): void {
  head.set({
    font: mode & 0x01 ? 'B' : 'A',
    isBold: (mode & 0x08) !== 0,
    height: mode & 0x10 ? 2 : 1,
    width: mode & 0x20 ? 2 : 1,
    underline: mode & 0x80 ? 1 : 0,
  });
}

/** ESC *: bits of its mode say 24 dots a column, and columns as fine as the head. */
function printStripe(head: ReceiptHead, parameters: Uint8Array): void {
  const mode = byte(parameters, 0);
  const isFine = (mode & 0x20) !== 0;
  const bitmap = fromColumns(parameters.subarray(3), word(parameters, 1), isFine ? 3 : 1);
  head.stripe(bitmap, mode & 1 ? 1 : 2, isFine ? 1 : 3);
}

/** GS v 0: bits of its mode double it. */
function printRaster(head: ReceiptHead, parameters: Uint8Array): void {
  const mode = byte(parameters, 0);
  const bitmap = fromRows(parameters.subarray(5), word(parameters, 1), word(parameters, 3));
  head.picture(bitmap, mode & 1 ? 2 : 1, mode & 2 ? 2 : 1);
}

/** Stores a picture, prints the stored one, or has to do with others. @param parameters - from the function on */
function graphics(head: ReceiptHead, parameters: Uint8Array): void {
  const [, fn = 0, , scaleX = 1, scaleY = 1] = parameters;
  if (fn === 112 || fn === 113) {
    const [width, height] = [word(parameters, 6), word(parameters, 8)];
    const data = parameters.subarray(10);
    const bitmap =
      fn === 112 ? fromRows(data, Math.ceil(width / 8), height) : fromColumns(data, width, Math.ceil(height / 8));
    head.stored = { bitmap, scaleX: scaleX === 2 ? 2 : 1, scaleY: scaleY === 2 ? 2 : 1 };
  } else if (fn === 2 || fn === 50) {
    if (head.stored) head.picture(head.stored.bitmap, head.stored.scaleX, head.stored.scaleY);
    head.stored = undefined;
  } else if (fn === 69 || fn === 85) head.leaveOut('a picture that is kept in the printer');
}

/** GS V: of its two forms the longer one feeds the paper first. */
const cutLength = (bytes: Uint8Array, at: number): number => (byte(bytes, at) < 65 ? 1 : 2);

function pulse(head: ReceiptHead, [pin = 0]: Uint8Array): void {
  head.happen('drawer', (pin & 1) + 1);
}

/** ESC &: a number of columns for each character, then its dots. */
function charactersLength(bytes: Uint8Array, at: number): number {
  const [rows, first, last] = [byte(bytes, at), byte(bytes, at + 1), byte(bytes, at + 2)];
  let end = at + 3;
  for (let code = first; code <= last && end < bytes.length; code++) end += 1 + rows * byte(bytes, end);
  return end - at;
}

/** FS q: a number of pictures, each with its size in bytes across and down. */
function storedPicturesLength(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  for (let left = byte(bytes, at); left > 0 && end < bytes.length; left--) {
    end += 4 + word(bytes, end) * word(bytes, end + 2) * 8;
  }
  return end - at;
}

/** GS k: the old form ends with NUL, the new one says how long it is. */
function barcodeLength(bytes: Uint8Array, at: number): number {
  return byte(bytes, at) >= 65 ? 2 + byte(bytes, at + 1) : 1 + until(NUL)(bytes, at + 1);
}

function setPageArea(head: ReceiptHead, parameters: Uint8Array): void {
  const [x, y, width, height] = [0, 2, 4, 6].map((at) => word(parameters, at));
  head.settle();
  head.page?.setArea({ x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 });
}

/** FS ( C: how letters are encoded. */
function encodeLetters(head: ReceiptHead, [, , fn, value]: Uint8Array): void {
  if (fn === 48 && (value === 2 || value === 50)) head.set({ encoding: 'utf8', wideEncoding: undefined });
}

/** GS ( and what follows: two bytes that say how much, then it. */
const functionOf = (parameters: Uint8Array): Uint8Array => parameters.subarray(2);
const signed = (value: number): number => (value > 0x7fff ? value - 0x1_0000 : value);

export const ESC_POS_ROWS: CommandRows = {
  HT: ['tab', 0, (head) => head.tab()],
  LF: ['line feed', 0, (head) => head.lineFeed()],
  FF: ['form feed', 0, (head) => head.printPage(false)],
  CR: ['carriage return', 0, null],
  CAN: ['clear the page', 0, (head) => head.clearPage()],
  BEL: ['buzzer', 0, buzz],
  'DLE EOT BEL': ['ink status', 1, null],
  'DLE EOT BS': ['device status', 1, null],
  'DLE EOT DC2': ['status', 1, null],
  'DLE EOT': ['status', 1, null],
  'DLE ENQ': ['recover', 1, null],
  'DLE DC4 SOH': ['drawer at once', 2, pulse],
  'DLE DC4 STX': ['switch off', 2, null],
  'DLE DC4 ETX': ['buzzer at once', 5, buzz],
  'DLE DC4 BEL': ['status', 1, null],
  'DLE DC4 BS': ['clear the buffer', 7, null],
  'DLE DC4': ['at once', 1, null],
  'ESC FF': ['print the page', 0, (head) => head.printPage(true)],
  'ESC SP': ['space between letters', 1, (head, [dots = 0]) => head.set({ letterSpace: dots })],
  'ESC !': ['mode of letters', 1, (head, [mode]) => selectMode(head, mode)],
  'ESC $': ['position', 2, (head, parameters) => head.moveTo(word(parameters, 0))],
  'ESC \\': ['move', 2, (head, parameters) => head.moveBy(signed(word(parameters, 0)))],
  'ESC %': ['characters of its own', 1, (head, [on]) => isOn(on) && head.leaveOut('characters of its own')],
  'ESC &': ['define characters', charactersLength, null],
  'ESC ( A': ['buzzer', counted(), buzz],
  'ESC ( Y': ['batch', counted(), null],
  'ESC (': ['setting', counted(1), null],
  'ESC *': [
    'picture in columns',
    (bytes, at) => 3 + word(bytes, at + 1) * (byte(bytes, at) & 0x20 ? 3 : 1),
    printStripe,
  ],
  'ESC -': ['underline', 1, (head, [value = 0]) => head.set({ underline: value % 48 })],
  'ESC 2': ['usual line space', 0, (head) => head.set({ lineSpace: head.usualLineSpace })],
  'ESC 3': ['line space', 1, (head, [dots = 0]) => head.set({ lineSpace: dots })],
  'ESC 7': ['heat', 3, null],
  'ESC 8': ['sleep', 2, null],
  'ESC 9': ['code of Chinese', 1, (head, [value]) => head.set({ wideEncoding: value === 3 ? 'big5' : 'gb18030' })],
  'ESC <': ['home', 0, null],
  'ESC =': ['select the device', 1, null],
  'ESC ?': ['delete characters', 1, null],
  'ESC @': ['reset', 0, (head) => head.reset()],
  'ESC A': ['line space', 1, (head, [dots = 0]) => head.set({ lineSpace: dots })],
  'ESC B': ['buzzer', 2, buzz],
  'ESC C': ['buzzer', 3, buzz],
  'ESC D': ['tabs', until(NUL), (head, parameters) => head.set({ tabs: [...parameters].filter((tab) => tab > 0) })],
  'ESC E': ['bold', 1, (head, [on]) => head.set({ isBold: isOn(on) })],
  'ESC F': ['not bold', 0, (head) => head.set({ isBold: false })],
  'ESC G': ['double strike', 1, (head, [on]) => head.set({ isBold: isOn(on) })],
  'ESC J': ['feed', 1, (head, [dots = 0]) => head.feed(dots)],
  'ESC K': ['feed back', 1, (head, [dots = 0]) => head.feed(-dots)],
  'ESC L': ['page mode', 0, (head) => head.enterPage()],
  'ESC M': ['font', 1, (head, [font]) => head.set({ font: fontOf(font) })],
  'ESC R': ['letters of a country', 1, (head, [country = 0]) => head.set({ country })],
  'ESC S': ['standard mode', 0, (head) => head.leavePage()],
  'ESC T': [
    'direction of the page',
    1,
    (head, [direction = 0]) => {
      head.settle();
      head.page?.setDirection(direction % 48);
    },
  ],
  'ESC U': ['one direction', 1, null],
  'ESC V': ['turned letters', 1, (head, [on]) => head.set({ isTurned: isOn(on) })],
  'ESC W': ['area of the page', 8, setPageArea],
  'ESC Z': [
    'QR code',
    (bytes, at) => 5 + word(bytes, at + 3),
    (head, parameters) => {
      const options = { eclevel: 'LMQH'.charAt(byte(parameters, 1) & 3) || 'L' };
      const data = Buffer.from(parameters.subarray(5)).toString('utf8');
      const module = Math.min(16, byte(parameters, 2) || 3);
      head.code({ symbology: 'qrcode', data, options }, { module, height: module, readable: 0 });
    },
  ],
  'ESC a': ['alignment', 1, (head, [value]) => head.set({ align: alignOf(value) })],
  'ESC c 0': ['paper', 1, null],
  'ESC c 1': ['paper', 1, null],
  'ESC c 3': ['paper sensors', 1, null],
  'ESC c 4': ['paper sensors', 1, null],
  'ESC c 5': ['panel buttons', 1, null],
  'ESC d': ['feed lines', 1, (head, [lines = 0]) => head.feedLines(lines)],
  'ESC e': ['feed lines back', 1, (head, [lines = 0]) => head.feed(-lines * head.settings.lineSpace)],
  'ESC f': ['wait for a slip', 2, null],
  'ESC i': ['cut', 0, cut],
  'ESC m': ['cut', 0, cut],
  'ESC o': ['stamp', 0, 'not drawn'],
  'ESC p': ['drawer', 3, pulse],
  'ESC q': ['release', 0, null],
  'ESC r': ['colour', 1, null],
  'ESC t': ['code page', 1, (head, [page = 0]) => head.selectPage(page)],
  'ESC u': ['status', 1, null],
  'ESC v': ['status', 0, null],
  'ESC {': ['upside down', 1, (head, [on]) => head.set({ isUpsideDown: isOn(on) })],
  'FS !': ['mode of Chinese', 1, null],
  'FS &': ['Chinese', 0, (head) => head.set({ wideEncoding: head.settings.wideEncoding ?? 'gb18030' })],
  'FS ( C': ['encoding', counted(), encodeLetters],
  'FS (': ['setting', counted(1), null],
  'FS -': ['underline of Chinese', 1, null],
  'FS .': ['no Chinese', 0, (head) => head.set({ wideEncoding: undefined })],
  'FS 2': ['define a letter', 74, null],
  'FS ?': ['delete a letter', 2, null],
  'FS C': [
    'code of Japanese',
    1,
    (head, [code = 0]) => head.set({ wideEncoding: code % 48 === 1 ? 'shift_jis' : 'eucjp' }),
  ],
  'FS S': ['space of Chinese', 2, null],
  'FS W': [
    'size of Chinese',
    1,
    (head, [on]) => head.set(isOn(on) ? { width: 2, height: 2 } : { width: 1, height: 1 }),
  ],
  'FS g 1': ['write memory', (bytes, at) => 7 + word(bytes, at + 5), null],
  'FS g 2': ['read memory', 7, null],
  'FS p': ['kept picture', 2, 'not drawn'],
  'FS q': ['keep pictures', storedPicturesLength, null],
  'GS !': [
    'size of letters',
    1,
    (head, [size = 0]) => head.set({ width: ((size >> 4) & 7) + 1, height: (size & 7) + 1 }),
  ],
  'GS $': [
    'position on the page',
    2,
    (head, parameters) => {
      head.settle();
      head.page?.moveTo(word(parameters, 0));
    },
  ],
  'GS \\': [
    'move on the page',
    2,
    (head, parameters) => {
      head.settle();
      head.page?.feed(signed(word(parameters, 0)));
    },
  ],
  'GS ( A': ['test print', counted(), 'not drawn'],
  'GS ( L': ['graphics', counted(), (head, parameters) => graphics(head, functionOf(parameters))],
  'GS ( k': ['square code', counted(), (head, parameters) => printSquareCode(head, functionOf(parameters))],
  'GS (': ['setting', counted(1), null],
  'GS 8 L': [
    'graphics',
    (bytes, at) => 4 + word(bytes, at) + word(bytes, at + 2) * 0x1_0000,
    (head, parameters) => graphics(head, parameters.subarray(4)),
  ],
  'GS *': [
    'define a picture',
    (bytes, at) => 2 + byte(bytes, at) * byte(bytes, at + 1) * 8,
    (head, parameters) => {
      const bitmap = fromColumns(parameters.subarray(2), byte(parameters, 0) * 8, byte(parameters, 1));
      head.stored = { bitmap, scaleX: 1, scaleY: 1 };
    },
  ],
  'GS /': [
    'defined picture',
    1,
    (head, [mode = 0]) => head.stored && head.picture(head.stored.bitmap, mode & 1 ? 2 : 1, mode & 2 ? 2 : 1),
  ],
  'GS :': ['begin or end a macro', 0, null],
  'GS ^': ['macro', 3, 'not drawn'],
  'GS B': ['reverse', 1, (head, [on]) => head.set({ isReverse: isOn(on) })],
  'GS C 0': ['counter', 2, null],
  'GS C 1': ['counter', 6, null],
  'GS C 2': ['counter', 2, null],
  'GS C ;': ['counter', counterLength, null],
  'GS D': ['picture of Windows', (bytes, at) => 7 + word(bytes, at + 9) + word(bytes, at + 11) * 0x1_0000, 'not drawn'],
  'GS E': ['quality', 1, null],
  'GS H': ['readable letters', 1, (head, [place = 0]) => head.setCode({ readable: place % 48 })],
  'GS I': ['which printer', 1, null],
  'GS L': ['left margin', 2, (head, parameters) => head.set({ leftMargin: word(parameters, 0) })],
  'GS P': ['units', 2, null],
  'GS Q 0': ['picture in columns', (bytes, at) => 5 + word(bytes, at + 1) * word(bytes, at + 3), 'not drawn'],
  'GS T': ['begin of the line', 1, null],
  'GS V': ['cut', cutLength, cut],
  'GS W': ['width of the area', 2, (head, parameters) => head.set({ areaWidth: word(parameters, 0) })],
  'GS a': ['status of its own accord', 1, null],
  'GS b': ['smooth', 1, null],
  'GS c': ['counter', 0, 'not drawn'],
  'GS f': ['font of readable letters', 1, null],
  'GS g 0': ['counters', 3, null],
  'GS g 2': ['counters', 3, null],
  'GS h': ['height of bar codes', 1, (head, [height = 0]) => head.setCode({ height })],
  'GS i': ['cut', 2, null],
  'GS j': ['ink status', 1, null],
  'GS k': ['bar code', barcodeLength, printBarcode],
  'GS r': ['status', 1, null],
  'GS v 0': ['picture', (bytes, at) => 5 + word(bytes, at + 1) * word(bytes, at + 3), printRaster],
  'GS w': ['width of bar codes', 1, (head, [module = 3]) => head.setCode({ module: Math.min(module, 8) })],
  'GS z 0': ['wait on line', 2, null],
  'GS |': ['density', 1, null],
  DC2: ['normal letters', 0, (head) => head.set({ font: 'A' })],
  'ESC SI': ['narrow letters', 0, (head) => head.set({ font: 'B' })],
  'GS ù': ['language', 2, null],
  'DC2 #': ['heat', 1, null],
  'DC2 q': ['status', 1, null],
  'DC2 *': [
    'picture',
    (bytes, at) => 2 + byte(bytes, at) * byte(bytes, at + 1),
    (head, parameters) => {
      const bitmap = fromRows(parameters.subarray(2), byte(parameters, 1), byte(parameters, 0));
      head.picture(bitmap, 1, 1);
    },
  ],
  'DC2 T': ['test print', 0, 'not drawn'],
};

/** GS C ; is followed by five numbers in digits, each ended by a semicolon. */
function counterLength(bytes: Uint8Array, at: number): number {
  let end = at;
  for (let number = 0; number < 5; number++) end += until(0x3b)(bytes, end);
  return end - at;
}

export const ESC_POS = commandTable(ESC_POS_ROWS, /^(?:GS|DLE|FS|ESC [v{])/);
