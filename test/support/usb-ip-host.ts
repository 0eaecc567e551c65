/**
 * A USB/IP host for tests: what a kernel does when it attaches a device, without a kernel.
 */

import { connect, type Socket } from 'node:net';

import { within } from '../../src/common/waiter.ts';

export interface UsbAnswer {
  readonly status: number;
  /** The number of bytes that an OUT transfer took. */
  readonly length: number;
  readonly data: Buffer;
}

const VERSION = 0x0111;
const LIMIT = '5s';

export function operation(code: number, busId?: string, version = VERSION): Buffer {
  const bytes = Buffer.alloc(busId === undefined ? 8 : 40);
  bytes.writeUInt16BE(version, 0);
  bytes.writeUInt16BE(code, 2);
  if (busId !== undefined) bytes.write(busId, 8, 'latin1');
  return bytes;
}

/** The bus id and the port of an address like usbip://127.0.0.1:3240/1-1. */
export function partsOf(uri = ''): { readonly port: number; readonly busId: string } {
  const { port, pathname } = new URL(uri.replace('usbip:', 'http:'));
  return { port: Number(port), busId: pathname.slice(1) };
}

export class UsbIpHost {
  readonly socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #sequence = 0;
  readonly #waiting = new Map<number, { readonly isIn: boolean; readonly resolve: (answer: UsbAnswer) => void }>();
  readonly closed: Promise<unknown>;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
  }

  /** Attaches a device. @throws Error with the status of the answer where that is not 0 */
  static async attach(port: number, busId: string): Promise<UsbIpHost> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const host = new UsbIpHost(socket);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isAttached = false;
    socket.on('data', (chunk: Buffer) => {
      host.#bytes = Buffer.concat([host.#bytes, chunk]);
      if (!isAttached && host.#bytes.length >= 8) {
        const status = host.#bytes.readUInt32BE(4);
        if (status !== 0) return reject(new Error(`status ${status}`));
        if (host.#bytes.length < 320) return undefined;
        host.#bytes = host.#bytes.subarray(320);
        isAttached = true;
        resolve();
      }
      if (isAttached) host.#read();
      return undefined;
    });
    socket.write(operation(0x8003, busId));
    await within(promise, { description: 'the answer to an import', limit: LIMIT });
    return host;
  }

  /** Sends a transfer; resolves with its answer. */
  submit(
    endpoint: number,
    isIn: boolean,
    length: number,
    setup: Buffer = Buffer.alloc(8),
    data: Buffer = Buffer.alloc(0),
  ): { readonly sequence: number; readonly answer: Promise<UsbAnswer> } {
    const sequence = ++this.#sequence;
    const head = this.header(1, sequence, isIn, endpoint);
    head.writeUInt32BE(length, 24);
    setup.copy(head, 40);
    const { promise, resolve } = Promise.withResolvers<UsbAnswer>();
    this.#waiting.set(sequence, { isIn, resolve });
    this.socket.write(Buffer.concat([head, data]));
    return { sequence, answer: within(promise, { description: `the answer to transfer ${sequence}`, limit: LIMIT }) };
  }

  /** Takes a transfer back; resolves with the status of the answer. */
  async unlink(target: number): Promise<number> {
    const sequence = ++this.#sequence;
    const head = this.header(2, sequence, false, 0);
    head.writeUInt32BE(target, 20);
    const { promise, resolve } = Promise.withResolvers<UsbAnswer>();
    this.#waiting.set(sequence, { isIn: false, resolve });
    this.socket.write(head);
    const answer = await within(promise, { description: 'the answer to an unlink', limit: LIMIT });
    // What was taken back ends with this answer, and gets none of its own.
    if (answer.status !== 0) this.#waiting.get(target)?.resolve(answer);
    return answer.status;
  }

  /** A control transfer with an answer. */
  controlIn(requestType: number, request: number, value: number, length: number): Promise<UsbAnswer> {
    return this.submit(0, true, length, setupOf(requestType, request, value, length)).answer;
  }

  controlOut(requestType: number, request: number, value: number, index: number, data: Buffer): Promise<UsbAnswer> {
    const setup = setupOf(requestType, request, value, data.length, index);
    return this.submit(0, false, data.length, setup, data).answer;
  }

  /** Asks an IN endpoint for up to 64 bytes. */
  read(endpoint = 1): Promise<UsbAnswer> {
    return this.submit(endpoint, true, 64).answer;
  }

  write(endpoint: number, data: Buffer): Promise<UsbAnswer> {
    return this.submit(endpoint, false, data.length, Buffer.alloc(8), data).answer;
  }

  header(command: number, sequence: number, isIn: boolean, endpoint: number): Buffer {
    const head = Buffer.alloc(48);
    for (const [index, value] of [command, sequence, 0x10002, Number(isIn), endpoint].entries()) {
      head.writeUInt32BE(value, index * 4);
    }
    return head;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #read(): void {
    while (this.#bytes.length >= 48) {
      const waiting = this.#waiting.get(this.#bytes.readUInt32BE(4));
      const length = this.#bytes.readUInt32BE(24);
      const end = 48 + (waiting?.isIn ? length : 0);
      if (this.#bytes.length < end) return;
      const data = Buffer.from(this.#bytes.subarray(48, end));
      waiting?.resolve({ status: this.#bytes.readInt32BE(20), length, data });
      this.#bytes = this.#bytes.subarray(end);
    }
  }
}

function setupOf(requestType: number, request: number, value: number, length: number, index = 0): Buffer {
  const setup = Buffer.of(requestType, request, 0, 0, 0, 0, 0, 0);
  setup.writeUInt16LE(value, 2);
  setup.writeUInt16LE(index, 4);
  setup.writeUInt16LE(length, 6);
  return setup;
}
