/**
 * USB attachment: a device in the hands of a host, from the import to the end of the connection.
 *
 *   host ─► CMD_SUBMIT ─┬─ endpoint 0 ─► standard request, or the device ─► RET_SUBMIT
 *                       ├─ OUT ────────► the device                      ─► RET_SUBMIT
 *                       └─ IN ─────────► waits until the device has something to say ─► RET_SUBMIT
 *        ─► CMD_UNLINK ─► a transfer that waits is taken back
 *
 * A host that speaks nonsense, asks for too much or never reads loses the connection; the device goes on.
 */

import type { Socket } from 'node:net';

import type { Clock, Timer } from '../../common/clock.ts';
import { clearedEndpoint, standardAnswer } from './usb-descriptors.ts';
import { NO_DATA, type UsbConnection, type UsbDevice, type UsbEndpoint, type UsbHost } from './usb-device.ts';
import {
  COMMAND,
  HEADER_BYTES,
  packetsOf,
  readTransfer,
  TRANSFER_STATUS,
  transferReply,
  unlinkReply,
  type UsbTransfer,
} from './usb-ip-messages.ts';

/** More than any driver sends at once. */
const MOST_TRANSFER_BYTES = 1024 * 1024;
/** Transfers of a host that may wait at the same time. */
const MOST_WAITING = 1_024;
/** The limit for answers that a host does not read. */
const MOST_UNREAD_BYTES = 4 * MOST_TRANSFER_BYTES;
/** What an interrupt endpoint keeps for a host that does not ask: a device has little memory. */
const MOST_KEPT_REPORTS = 4;
/** What a bulk endpoint keeps: what is asked for beyond it is not answered. */
const MOST_KEPT_ANSWERS = 64;
const DIRECTION_IN = 0x80;
const ENDPOINT_MASK = 0x0f;

/** An IN endpoint: transfers that wait for data, or data that waits for transfers. */
interface InEndpoint {
  readonly kind: UsbEndpoint['kind'];
  readonly waiting: UsbTransfer[];
  kept: Uint8Array[];
  isHalted: boolean;
}

export class UsbAttachment implements UsbHost {
  readonly #socket: Socket;
  readonly #device: UsbDevice;
  readonly #clock: Clock;
  readonly #connection: UsbConnection;
  readonly #inEndpoints: ReadonlyMap<number, InEndpoint>;
  readonly #outEndpoints: ReadonlySet<number>;
  readonly #delayed = new Map<number, Timer>();
  #bytes: Buffer = Buffer.alloc(0);
  #hasEnded = false;

  constructor(socket: Socket, device: UsbDevice, clock: Clock) {
    this.#socket = socket;
    this.#device = device;
    this.#clock = clock;
    const { endpoints } = device.description;
    this.#inEndpoints = new Map(
      endpoints
        .filter(({ direction }) => direction === 'in')
        .map(({ number, kind }) => [number, { kind, waiting: [], kept: [], isHalted: false }]),
    );
    this.#outEndpoints = new Set(endpoints.filter(({ direction }) => direction === 'out').map(({ number }) => number));
    this.#connection = device.connect(this);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
  }

  take(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    while (!this.#hasEnded && this.#bytes.length >= HEADER_BYTES) {
      const length = this.#messageLength(this.#bytes);
      if (length === undefined) return this.end();
      if (this.#bytes.length < length) return;
      const message = this.#bytes.subarray(0, length);
      this.#bytes = this.#bytes.subarray(length);
      this.#handle(message);
    }
  }

  deliver(endpoint: number, data: Uint8Array): void {
    const at = this.#inEndpoints.get(endpoint);
    if (!at || this.#hasEnded) return;
    if (at.kind === 'interrupt') at.kept = [...at.kept, data].slice(-MOST_KEPT_REPORTS);
    else if (at.kept.length < MOST_KEPT_ANSWERS) at.kept.push(data);
    this.#pump(at);
  }

  stall(endpoint: number): void {
    const at = this.#inEndpoints.get(endpoint);
    if (!at) return;
    at.isHalted = true;
    at.kept = [];
    this.#pump(at);
  }

  unplug(): void {
    this.end();
  }

  /** Ends the connection, and lets the device go. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const timer of this.#delayed.values()) timer.cancel();
    this.#connection.close();
    this.#socket.destroy();
  }

  /** Bytes of the message that begins here; undefined when it cannot be one. */
  #messageLength(header: Buffer): number | undefined {
    const command = header.readUInt32BE(0);
    if (command === COMMAND.unlink) return HEADER_BYTES;
    if (command !== COMMAND.submit || packetsOf(header) > 0) return undefined;
    const { isIn, length } = readTransfer(header);
    if (length > MOST_TRANSFER_BYTES) return undefined;
    return HEADER_BYTES + (isIn ? 0 : length);
  }

  #handle(message: Buffer): void {
    if (message.readUInt32BE(0) === COMMAND.unlink) return this.#unlink(message);
    const transfer = readTransfer(message);
    const data = message.subarray(HEADER_BYTES);
    if (transfer.endpoint === 0) return this.#control(transfer, data);
    if (!transfer.isIn) return this.#out(transfer, data);
    const at = this.#inEndpoints.get(transfer.endpoint);
    if (!at) return this.#reply(transfer, TRANSFER_STATUS.noEndpoint, NO_DATA);
    at.waiting.push(transfer);
    if (at.waiting.length > MOST_WAITING) return this.end();
    this.#pump(at);
  }

  #unlink(message: Buffer): void {
    const target = message.readUInt32BE(20);
    let wasPending = this.#delayed.has(target);
    this.#delayed.get(target)?.cancel();
    this.#delayed.delete(target);
    for (const { waiting } of this.#inEndpoints.values()) {
      const index = waiting.findIndex(({ sequence }) => sequence === target);
      if (index === -1) continue;
      waiting.splice(index, 1);
      wasPending = true;
    }
    this.#write(unlinkReply(message.readUInt32BE(4), wasPending));
  }

  #control(transfer: UsbTransfer, data: Uint8Array): void {
    const delayMs = this.#connection.controlDelayMs;
    if (delayMs <= 0) return this.#answerControl(transfer, data);
    if (this.#delayed.size > MOST_WAITING) return this.end();
    const later = Buffer.from(data);
    const timer = this.#clock.schedule(delayMs, () => {
      this.#delayed.delete(transfer.sequence);
      this.#answerControl(transfer, later);
    });
    this.#delayed.set(transfer.sequence, timer);
  }

  #answerControl(transfer: UsbTransfer, data: Uint8Array): void {
    const { setup } = transfer;
    const cleared = clearedEndpoint(setup);
    if (cleared !== undefined) this.#clearHalt(cleared);
    const answer = standardAnswer(this.#device.description, setup) ?? this.#connection.control(setup, data) ?? 'stall';
    if (answer === 'stall') return this.#reply(transfer, TRANSFER_STATUS.stalled, NO_DATA);
    const most = Math.min(setup.length, transfer.length);
    this.#reply(transfer, TRANSFER_STATUS.ok, transfer.isIn ? answer.subarray(0, most) : data);
  }

  #out(transfer: UsbTransfer, data: Uint8Array): void {
    if (!this.#outEndpoints.has(transfer.endpoint)) return this.#reply(transfer, TRANSFER_STATUS.noEndpoint, NO_DATA);
    this.#connection.out(transfer.endpoint, data);
    this.#reply(transfer, TRANSFER_STATUS.ok, data);
  }

  #clearHalt(address: number): void {
    const at = (address & DIRECTION_IN) === 0 ? undefined : this.#inEndpoints.get(address & ENDPOINT_MASK);
    if (at) at.isHalted = false;
  }

  #pump(at: InEndpoint): void {
    while (at.waiting.length > 0 && (at.isHalted || at.kept.length > 0)) {
      const transfer = at.waiting.shift();
      if (!transfer) return;
      if (at.isHalted) this.#reply(transfer, TRANSFER_STATUS.stalled, NO_DATA);
      else this.#send(at, transfer);
    }
  }

  /** A report is sent as it is, or it overflows; of a stream as much as there is room for. */
  #send(at: InEndpoint, transfer: UsbTransfer): void {
    const data = at.kept.shift() ?? NO_DATA;
    const fits = data.length <= transfer.length;
    if (!fits && at.kind === 'bulk') at.kept.unshift(data.subarray(transfer.length));
    const status = fits || at.kind === 'bulk' ? TRANSFER_STATUS.ok : TRANSFER_STATUS.overflow;
    this.#reply(transfer, status, data.subarray(0, transfer.length));
  }

  #reply(transfer: UsbTransfer, status: number, data: Uint8Array): void {
    this.#write(transferReply(transfer, status, data));
  }

  #write(bytes: Buffer): void {
    if (this.#hasEnded) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MOST_UNREAD_BYTES) this.end();
  }
}
