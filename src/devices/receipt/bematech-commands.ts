/**
 * Bematech commands: ESC/POS as printers of Brazil have it, once `GS F9 5 0` has chosen that language.
 */

import { ESC_POS_ROWS } from './escpos-commands.ts';
import { byte, commandTable, until, type CommandRows } from './receipt-command.ts';
import type { ReceiptHead } from './receipt-head.ts';

/** `GS k Q`: level, size, version, encoding, a length that senders do not agree about, and data up to NUL. */
function printQrCode(head: ReceiptHead, parameters: Uint8Array): void {
  const module = Math.max(1, Math.round(byte(parameters, 1) / 2));
  const data = Buffer.from(parameters.subarray(6, -1)).toString('latin1');
  const options = { eclevel: 'LMQH'.charAt(byte(parameters, 0) & 3) };
  head.code({ symbology: 'qrcode', data, options }, { module, height: module, readable: 0 });
}

const ROWS: CommandRows = {
  ...ESC_POS_ROWS,
  'ESC E': ['bold', 0, (head) => head.set({ isBold: true })],
  'ESC v': ['drawer', 1, (head) => head.happen('drawer', 1)],
  'ESC \u{80}': ['drawer', 1, (head) => head.happen('drawer', 2)],
  'GS k Q': ['QR code', (bytes, at) => 6 + until(0)(bytes, at + 6), printQrCode],
};

export const BEMATECH = commandTable(ROWS, /^GS/);
