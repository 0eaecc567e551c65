/**
 * A peer of multicast DNS on loopback: asks, and keeps what it hears.
 */

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

import { decode, encode, type Answer, type DecodedPacket, type Packet, type RecordType } from 'dns-packet';

import { systemClock } from '../../src/common/clock.ts';

const GROUP = '224.0.0.251';
const LOOPBACK = '127.0.0.1';
const PATIENCE_MS = 5_000;

/** A port for rooms and peers of one test. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, LOOPBACK);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

export class MdnsQuerier {
  readonly #socket: Socket;
  readonly #port: number;
  readonly heard: DecodedPacket[] = [];
  readonly #listeners = new Set<(message: DecodedPacket) => void>();

  private constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#port = port;
    socket.on('message', (bytes) => {
      const message = decode(bytes);
      this.heard.push(message);
      for (const listener of this.#listeners) listener(message);
    });
  }

  /** @param isLegacy - it asks from a port of its own, as resolvers do that know nothing of multicast */
  static async open(port: number, isLegacy = false): Promise<MdnsQuerier> {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    if (isLegacy) socket.bind(0, LOOPBACK);
    else socket.bind(port, GROUP);
    await once(socket, 'listening');
    if (!isLegacy) socket.addMembership(GROUP, LOOPBACK);
    socket.setMulticastInterface(LOOPBACK);
    return new MdnsQuerier(socket, port);
  }

  get answers(): Answer[] {
    return this.heard
      .filter(({ type }) => type === 'response')
      .flatMap(({ answers = [], additionals = [] }) => [...answers, ...additionals]);
  }

  send(message: Packet | Buffer): void {
    this.#socket.send(Buffer.isBuffer(message) ? message : encode(message), this.#port, GROUP);
  }

  ask(name: string, type: RecordType, known: Answer[] = []): void {
    this.send({ type: 'query', questions: [{ name, type }], answers: known });
  }

  /** The first message that is it, of those that come after this call. */
  next(isIt: (message: DecodedPacket) => boolean): Promise<DecodedPacket> {
    const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
    const timer = systemClock.schedule(PATIENCE_MS, () => reject(new Error('nothing of the kind was heard')));
    const listener = (message: DecodedPacket): void => {
      if (isIt(message)) resolve(message);
    };
    this.#listeners.add(listener);
    return promise.finally(() => {
      timer.cancel();
      this.#listeners.delete(listener);
    });
  }

  /** The records of this name and type, asked for until they come: what was sent a moment ago is not sent again. */
  async resolve(name: string, type: RecordType): Promise<Answer[]> {
    const recordsIn = ({ type: kind, answers = [] }: DecodedPacket): Answer[] =>
      kind === 'response' ? answers.filter((one) => one.name === name && one.type === type) : [];
    const answer = this.next((message) => recordsIn(message).length > 0);
    const again = systemClock.beat(200, () => this.ask(name, type));
    this.ask(name, type);
    return recordsIn(await answer.finally(() => again.cancel()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}
