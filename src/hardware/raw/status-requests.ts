/**
 * Status requests: what printers answer in the middle of a stream of bytes.
 *
 *   ZPL       ~HS                    three lines: flags, settings, counters
 *   ESC/POS   DLE EOT n (10 04 0n)   a byte of status n, 1 to 4
 *             GS r n (1d 72 0n)      a byte: 1 paper, 2 drawer
 *
 * They are taken out of the stream, but for GS r, whose bytes a picture may hold as well; all other bytes belong to the
 * document, and so do these in a document of pages. A request may be cut by the border of two chunks, so that the last
 * bytes of a chunk are kept back while they could begin one.
 */

import type { PrinterFault } from '../../devices/printer/printer-fault.ts';
import { hasAny, NO_PAPER, OPEN } from '../fault-groups.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';

export interface TakenBytes {
  readonly document: Uint8Array;
  readonly replies: readonly Buffer[];
}

const ZPL_REQUEST = Buffer.from('~HS', 'latin1');
const DLE = 0x10;
const EOT = 0x04;
const ESC_POS_REQUEST = Buffer.of(DLE, EOT);
const REQUEST_BYTES = 3;
const GS = 0x1d;
const PAPER_REQUEST = Buffer.of(GS, 0x72);
/** Beside the kinds of DLE EOT, from 1. */
const ZPL_KIND = 0;
const PAPER_KINDS = [1, 2, 49, 50];
const PAPER_KIND = 16;
/** PDF, PostScript, PWG and URF raster, and PJL in front of any of them. */
const PAGES = ['%PDF', '%!', 'RaS', 'UNIRAST', '\x1b%-12345X'];

export class StatusRequests {
  readonly #printer: HardwarePrinter;
  #kept = Buffer.alloc(0);
  /** Undefined until its first bytes came. */
  #isOfPages: boolean | undefined;

  constructor(printer: HardwarePrinter) {
    this.#printer = printer;
  }

  take(chunk: Uint8Array): TakenBytes {
    const bytes = Buffer.concat([this.#kept, chunk]);
    if (bytes.length > 0) this.#isOfPages ??= PAGES.some((one) => bytes.indexOf(one) === 0);
    if (this.#isOfPages) return { document: bytes, replies: [] };
    const document: Buffer[] = [];
    const replies: Buffer[] = [];
    let from = 0;
    // A printer does not change while it reads: it answers all that comes at once alike.
    const answers = new Map<number, Buffer>();
    for (const at of requestsIn(bytes)) {
      const kind = kindAt(bytes, at);
      const end = kind >= PAPER_KIND ? at + REQUEST_BYTES : at;
      if (end > from) document.push(bytes.subarray(from, end));
      const answer = answers.get(kind) ?? this.#answerTo(kind);
      answers.set(kind, answer);
      replies.push(answer);
      from = at + REQUEST_BYTES;
    }
    const keptFrom = Math.max(from, bytes.length - partialRequest(bytes));
    document.push(bytes.subarray(from, keptFrom));
    this.#kept = Buffer.from(bytes.subarray(keptFrom));
    return { document: Buffer.concat(document), replies };
  }

  /** Gives out what was kept back, once nothing follows. */
  rest(): Uint8Array {
    const kept = this.#kept;
    this.#kept = Buffer.alloc(0);
    this.#isOfPages = undefined;
    return kept;
  }

  #answerTo(kind: number): Buffer {
    const { faults, waiting } = this.#printer;
    if (kind === ZPL_KIND) return zplStatus(faults, waiting);
    return Buffer.of(kind >= PAPER_KIND ? paperStatus(kind, faults) : escPosStatus(kind, faults));
  }
}

/** Where whole requests begin, in order. Each kind is looked for once, since there may be none of it. */
function* requestsIn(bytes: Buffer): Iterable<number> {
  const next = KINDS.map((find) => find(bytes, 0));
  for (let at = Math.min(...next); at < bytes.length; at = Math.min(...next)) {
    yield at;
    for (const [kind, find] of KINDS.entries()) if (next[kind] === at) next[kind] = find(bytes, at + REQUEST_BYTES);
  }
}

const KINDS = [nextZpl, nextEscPos, nextPaper];

/** Infinity when none follows. */
function nextZpl(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(ZPL_REQUEST, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

function nextEscPos(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(ESC_POS_REQUEST, from);
  while (at !== -1 && !isStatusKind(bytes[at + 2] ?? 0)) at = bytes.indexOf(ESC_POS_REQUEST, at + 1);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

function nextPaper(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(PAPER_REQUEST, from);
  while (at !== -1 && !PAPER_KINDS.includes(bytes[at + 2] ?? 0)) at = bytes.indexOf(PAPER_REQUEST, at + 1);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

function kindAt(bytes: Buffer, at: number): number {
  if (bytes[at] === GS) return PAPER_KIND + ((bytes[at + 2] ?? 0) & 0x0f);
  return bytes[at] === DLE ? (bytes[at + 2] ?? 0) : ZPL_KIND;
}

function isStatusKind(kind: number): boolean {
  return kind >= 1 && kind <= 4;
}

/** How many of the last bytes could begin a request. */
function partialRequest(bytes: Buffer): number {
  const last = bytes.at(-1);
  const beforeLast = bytes.at(-2);
  if (beforeLast === ZPL_REQUEST[0] && last === ZPL_REQUEST[1]) return 2;
  if (beforeLast === DLE && last === EOT) return 2;
  if (beforeLast === GS && last === PAPER_REQUEST[1]) return 2;
  return last === ZPL_REQUEST[0] || last === DLE || last === GS ? 1 : 0;
}

const flag = (value: boolean): string => (value ? '1' : '0');

/** The answer to ~HS: three strings, each between STX and ETX. */
function zplStatus(faults: readonly PrinterFault[], waiting: number): Buffer {
  const count = String(Math.min(waiting, 999)).padStart(3, '0');
  const lines = [
    `030,${flag(hasAny(faults, NO_PAPER))},${flag(faults.includes('paused'))},1218,${count},0,0,0,000,${flag(faults.includes('fuser-under-temp'))},${flag(faults.includes('fuser-over-temp'))},0`,
    `000,0,${flag(hasAny(faults, OPEN))},${flag(faults.includes('marker-supply-empty'))},0,2,6,0,00000000,1,000`,
    '1234,0',
  ];
  return Buffer.from(lines.map((line) => `\x02${line}\x03\r\n`).join(''), 'latin1');
}

/** Bits 1 and 4 are always set. */
const FIXED_BITS = 0x12;
const DRAWER_HIGH = 0x04;
const OFFLINE = 0x08;
const COVER_OPEN = 0x04;
const PAPER_STOP = 0x20;
const ERROR = 0x40;
const UNRECOVERABLE = 0x20;
const CUTTER = 0x08;
const PAPER_LOW = 0x0c;
const PAPER_OUT = 0x60;

/** The answer to DLE EOT n: 1 printer, 2 why it is off line, 3 errors, 4 paper. */
function escPosStatus(kind: number, faults: readonly PrinterFault[]): number {
  const noPaper = hasAny(faults, NO_PAPER);
  const open = hasAny(faults, OPEN);
  const stops = faults.filter((fault) => !fault.endsWith('-low') && !fault.includes('almost'));
  const bits = [
    DRAWER_HIGH | (stops.length > 0 ? OFFLINE : 0),
    (open ? COVER_OPEN : 0) | (noPaper ? PAPER_STOP : 0) | (stops.length > 0 ? ERROR : 0),
    (faults.includes('media-jam') || faults.includes('other') ? UNRECOVERABLE : 0) |
      (faults.includes('trimmer-jam') ? CUTTER : 0),
    (faults.includes('media-low') || noPaper ? PAPER_LOW : 0) | (noPaper ? PAPER_OUT : 0),
  ];
  return FIXED_BITS | (bits[kind - 1] ?? 0);
}

const NEAR_END = 0x03;
const AT_END = 0x0c;

/** The answer to GS r n: the paper, or the drawer, which is shut. */
function paperStatus(kind: number, faults: readonly PrinterFault[]): number {
  if (kind !== PAPER_KIND + 1) return 0;
  const noPaper = hasAny(faults, NO_PAPER);
  return (faults.includes('media-low') || noPaper ? NEAR_END : 0) | (noPaper ? AT_END : 0);
}
