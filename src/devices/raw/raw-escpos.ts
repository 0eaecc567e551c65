/**
 * Raw ESC/POS: counts receipts by their cuts. A document without a cut is one receipt.
 *
 * Walks command by command, because pictures and parameters may hold the bytes of a cut.
 */

import { counted, type RawCount } from './raw-count.ts';

/** How many bytes of parameters follow ESC and this byte; none for those that are not here. */
const ESC_PARAMETERS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('!-3adEGJMRtV{ rT%='.split('').map((command) => [command, 1])),
  c: 2,
  p: 3,
  $: 2,
  '\\': 2,
  W: 8,
};
const GS_PARAMETERS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('!BHIfhwarbT/'.split('').map((command) => [command, 1])),
  L: 2,
  W: 2,
  P: 2,
  $: 2,
  '\\': 2,
  '^': 3,
};
/** Bits of the mode byte of ESC * that say 24 dots, and so three bytes, a column. */
const THREE_BYTES_A_COLUMN = 0x20;

export function countReceipts(text: string): RawCount {
  let cuts = 0;
  let at = 0;
  while (at < text.length) {
    const lead = text.charAt(at);
    const command = text.charAt(at + 1);
    if (isCut(lead, command)) cuts++;
    at += lead === '\x1b' ? escLength(text, at) : lead === '\x1d' ? gsLength(text, at) : 1;
  }
  const macro = text.includes('\x1d^') ? 'it runs a macro, whose cuts are counted once' : null;
  return counted('receipts', Math.max(1, cuts), macro);
}

function isCut(lead: string, command: string): boolean {
  return (lead === '\x1d' && command === 'V') || (lead === '\x1b' && (command === 'i' || command === 'm'));
}

function escLength(text: string, at: number): number {
  const command = text.charAt(at + 1);
  if (command !== '*') return 2 + (ESC_PARAMETERS[command] ?? 0);
  const perColumn = byte(text, at + 2) & THREE_BYTES_A_COLUMN ? 3 : 1;
  return 5 + word(text, at + 3) * perColumn;
}

function gsLength(text: string, at: number): number {
  switch (text.charAt(at + 1)) {
    case 'V':
      return byte(text, at + 2) < 65 ? 3 : 4;
    case 'v':
      return 8 + word(text, at + 4) * word(text, at + 6);
    case '(':
      return 5 + word(text, at + 3);
    case '8':
      return 7 + word(text, at + 3) + word(text, at + 5) * 0x1_0000;
    case '*':
      return 4 + byte(text, at + 2) * byte(text, at + 3) * 8;
    case 'k':
      return barcodeLength(text, at);
    default:
      return 2 + (GS_PARAMETERS[text.charAt(at + 1)] ?? 0);
  }
}

/** The old form ends with NUL, the new one says how long it is. */
function barcodeLength(text: string, at: number): number {
  if (byte(text, at + 2) >= 65) return 4 + byte(text, at + 3);
  const end = text.slice(at, at + 300).indexOf('\0', 3);
  return end < 0 ? 3 : end + 1;
}

/** 0 past the end. */
function byte(text: string, at: number): number {
  return text.charCodeAt(at) || 0;
}

function word(text: string, at: number): number {
  return byte(text, at) + 256 * byte(text, at + 1);
}
