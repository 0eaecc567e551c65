/**
 * Multicast port: messages of multicast DNS (RFC 6762) on one interface, and on no other.
 *
 *   peer on the link ─► 224.0.0.251:5353 ─► message ─► listener
 *
 * Peers are hostile: what is too long, is not DNS, or comes from elsewhere than the link of the interface is dropped.
 */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

import { decode, encode, type DecodedPacket, type Packet } from 'dns-packet';

import { sleep, systemClock } from '../../common/clock.ts';

export const MULTICAST_GROUP = '224.0.0.251';

/** RFC 6762, 17. */
const MOST_BYTES = 9_000;
const MOST_QUESTIONS = 256;
/** RFC 6762, 11: what crossed a router has less. */
const TTL = 255;
/** Between two messages, so that a room of 1,000 printers does not overrun the buffers of its peers. */
const PACE_MS = 1;

export interface MulticastPortOptions {
  /** An IPv4 address of this machine. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly onMessage: (message: DecodedPacket, peer: RemoteInfo) => void;
}

export class MulticastPort {
  readonly #socket: Socket;
  #sent: Promise<void> = Promise.resolve();

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Resolves when it listens. Rejects as sockets do, with EADDRINUSE and the like. */
  static async open({ host, port, onMessage }: MulticastPortOptions): Promise<MulticastPort> {
    const link = linkOf(host);
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.on('message', (bytes, peer) => {
      const message = link.check(peer.address) ? messageIn(bytes) : undefined;
      if (message) onMessage(message, peer);
    });
    try {
      // Windows binds no group; elsewhere a socket of the group gets nothing that is sent to a single machine.
      socket.bind(port, process.platform === 'win32' ? host : MULTICAST_GROUP);
      await once(socket, 'listening');
      socket.addMembership(MULTICAST_GROUP, host);
      socket.setMulticastInterface(host);
      socket.setMulticastTTL(TTL);
      socket.on('error', () => undefined);
    } catch (error) {
      socket.close();
      throw error;
    }
    return new MulticastPort(socket);
  }

  get number(): number {
    return this.#socket.address().port;
  }

  /** To all of the link, one message after the other. */
  multicast(message: Packet): void {
    const bytes = encode(message);
    this.#sent = this.#sent.then(async () => {
      await this.#send(bytes, this.number, MULTICAST_GROUP);
      await sleep(systemClock, PACE_MS);
    });
  }

  reply(message: Packet, { address, port }: RemoteInfo): void {
    void this.#send(encode(message), port, address);
  }

  /** Once all is sent. */
  async close(): Promise<void> {
    await this.#sent;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.close(() => resolve());
    await promise;
  }

  /** A message that does not get through is repeated, or asked for again. */
  #send(bytes: Buffer, port: number, address: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.send(bytes, port, address, () => resolve());
    return promise;
  }
}

function messageIn(bytes: Buffer): DecodedPacket | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  try {
    const message = decode(bytes);
    return (message.questions ?? []).length > MOST_QUESTIONS ? undefined : message;
  } catch {
    return undefined;
  }
}

/** The addresses on the link of an interface. */
function linkOf(host: string): BlockList {
  const link = new BlockList();
  link.addAddress(host);
  const own = Object.values(networkInterfaces()).flatMap((some) => some?.find(({ address }) => address === host) ?? []);
  for (const { cidr } of own) {
    const prefix = Number(cidr?.split('/')[1]);
    if (prefix > 0) link.addSubnet(host, prefix);
  }
  return link;
}
