/**
 * ESC/POS codes: bar codes (GS k) and square codes (GS ( k), by the names that bwip-js has for them.
 */

import { byte } from './receipt-command.ts';
import type { ReceiptHead } from './receipt-head.ts';
import type { CodeRequest } from './receipt-paper.ts';

/** By the number of GS k; of its old form from 0, of its new one from 65. */
const BARCODES = [
  'upca',
  'upce',
  'ean13',
  'ean8',
  'code39',
  'interleaved2of5',
  'rationalizedCodabar',
  'code93',
  'code128',
  'gs1-128',
  'databaromni',
  'databartruncated',
  'databarlimited',
  'databarexpanded',
];

export function printBarcode(head: ReceiptHead, parameters: Uint8Array): void {
  const kind = byte(parameters, 0);
  const isNew = kind >= 65;
  const letters = Buffer.from(parameters.subarray(isNew ? 2 : 1))
    .toString('latin1')
    .replace(/\0$/, '');
  const symbology = BARCODES[isNew ? kind - 65 : kind];
  if (symbology === undefined) return head.leaveOut(`a bar code of kind ${kind}, which there is not`);
  const { module, height, readable } = head.settings.code;
  const request = barcode(symbology, letters);
  head.code(request, { module, height, readable });
}

/** The data of a bar code without the marks that printers take with it. */
export function barcode(symbology: string, letters: string): CodeRequest {
  if (symbology === 'code128' || symbology === 'gs1-128') {
    return { symbology: 'code128', data: code128(letters), options: {} };
  }
  if (symbology === 'code39') return { symbology, data: letters.replace(/^\*(.*)\*$/, '$1'), options: {} };
  if (symbology === 'ean13' || symbology === 'ean8' || symbology === 'upca') {
    return { symbology, data: letters, options: {} };
  }
  return { symbology, data: letters, options: {} };
}

/** `{A`, `{B` and `{C` choose a set, in the last of which a byte is two digits; `{{` is a brace. */
function code128(letters: string): string {
  let set = 'B';
  let data = '';
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charAt(at);
    if (letter !== '{') {
      data += set === 'C' ? String(letter.charCodeAt(0)).padStart(2, '0') : letter;
      continue;
    }
    const mark = letters.charAt(++at);
    if (mark === '{') data += mark;
    else if ('ABC'.includes(mark)) set = mark;
  }
  // Some senders write the digits of set C as letters.
  return set === 'C' && /^\{C\d+$/.test(letters) ? letters.slice(2) : data;
}

const PDF417 = 48;
const QR = 49;
const MAXICODE = 50;
const AZTEC = 53;
const DATA_MATRIX = 54;
const SYMBOLOGIES: Readonly<Record<number, string>> = {
  [PDF417]: 'pdf417',
  [QR]: 'qrcode',
  [MAXICODE]: 'maxicode',
  [AZTEC]: 'azteccode',
  [DATA_MATRIX]: 'datamatrix',
};
const STORE = 80;
const PRINT = 81;
const MODULE = 67;
const QR_LEVEL = 69;

/** @param parameters - the kind of code, the function, and what it takes */
export function printSquareCode(head: ReceiptHead, [kind = 0, fn = 0, ...rest]: Uint8Array): void {
  const symbology = SYMBOLOGIES[kind];
  if (symbology === undefined) {
    if (fn === PRINT) head.leaveOut(`a code of kind ${kind}`);
    return;
  }
  const [value = 0] = rest;
  if (fn === MODULE) head.setCode({ module: Math.min(16, Math.max(1, value)) });
  else if (fn === QR_LEVEL && kind === QR) head.setCode({ level: 'LMQH'.charAt(value % 48) || 'L' });
  else if (fn === STORE) head.setCode({ symbology, data: Buffer.from(rest.slice(1)).toString('utf8') });
  else if (fn === PRINT) printStored(head, symbology);
}

export function printStored(head: ReceiptHead, symbology: string): void {
  const { module, level, data, symbology: stored } = head.settings.code;
  if (stored !== symbology || data === '') return head.leaveOut('a code without data');
  const options = symbology === 'qrcode' ? { eclevel: level } : {};
  const height = symbology === 'pdf417' ? module * 3 : module;
  head.code({ symbology, data, options }, { module, height, readable: 0 });
}
