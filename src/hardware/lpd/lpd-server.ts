/**
 * LPD server: a line printer daemon (RFC 1179) with a queue for each printer.
 *
 *   02 queue LF ─► 00 ─► 02 length name LF ─► 00 ─► control file 00 ─► 00
 *                     └► 03 length name LF ─► 00 ─► data file    00 ─► 00 ─► … ─► end: print
 *   03, 04 queue LF ─► the state of the queue as text          05 queue … LF ─► jobs are removed
 *
 * The control file names the title and the user. A data file of length 0 goes on until the sender ends, as
 * some clients send it. It answers anything else with 1, as the protocol says, and ends the connection.
 */

import { createServer, type Socket } from 'node:net';

import { MOST_DOCUMENT_BYTES, type HardwarePrinter } from '../hardware-printer.ts';
import { bytesOf, hostInUri, TcpPort, type PortAddress } from '../tcp-port.ts';

const LF = 0x0a;
const COMMAND = { print: 1, receive: 2, shortState: 3, longState: 4, remove: 5 } as const;
const SUBCOMMAND = { abort: 1, controlFile: 2, dataFile: 3 } as const;
const OK = Buffer.of(0);
const REFUSED = Buffer.of(1);
const MOST_CONTROL_BYTES = 64 * 1024;
const LONGEST_LINE = 1_024;
/** Together they are as long as a document may be. */
const MOST_FILES = 100;
const LIMITS = { most: 256, idleMs: 60_000 };

export class LpdServer {
  readonly #port: TcpPort;
  readonly #host: string | undefined;
  readonly #queues = new Map<string, HardwarePrinter>();
  readonly #jobs = new Map<HardwarePrinter, number>();

  private constructor(host: string | undefined) {
    this.#host = host;
    const server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket));
    this.#port = new TcpPort(server, LIMITS);
  }

  /** Resolves when it listens. Rejects as `listen` does, with EADDRINUSE and the like. */
  static async start(address: PortAddress): Promise<LpdServer> {
    const lpd = new LpdServer(address.host);
    await lpd.#port.listen(address);
    return lpd;
  }

  get port(): number {
    return this.#port.number;
  }

  /** Serves a printer as the queue of this name, and says under which URI. */
  add(queue: string, printer: HardwarePrinter): string {
    this.#queues.set(queue, printer);
    return `lpd://${hostInUri(this.#host)}:${this.port}/${queue}`;
  }

  remove(queue: string): void {
    this.#queues.delete(queue);
  }

  close(): Promise<void> {
    return this.#port.close();
  }

  async #serve(socket: Socket): Promise<void> {
    const reader = new SocketReader(socket);
    try {
      await this.#command(reader, socket);
      socket.end();
    } catch (error) {
      if (!(error instanceof ProtocolFault)) {
        socket.destroy();
        return;
      }
      socket.end(REFUSED);
    }
  }

  async #command(reader: SocketReader, socket: Socket): Promise<void> {
    const line = await reader.line();
    const [name = ''] = line.subarray(1).toString('latin1').trim().split(/\s+/);
    const printer = this.#queues.get(name);
    if (!printer) throw new ProtocolFault(`there is no queue '${name}'`);
    if (printer.isSwitchedOff || !printer.connections.admits(socket)) return void socket.resetAndDestroy();
    reader.pace = () => printer.connections.pace();
    const command = line[0] ?? 0;
    if (command === COMMAND.receive) {
      socket.write(OK);
      await this.#receive(reader, socket, printer);
    } else if (command === COMMAND.shortState || command === COMMAND.longState) {
      socket.write(stateOf(printer, command === COMMAND.longState));
    } else if (command === COMMAND.print || command === COMMAND.remove) {
      socket.write(OK);
    } else {
      throw new ProtocolFault('the command is not one of RFC 1179');
    }
  }

  async #receive(reader: SocketReader, socket: Socket, printer: HardwarePrinter): Promise<void> {
    let control = '';
    const files: Buffer[] = [];
    let isUnanswered = false;
    for (;;) {
      const line = await reader.line().catch((error: unknown) => {
        if (error instanceof EndOfStream) return undefined;
        throw error;
      });
      if (line === undefined) break;
      if (line[0] === SUBCOMMAND.abort) {
        control = '';
        files.length = 0;
        socket.write(OK);
        continue;
      }
      const isControl = line[0] === SUBCOMMAND.controlFile;
      if (!isControl && line[0] !== SUBCOMMAND.dataFile) {
        throw new ProtocolFault('the subcommand is not one of RFC 1179');
      }
      if (!isControl && printer.has('drops-connection')) return void socket.resetAndDestroy();
      const room = MOST_DOCUMENT_BYTES - files.reduce((sum, file) => sum + file.length, 0);
      const length = lengthIn(line, isControl ? MOST_CONTROL_BYTES : room);
      socket.write(OK);
      const bytes = length === 0 && !isControl ? await reader.toTheEnd(room) : await reader.bytes(length);
      if (length > 0 || isControl) await reader.bytes(1);
      if (isControl) control = bytes.toString('latin1');
      else if (files.push(bytes) > MOST_FILES) throw new ProtocolFault(`a job has at most ${MOST_FILES} files`);
      isUnanswered = control !== '' && files.length > 0 && printer.has('drops-answer');
      if (isUnanswered) break;
      socket.write(OK);
    }
    for (const file of files) this.#print(file, control, printer);
    if (isUnanswered) socket.resetAndDestroy();
  }

  #print(file: Buffer, control: string, printer: HardwarePrinter): void {
    const bytes = printer.connections.kept(file);
    if (bytes.length === 0) return;
    const id = (this.#jobs.get(printer) ?? 0) + 1;
    this.#jobs.set(printer, id);
    const fieldOf = (letter: string): string | undefined =>
      control
        .split('\n')
        .find((line) => line.startsWith(letter))
        ?.slice(1);
    const title = fieldOf('J') ?? fieldOf('N') ?? `LPD ${id}`;
    const user = fieldOf('P') ?? '';
    const job = { protocol: 'lpd', id, user, title, bytes } as const;
    // The protocol has no way to say that a document cannot be printed.
    printer.print(job, () => undefined).catch(() => undefined);
  }
}

/** `125 cfA001host`: the length of a file, then its name. */
function lengthIn(line: Buffer, most: number): number {
  const text = line.subarray(1).toString('latin1');
  const length = Number(/^(\d{1,15})\s/.exec(`${text} `)?.[1] ?? NaN);
  if (!Number.isSafeInteger(length)) throw new ProtocolFault(`'${text}' does not begin with a length`);
  if (length > most) throw new ProtocolFault(`a file of ${length} bytes is too long`);
  return length;
}

function stateOf(printer: HardwarePrinter, isLong: boolean): string {
  const { name, faults, waiting } = printer;
  const state = faults.length > 0 ? faults.join(', ') : 'ready';
  return isLong ? `${name}: ${state}\n${waiting} jobs waiting\n` : `${name} is ${state}; ${waiting} waiting\n`;
}

/** The peer breaks the protocol; it gets a refusal. */
class ProtocolFault extends Error {}

/** The peer ended where more was due. */
class EndOfStream extends Error {}

/** Reads a socket by lines and by lengths. */
class SocketReader {
  readonly #chunks: AsyncIterator<Buffer>;
  /** What is waited for before each piece is read. */
  pace: () => Promise<void> = () => Promise.resolve();
  #buffered: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = bytesOf(socket)[Symbol.asyncIterator]();
  }

  /** Without its LF. @throws ProtocolFault when it is too long, EndOfStream at the end of the connection */
  async line(): Promise<Buffer> {
    for (;;) {
      const end = this.#buffered.indexOf(LF);
      if (end >= 0) return this.#cut(end + 1).subarray(0, end);
      if (this.#buffered.length > LONGEST_LINE) throw new ProtocolFault('the line is too long');
      if (!(await this.#more())) throw new EndOfStream();
    }
  }

  async bytes(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      if (this.#buffered.length === 0 && !(await this.#more())) throw new EndOfStream();
      const part = this.#cut(Math.min(missing, this.#buffered.length));
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  async toTheEnd(most: number): Promise<Buffer> {
    const parts = [this.#cut(this.#buffered.length)];
    let length = parts[0]?.length ?? 0;
    while (await this.#more()) {
      const part = this.#cut(this.#buffered.length);
      length += part.length;
      if (length > most) throw new ProtocolFault('the file is too long');
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  #cut(length: number): Buffer {
    const cut = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return cut;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    await this.pace();
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value]);
    return true;
  }
}
