/**
 * Client socket: what the websockets of the link and of the scale feed have in common.
 *
 *   open ─► introduces itself (within 10 s) ─► ping ⇄ pong ─► leaves ─► goodbye ─► gone, or cut after a second
 *
 * What it sends is handled as soon as its turn comes. Nothing more is read of one that sends much at once, or does not
 * read its answers.
 */

import type { Clock, Hold, Timer } from '../../common/clock.ts';
import { turnsOfLoop } from '../../common/fair-turns.ts';
import { closeReason } from '../../link/messages.ts';

/** How long a socket may be open before its client has said who it is. */
export const INTRODUCTION_LIMIT_MS = 10_000;
/** After a goodbye without an answer for this time, the connection is cut. */
const FAREWELL_MS = 1_000;

/** Answers that a client may leave unread; nothing more is taken from it then. */
const MOST_UNREAD = 1_000;

/** What servers of such sockets share. `closeTimeout` is in real time: the clock of a service that closes rests. */
export const SOCKET_SERVER = { noServer: true, perMessageDeflate: false, closeTimeout: FAREWELL_MS } as const;

/** A frame as ws hands it over. */
export type FrameData = Buffer | ArrayBuffer | Buffer[];

/** What is used of a WebSocket of ws, whose types projects that use the package need not have. */
export interface ServerSocket {
  readonly OPEN: number;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string | Uint8Array, options: { readonly binary: boolean }, sent?: () => void): void;
  pause(): void;
  resume(): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message', listener: (data: FrameData, isBinary: boolean) => void): unknown;
  on(event: 'pong' | 'close' | 'error', listener: () => void): unknown;
}

export abstract class ClientSocket {
  protected readonly socket: ServerSocket;
  readonly #clock: Clock;
  readonly #peer: string | undefined;
  /** Until the client has introduced itself. */
  #introduction: Timer | undefined;
  #unansweredPing: Hold | undefined;
  /** Frames whose turn is still to come, if there are any. */
  #late: { readonly frames: (readonly [data: FrameData, isBinary: boolean])[]; readonly hold: Hold } | undefined;
  #isAwaitingTurn = false;
  #unread = 0;
  /** Bytes that waited to be sent at the last beat. */
  #waitingBytes = 0;
  #hasLeft = false;

  /** @param peer - host and port of the client, which may stall */
  constructor(socket: ServerSocket, clock: Clock, peer?: string) {
    this.socket = socket;
    this.#clock = clock;
    this.#peer = peer;
    this.#introduction = clock.schedule(INTRODUCTION_LIMIT_MS, () => this.notIntroduced());
    socket.on('message', (data, isBinary) => {
      if (this.#hasLeft) return;
      this.#answered();
      if (!this.#late && this.#readsAnswers && turnsOfLoop.hasTime) this.receive(data, isBinary);
      else this.#putOff(data, isBinary);
    });
    socket.on('pong', () => this.#answered());
    socket.on('close', () => this.leave());
    // A peer's protocol error is followed by 'close'; there is nothing more to do about it.
    socket.on('error', () => undefined);
  }

  protected get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Sends a ping; ends a socket that did not answer the last one, unless a large frame still delays it. */
  beat(): void {
    const [before, now] = [this.#waitingBytes, this.socket.bufferedAmount];
    this.#waitingBytes = now;
    if (this.#unansweredPing && now > 0 && now < before) return;
    if (this.#unansweredPing) return this.socket.terminate();
    if (!this.mayStay()) return;
    this.#unansweredPing = this.#clock.hold(`the pong of ${this.client}`, undefined, this.#peer);
    this.socket.ping();
  }

  /** Forgets the socket; what still arrives on it is ignored. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.introduced();
    this.#answered();
    this.#catchUp();
    this.left();
  }

  end(code: number, reason: string): void {
    this.socket.close(code, closeReason(reason));
    const timer = this.#clock.schedule(FAREWELL_MS, () => this.socket.terminate());
    this.socket.on('close', () => timer.cancel());
  }

  protected send(text: string | Buffer): void {
    this.#unread++;
    // As text, ws would measure its bytes and the socket make them: a document has many.
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.socket.send(bytes, { binary: false }, () => {
      this.#unread--;
      if (this.#unread === 0) this.#awaitTurn();
    });
  }

  protected introduced(): void {
    this.#introduction?.cancel();
    this.#introduction = undefined;
  }

  /** Asked before each ping; where it says no, it has ended the socket. */
  protected mayStay(): boolean {
    return true;
  }

  /** Who is at the other end, for messages. */
  protected abstract get client(): string;
  protected abstract notIntroduced(): void;
  protected abstract receive(data: FrameData, isBinary: boolean): void;
  protected abstract left(): void;

  get #readsAnswers(): boolean {
    return this.#unread < MOST_UNREAD;
  }

  #putOff(data: FrameData, isBinary: boolean): void {
    this.#late ??= { frames: [], hold: this.#clock.hold(`frames of ${this.client}`, undefined, this.#peer) };
    this.#late.frames.push([data, isBinary]);
    this.socket.pause();
    this.#awaitTurn();
  }

  #awaitTurn(): void {
    if (!this.#late || this.#isAwaitingTurn || !this.#readsAnswers) return;
    this.#isAwaitingTurn = true;
    turnsOfLoop.add(() => {
      this.#isAwaitingTurn = false;
      this.#takeLate();
    });
  }

  #takeLate(): void {
    const frame = this.#late?.frames.shift();
    if (frame) this.receive(...frame);
    if (this.#late?.frames.length === 0) this.#catchUp();
    else this.#awaitTurn();
  }

  #catchUp(): void {
    if (!this.#late) return;
    this.#late.hold.release();
    this.#late = undefined;
    this.socket.resume();
  }

  #answered(): void {
    this.#unansweredPing?.release();
    this.#unansweredPing = undefined;
  }
}
