/**
 * Status requests: what printers answer in the middle of a stream of bytes.
 *
 *   at once   ~HS, DLE EOT n, wherever they stand; of Star printers ENQ, EOT and ESC ACK SOH
 *   in turn   GS r n, GS I n, GS a n, ESC v, ESC u n; of Star printers ESC RS a n: not while the printer is stopped
 *
 * They are taken out of the stream; all other bytes belong to the document, and so do these in a document of pages and
 * in a picture, but for those that are answered wherever they stand. A request may be cut by the border of two chunks,
 * so that the last bytes of a chunk are kept back while they could begin one.
 */

import { CommandReader, type Part } from '../../devices/receipt/command-reader.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';
import {
  escPosChanges,
  escPosDrawer,
  escPosIdentity,
  escPosPaper,
  escPosStatus,
  starChanges,
  starErrors,
  starPaper,
  zplStatus,
} from './printer-status.ts';

export interface StatusPeer {
  /** To the one that asked. */
  readonly send: (answer: Buffer) => void;
  /** What came of a document before is to be forgotten. */
  readonly clear: () => void;
}

/** PDF, PostScript, PWG and URF raster, and PJL in front of any of them. */
const PAGES = ['%PDF', '%!', 'RaS', 'UNIRAST', '\x1b%-12345X'];
const ZPL_REQUEST = Buffer.from('~HS', 'latin1');
const DLE_EOT = Buffer.of(0x10, 0x04);
const REQUEST_BYTES = 3;
const STATUS_KINDS = [1, 2, 3, 4];
/** More than wait for an answer are not answered. */
const MOST_IN_TURN = 1_000;

interface Watching {
  readonly status: (printer: HardwarePrinter) => Buffer;
  /** Whether a change of this byte, from 0, is told. */
  readonly tells: (index: number) => boolean;
}

interface Request {
  readonly isInTurn: boolean;
  /** The answer, if there is one. */
  readonly answer?: (printer: HardwarePrinter, n: number) => Buffer | undefined;
  /** Tells of changes from now on. */
  readonly watch?: (n: number) => Watching | undefined;
  /** Makes the printer lose what it has taken; false where it does not now. */
  readonly clears?: (printer: HardwarePrinter, n: number) => boolean;
}

const isPaper = (n: number): boolean => n === 1 || n === 49;
const isDrawer = (n: number): boolean => n === 2 || n === 50;

/** By the names that the commands have in the tables of src/devices/receipt. */
const REQUESTS: Readonly<Record<string, Request>> = {
  'GS r': {
    isInTurn: true,
    answer: (printer, n) => (isPaper(n) ? escPosPaper(printer) : isDrawer(n) ? escPosDrawer() : undefined),
  },
  'GS I': { isInTurn: true, answer: escPosIdentity },
  'ESC v': { isInTurn: true, answer: escPosPaper },
  'ESC u': { isInTurn: true, answer: escPosDrawer },
  // Its bits are drawer, on line, errors and paper; the first byte has the drawer and whether it is on line.
  'GS a': {
    isInTurn: true,
    answer: (printer, n) => (n === 0 ? undefined : escPosChanges(printer)),
    watch: (n) => (n === 0 ? undefined : { status: escPosChanges, tells: (index) => ((n >> 1) & (1 << index)) !== 0 }),
  },
  'DLE ENQ': { isInTurn: false, clears: ({ faults }, n) => n === 2 && faults.includes('trimmer-jam') },
  'DLE DC4 BS': { isInTurn: false, clears: () => true, answer: () => Buffer.of(0x37, 0x25, 0x00) },
  ENQ: { isInTurn: false, answer: starErrors },
  EOT: { isInTurn: false, answer: starPaper },
  'ESC ACK SOH': { isInTurn: false, answer: starChanges },
  'ESC RS a': {
    isInTurn: true,
    answer: (printer, n) => (n % 48 === 0 ? undefined : starChanges(printer)),
    watch: (n) => (n % 48 === 0 ? undefined : { status: starChanges, tells: () => true }),
  },
};

export class StatusRequests {
  readonly #printer: HardwarePrinter;
  readonly #peer: StatusPeer;
  /** Undefined where the printer prints no receipts. */
  #reader: CommandReader | undefined;
  /** Undefined until its first bytes came. */
  #isOfPages: boolean | undefined;
  /** Kept back: what could begin a request that stands anywhere, and what could begin a command. */
  #kept: Buffer = Buffer.alloc(0);
  #begun: Buffer = Buffer.alloc(0);
  /** How many bytes still belong to the last command. */
  #belonging = 0;
  /** Answers of one chunk go out together. */
  #answers: Buffer[] = [];
  /** What waits until the printer goes on. */
  #inTurn: (() => void)[] = [];
  #watching: Watching | undefined;
  #told: Buffer = Buffer.alloc(0);
  readonly #stop: () => void;

  constructor(printer: HardwarePrinter, peer: StatusPeer) {
    this.#printer = printer;
    this.#peer = peer;
    this.#reader = readerFor(printer);
    this.#stop = printer.onChange(() => this.#changed());
  }

  /** What belongs to the document; what asks for something is answered. */
  take(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.alloc(0);
    if (bytes.length > 0) this.#isOfPages ??= PAGES.some((one) => bytes.indexOf(one) === 0);
    if (this.#isOfPages) return bytes;
    const document: Uint8Array[] = [];
    const isStar = this.#printer.profile.kind === 'receipt' && this.#printer.profile.receipt.language === 'star';
    if (isStar) this.#read(bytes, document);
    else this.#search(bytes, document);
    this.#send();
    return Buffer.concat(document);
  }

  /** Gives out what was kept back, once nothing follows. */
  rest(): Uint8Array {
    const kept = Buffer.concat([this.#begun, this.#kept]);
    this.#kept = Buffer.alloc(0);
    this.#begun = Buffer.alloc(0);
    this.#belonging = 0;
    this.#isOfPages = undefined;
    this.#reader = readerFor(this.#printer);
    return kept;
  }

  /** Nothing is told from now on. */
  close(): void {
    this.#stop();
  }

  /** Answers what is answered wherever it stands. */
  #search(bytes: Buffer, document: Uint8Array[]): void {
    // A printer does not change while it reads: it answers all that comes at once alike.
    const answers = new Map<number, Buffer>();
    let from = 0;
    for (const at of requestsIn(bytes)) {
      if (at > from) this.#read(bytes.subarray(from, at), document);
      const kind = bytes[at] === DLE_EOT[0] ? (bytes[at + 2] ?? 0) : 0;
      const answer = answers.get(kind) ?? (kind === 0 ? zplStatus(this.#printer) : escPosStatus(this.#printer, kind));
      answers.set(kind, answer);
      this.#answers.push(answer);
      from = at + REQUEST_BYTES;
    }
    const keptFrom = Math.max(from, bytes.length - partialRequest(bytes));
    this.#read(bytes.subarray(from, keptFrom), document);
    this.#kept = Buffer.from(bytes.subarray(keptFrom));
  }

  /** Reads command by command, and answers those that ask. */
  #read(chunk: Uint8Array, document: Uint8Array[]): void {
    const reader = this.#reader;
    if (!reader) return void document.push(chunk);
    const bytes = Buffer.concat([this.#begun, chunk]);
    let from = 0;
    let at = this.#belonging;
    while (at < bytes.length && reader.isTold(bytes, at)) {
      const part = reader.next(bytes, at);
      const request = requestIn(part);
      if (request) {
        if (at > from) document.push(bytes.subarray(from, at));
        from = part.to;
        if (request.clears?.(this.#printer, bytes[part.from] ?? 0)) {
          document.length = 0;
          this.#peer.clear();
        }
        this.#take(request, bytes[part.from] ?? 0);
      }
      at = part.to;
    }
    this.#belonging = Math.max(0, at - bytes.length);
    document.push(bytes.subarray(from, at));
    this.#begun = Buffer.from(bytes.subarray(at));
  }

  #take(request: Request, n: number): void {
    const answer = (): void => {
      const bytes = request.answer?.(this.#printer, n);
      if (bytes) this.#answers.push(bytes);
      if (!request.watch) return;
      this.#watching = request.watch(n);
      this.#told = this.#watching?.status(this.#printer) ?? Buffer.alloc(0);
    };
    if (!request.isInTurn || (!this.#printer.isStopped && this.#inTurn.length === 0)) answer();
    else if (this.#inTurn.length < MOST_IN_TURN) this.#inTurn.push(answer);
  }

  #changed(): void {
    this.#tell();
    if (!this.#printer.isStopped) for (const answer of this.#inTurn.splice(0)) answer();
    this.#send();
  }

  #tell(): void {
    const watching = this.#watching;
    const status = watching?.status(this.#printer);
    if (!watching || !status) return;
    const isTold = status.some((byte, index) => byte !== this.#told[index] && watching.tells(index));
    if (isTold) this.#answers.push(status);
    this.#told = status;
  }

  #send(): void {
    if (this.#answers.length > 0) this.#peer.send(Buffer.concat(this.#answers));
    this.#answers = [];
  }
}

function readerFor({ profile }: HardwarePrinter): CommandReader | undefined {
  return profile.kind === 'receipt' ? new CommandReader(profile.receipt.language) : undefined;
}

function requestIn({ command }: Part): Request | undefined {
  if (typeof command === 'string' || !Object.hasOwn(REQUESTS, command.name)) return undefined;
  return REQUESTS[command.name];
}

/** Where whole requests begin, in order. Each kind is looked for once, since there may be none of it. */
function* requestsIn(bytes: Buffer): Iterable<number> {
  const next = KINDS.map((find) => find(bytes, 0));
  for (let at = Math.min(...next); at < bytes.length; at = Math.min(...next)) {
    yield at;
    for (const [kind, find] of KINDS.entries()) if (next[kind] === at) next[kind] = find(bytes, at + REQUEST_BYTES);
  }
}

const KINDS = [nextZpl, nextEscPos];

/** Infinity when none follows. */
function nextZpl(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(ZPL_REQUEST, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

function nextEscPos(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(DLE_EOT, from);
  while (at !== -1 && !STATUS_KINDS.includes(bytes[at + 2] ?? 0)) at = bytes.indexOf(DLE_EOT, at + 1);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

/** How many of the last bytes could begin a request. */
function partialRequest(bytes: Buffer): number {
  const last = bytes.at(-1);
  const beforeLast = bytes.at(-2);
  if (beforeLast === ZPL_REQUEST[0] && last === ZPL_REQUEST[1]) return 2;
  if (beforeLast === DLE_EOT[0] && last === DLE_EOT[1]) return 2;
  return last === ZPL_REQUEST[0] || last === DLE_EOT[0] ? 1 : 0;
}
