/**
 * Raw link: a computer's end of docs/device-link.md, frame by frame, for checks of the link itself. It sends what it
 * is given, even what breaks the protocol, and keeps what arrives.
 *
 * Its waits are in real time, and a virtual clock is held meanwhile: frames in transit are on no clock.
 */

import type { IncomingMessage } from 'node:http';

import { WebSocket, type RawData } from 'ws';

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { holding } from '../../common/clock.ts';
import { isObject, type JsonObject, parseJson } from '../../common/json-value.ts';
import { formatDuration } from '../../common/duration.ts';
import { monotonicMs } from '../../common/stopwatch.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../../link/messages.ts';
import type { Target } from '../../targets/target.ts';
import { refuseToWrite } from './api-client.ts';
import { Arrivals } from './arrivals.ts';
import { CheckEnded } from './check-ended.ts';
import type { Traffic } from './traffic.ts';

export interface RawLinkPlan {
  /** Default: those that are spoken. */
  readonly protocols?: readonly string[];
  /** Default: the key of the account. Null for none at all. */
  readonly key?: string | null;
}

/** An upgrade that was answered with an ordinary response. */
export interface Refusal {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface RawLink {
  /** Instead of a connection. */
  readonly refusal: Refusal | undefined;
  readonly protocol: string;
  readonly extensions: string;
  /** Every message so far. */
  readonly messages: readonly JsonObject[];
  readonly pings: number;
  /** How it ended; undefined while it lives. */
  readonly end: { readonly code: number; readonly reason: string } | undefined;
  /** Objects go as JSON, texts as they are, bytes as a binary frame. */
  say(message: JsonObject | string | Buffer): void;
  /** One message in this many fragments, with a ping after each but the last. */
  sayInFragments(message: JsonObject, count: number): void;
  /** The first message that fits, as soon as it is there; undefined when none comes or the connection ends. */
  hear(fits: (message: JsonObject) => boolean): Promise<JsonObject | undefined>;
  /** The close code, as soon as there is one. */
  endCode(): Promise<number | undefined>;
  /** Lets everything arrive that is under way. */
  settle(): Promise<void>;
  /** Ends it like a pulled plug. */
  cut(): Promise<void>;
}

const LIMIT_MS = 3_000;
/** As for the answer to a request. */
const UPGRADE_LIMIT_MS = 10_000;
/** What a service elsewhere may take to send what is due at once, where nothing shows when it has. */
const SETTLE_MS = { moved: 40, real: 300 } as const;
/** So often the clock of a service in this process settles with nothing new, until nothing is under way. */
const CALM_SETTLES = 8;

export type OpenRawLink = (plan?: RawLinkPlan) => Promise<RawLink>;

/** Opens connections, and ends all of them on `close`. */
export function createRawLinks(
  target: Target,
  { frames }: Traffic,
): { open: OpenRawLink; close(): Promise<readonly string[]> } {
  const links: RawLink[] = [];
  return {
    async open({ protocols = LINK_PROTOCOLS, key = target.apiKey } = {}) {
      refuseToWrite(target);
      const link = await openRawLink(
        target,
        protocols,
        key,
        (from, text) =>
          void frames.push({ atMs: monotonicMs(), computer: `connection ${links.length + 1}`, from, text }),
      );
      links.push(link);
      return link;
    },
    async close() {
      for (const link of links) await link.cut();
      return [];
    },
  };
}

type Show = (from: 'computer' | 'service', text: string) => void;

async function openRawLink(
  target: Target,
  protocols: readonly string[],
  key: string | null,
  show: Show,
): Promise<RawLink> {
  const url = `${target.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`;
  const headers = key === null ? {} : { Authorization: basicAuthorization(key) };
  const socket = new WebSocket(url, [...protocols], { perMessageDeflate: true, headers });
  const heard = listenTo(socket, show);
  const { messages, arrivals } = heard;
  const inRealTime = <Value>(probe: () => Value | undefined, limitMs = LIMIT_MS): Promise<Value | undefined> =>
    holding(target.clock, 'a frame of the link', () => arrivals.waitFor(probe, limitMs), limitMs + LIMIT_MS);
  const settle = async (): Promise<void> => {
    const { timekeeper } = target;
    const { isVirtual, moved } = timekeeper;
    await timekeeper.elapse(0);
    if (!isVirtual || moved) {
      await inRealTime(() => heard.end, SETTLE_MS[moved ? 'moved' : 'real']);
      return;
    }
    let seen = arrivals.count;
    for (let calm = 0; calm < CALM_SETTLES; calm++) {
      await timekeeper.elapse(0);
      if (arrivals.count > seen) calm = 0;
      seen = arrivals.count;
    }
  };
  const isAnswered = (): true | undefined => (socket.readyState === WebSocket.OPEN || heard.end ? true : undefined);
  if (!(await inRealTime(isAnswered, UPGRADE_LIMIT_MS))) {
    socket.terminate();
    throw new CheckEnded(
      'fail',
      `the upgrade of ${LINK_PATH} got no answer within ${formatDuration(UPGRADE_LIMIT_MS)}`,
    );
  }
  return {
    get refusal() {
      return heard.refusal;
    },
    get pings() {
      return heard.pings;
    },
    get end() {
      return heard.end;
    },
    protocol: socket.protocol,
    extensions: socket.extensions,
    messages,
    say(message) {
      const frame = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message);
      show('computer', Buffer.isBuffer(frame) ? `(binary, ${frame.length} bytes)` : frame);
      if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    },
    sayInFragments: (message, count) => sendInFragments(socket, show, JSON.stringify(message), count),
    async hear(fits) {
      await inRealTime(() => (heard.end || messages.some(fits) ? true : undefined));
      return messages.find(fits);
    },
    endCode: () => inRealTime(() => heard.end?.code),
    settle,
    async cut() {
      socket.terminate();
      await inRealTime(() => heard.end);
      await target.timekeeper.elapse(0);
    },
  };
}

/** What has come of a connection so far. */
interface Heard {
  readonly messages: JsonObject[];
  readonly arrivals: Arrivals;
  refusal: Refusal | undefined;
  end: RawLink['end'];
  pings: number;
}

function listenTo(socket: WebSocket, show: Show): Heard {
  const arrivals = new Arrivals();
  const heard: Heard = { messages: [], arrivals, refusal: undefined, end: undefined, pings: 0 };
  socket.on('message', (data: RawData, isBinary) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer);
    show('service', isBinary ? `(binary, ${bytes.length} bytes)` : bytes.toString('utf8'));
    const value = parseJson(bytes);
    heard.messages.push(isObject(value) ? value : { type: 'not an object' });
    arrivals.add();
  });
  socket.on('ping', () => {
    heard.pings++;
    arrivals.add();
  });
  socket.on('open', () => arrivals.add());
  socket.on('unexpected-response', (_request, response: IncomingMessage) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const { statusCode: status = 0, headers } = response;
      heard.refusal = { status, headers, body: parseJson(Buffer.concat(chunks)) };
      show('service', `(upgrade refused with ${status})`);
      socket.terminate();
    });
  });
  // A connection that fails says so by closing, which is what is waited for.
  socket.on('error', () => undefined);
  socket.on('close', (code, bytes) => {
    const reason = bytes.toString('utf8');
    heard.end = { code, reason };
    show('service', `(connection ended: ${code} ${reason})`);
    arrivals.add();
  });
  return heard;
}

function sendInFragments(socket: WebSocket, show: Show, text: string, count: number): void {
  const size = Math.ceil(text.length / count);
  for (let start = 0; start < text.length; start += size) {
    const isLast = start + size >= text.length;
    const part = text.slice(start, start + size);
    show('computer', `${part} (${isLast ? 'last fragment' : 'fragment'})`);
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(part, { fin: isLast });
    if (!isLast) socket.ping();
  }
}
