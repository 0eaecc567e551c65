/**
 * Scale feed: a client of the scale websocket. The specification shows none of its messages; these are
 * the ones of docs/scale-websocket.md, and a target that speaks others cannot be tried.
 *
 *   open ─► authenticate ─► subscribe ─► what is published
 */

import { WebSocket } from 'ws';

import { holding } from '../../common/clock.ts';
import { within } from '../../common/waiter.ts';
import { isObject, parseText, showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Target } from '../../targets/target.ts';
import { Arrivals } from './arrivals.ts';
import { inTime } from './in-time.ts';

/** A reading as it was published. */
export interface Published {
  readonly topic: unknown;
  readonly data: unknown;
}

export interface ScaleFeed extends AsyncDisposable {
  /** What was published for our subscription so far. */
  readonly published: readonly Published[];
  /** What was published and is meant, as soon as there is so much of it, or what there is at the limit. */
  waitFor(count: number, isMeant?: (one: Published) => boolean): Promise<readonly Published[]>;
}

/** The feed, or what it did instead of opening. */
export type FollowOutcome =
  | { readonly value: ScaleFeed; readonly mismatch?: undefined }
  | { readonly value?: undefined; readonly mismatch: Mismatch };

export interface FollowOptions {
  readonly target: Target;
  readonly apiKey: string;
  /** Which readings; those of all scales of the account unless given. */
  readonly path?: string | undefined;
  /** Sees every frame, without the key. */
  readonly showFrame?: ShowFrame;
}

export type ShowFrame = (from: 'computer' | 'service', text: string) => void;

const FEED_PATH = '/ws/1';
/** In real time: the socket is on no clock. */
const ANSWER_LIMIT_MS = 5_000;
const PUBLISH_LIMIT = '2s';
const LOOK_EVERY_MS = 20;
const SUBSCRIPTION = 0;

/** Opens a websocket, authenticates, and subscribes. */
export async function followScales({
  target,
  apiKey,
  path = '/scales/',
  showFrame,
}: FollowOptions): Promise<FollowOutcome> {
  const url = `${target.baseUrl.replace(/^http/, 'ws')}${FEED_PATH}`;
  const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: ANSWER_LIMIT_MS });
  const frames: (readonly unknown[])[] = [];
  const arrivals = new Arrivals();
  socket.on('message', (data: Buffer) => {
    showFrame?.('service', data.toString());
    const frame = readFrame(data.toString());
    if (frame) frames.push(frame);
    arrivals.add();
  });
  // A connection that fails says so by closing, which is what is waited for.
  socket.on('error', () => undefined);
  const close = (): Promise<void> => closeSocket(socket);
  const say = (frame: readonly unknown[]): void => {
    const text = JSON.stringify(frame);
    showFrame?.('computer', text.replace(apiKey, '…'));
    socket.send(text);
  };
  /** The third element of the first frame that comes in time, has this as its second, and is meant. */
  const hear = async (second: string, isMeant: (third: unknown) => boolean): Promise<unknown> => {
    const found = (): readonly unknown[] | undefined => frames.find((one) => one[1] === second && isMeant(one[2]));
    return (await arrivals.waitFor(found, ANSWER_LIMIT_MS))?.[2];
  };
  const work = async (): Promise<Mismatch | undefined> => {
    const at = `the websocket at ${FEED_PATH}`;
    if (!(await isOpen(socket))) return { at, expected: 'an upgrade', actual: 'none' };
    say([1, 'authenticate', { apiKey }]);
    const response = await hear('authenticateResponse', () => true);
    // A service may have as many open as it permits.
    if (response === undefined || (isObject(response) && 'error' in response)) {
      return { at, expected: 'authenticated', actual: showValue(frames) };
    }
    say([2, 'subscribe', [SUBSCRIPTION, path]]);
    if ((await hear('ack', (ack) => ack === 2)) !== undefined) return undefined;
    return { at, expected: 'an acknowledgement of subscribe', actual: showValue(frames) };
  };
  const mismatch = await holding(target.clock, 'the scale websocket', work, ANSWER_LIMIT_MS);
  if (mismatch) {
    await close();
    return { mismatch };
  }
  const published = (): readonly Published[] => frames.flatMap(readPublished);
  return {
    value: {
      get published() {
        return published();
      },
      async waitFor(count, isMeant = () => true) {
        const meant = (): readonly Published[] => published().filter(isMeant);
        // After the pong nothing is left of what was published before.
        await holding(target.clock, 'a pong of the scale websocket', () => pong(socket), ANSWER_LIMIT_MS);
        const probe = (): true | undefined => (meant().length >= count ? true : undefined);
        const { timekeeper } = target;
        await inTime({ description: 'a reading', limit: PUBLISH_LIMIT, every: LOOK_EVERY_MS, timekeeper, probe });
        return meant();
      },
      [Symbol.asyncDispose]: close,
    },
  };
}

async function isOpen(socket: WebSocket): Promise<boolean> {
  if (socket.readyState === WebSocket.CONNECTING) {
    // Either comes: the handshake has a limit.
    await new Promise<void>((resolve) => {
      socket.once('open', resolve);
      socket.once('close', () => resolve());
    });
  }
  return socket.readyState === WebSocket.OPEN;
}

async function pong(socket: WebSocket): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN) return;
  const answered = new Promise<void>((resolve) => {
    socket.once('pong', () => resolve());
    socket.once('close', () => resolve());
  });
  socket.ping();
  // Without a pong in time nothing more will come.
  await within(answered, { description: 'a pong', limit: ANSWER_LIMIT_MS }).catch(() => undefined);
}

function readFrame(text: string): readonly unknown[] | undefined {
  const frame = parseText(text);
  return frame.ok && Array.isArray(frame.value) ? (frame.value as readonly unknown[]) : undefined;
}

function readPublished([kind, topics, payload]: readonly unknown[]): readonly Published[] {
  if (kind !== 'publish' || !Array.isArray(topics) || !Array.isArray(payload)) return [];
  const [topic, [subscription, data]] = [topics[0] as unknown, payload as readonly unknown[]];
  return subscription === SUBSCRIPTION ? [{ topic, data }] : [];
}

async function closeSocket(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const gone = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.terminate();
  await gone;
}
