/**
 * Sink server: the HTTP server under every sink.
 *
 *   request ─► body read (limited) ─► answer(request) ─► the reply it chose is played
 *
 * It listens on a free loopback port, stamps arrivals and ends of replies on the injected clock and on a
 * monotonic scale, survives everything that is sent to it, and closes at once, even under hanging replies.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { holding, type Clock, type Hold } from '../common/clock.ts';
import { portOf } from '../common/port-of.ts';
import { monotonicMs } from '../common/stopwatch.ts';
import type { HeaderPair } from '../common/header-pairs.ts';
import { playReply, type ReplyEnd } from './play-reply.ts';
import { answer, type Reply } from './reply.ts';

/** How the reply to a request went; filled in as it happens. */
interface ReplyProgress {
  /** Null while the request is being judged. */
  chosen: Reply | null;
  /** Null while it is under way. */
  ended: ReplyEnd | null;
  /** Milliseconds since the epoch on the sink's clock. */
  endedAtMs: number | null;
  endedMonotonicMs: number | null;
}

export interface SinkRequest {
  /** Arrival of the head, milliseconds since the epoch on the sink's clock. */
  readonly arrivedAtMs: number;
  readonly arrivedMonotonicMs: number;
  readonly method: string;
  /** Path as sent, percent-encoding kept, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark; empty without one. */
  readonly query: string;
  readonly rawHeaders: readonly HeaderPair[];
  readonly body: ReceivedBody;
  readonly reply: Readonly<ReplyProgress>;
}

export interface SinkServerOptions {
  readonly clock: Clock;
  readonly bodyMaxBytes: number;
  /**
   * The name by which others reach this machine. With it the server listens on all interfaces, else on
   * loopback.
   */
  readonly publicHost?: string | undefined;
  /** The address of that name: then the server listens there alone. */
  readonly publicAddress?: string | undefined;
  /** Records the request and chooses the reply to it. */
  readonly answer: (request: SinkRequest) => Reply | Promise<Reply>;
}

export interface SinkServer extends AsyncDisposable {
  /** Base address without a trailing slash: `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Stops listening and ends every connection at once. Closing twice does nothing. */
  close(): Promise<void>;
}

/** Why a reply under way was stopped. */
const PEER_GONE = new Error('the peer closed the connection');

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

const LOOPBACK = '127.0.0.1';

/** Starts a server on a free port; of the loopback interface, unless others are to reach it. */
export async function startSinkServer(options: SinkServerOptions): Promise<SinkServer> {
  const { publicHost, publicAddress } = options;
  // Without a host it listens on all interfaces, by IPv6 too where there is any.
  const host = publicHost === undefined ? LOOPBACK : publicAddress;
  const server = createServer((message, response) => {
    void serve(message, response, options, () => options.clock.stall(address));
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(BAD_REQUEST);
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host }, resolve);
  });
  const address = `${publicHost ?? LOOPBACK}:${portOf(server)}`;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closing;
  };
  return { url: `http://${address}`, close, [Symbol.asyncDispose]: close };
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  options: SinkServerOptions,
  stall: () => Hold,
): Promise<void> {
  const { clock } = options;
  const gone = new AbortController();
  response.once('close', () => gone.abort(PEER_GONE));
  // A connection that breaks under a request or a reply is the peer's affair, not a fault of the sink.
  message.on('error', () => undefined);
  response.on('error', () => undefined);
  const progress: ReplyProgress = { chosen: null, ended: null, endedAtMs: null, endedMonotonicMs: null };
  const work = (): Promise<Reply> => judge(message, response, options, progress);
  const reply = await holding(clock, 'a request to a sink', work);
  progress.chosen = reply;
  try {
    progress.ended = await playReply(reply, response, clock, gone.signal, stall);
  } catch {
    response.destroy();
    progress.ended = 'peer-gone';
  }
  progress.endedAtMs = clock.now();
  progress.endedMonotonicMs = monotonicMs();
}

async function judge(
  message: IncomingMessage,
  response: ServerResponse,
  { clock, bodyMaxBytes, answer: choose }: SinkServerOptions,
  reply: ReplyProgress,
): Promise<Reply> {
  const arrivedAtMs = clock.now();
  const arrivedMonotonicMs = monotonicMs();
  const body = await readBody(message, bodyMaxBytes);
  if (body.state !== 'complete') response.shouldKeepAlive = false;
  try {
    return await choose({
      arrivedAtMs,
      arrivedMonotonicMs,
      method: message.method ?? '',
      ...splitTarget(message.url ?? ''),
      rawHeaders: headerPairs(message.rawHeaders),
      body,
      reply,
    });
  } catch (error) {
    return answer(500, [['Content-Type', 'text/plain']], `the sink failed: ${String(error)}`);
  }
}

/**
 * Takes a request target apart without judging it: `http://host/a?b` and `/a?b` are both path `/a`, query
 * `b`.
 */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  if (mark < 0) return { path: local, query: '' };
  return { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function headerPairs(rawHeaders: readonly string[]): HeaderPair[] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ]);
}

export interface ReceivedBody {
  /** What arrived, at most the limit. */
  readonly bytes: Uint8Array;
  /** `cut`: the peer went away in the middle. */
  readonly state: 'complete' | 'too-large' | 'cut';
}

/** Reads the body; never throws. What exceeds `maxBytes` is not read. */
async function readBody(message: IncomingMessage, maxBytes: number): Promise<ReceivedBody> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) return { bytes: Buffer.concat(pieces, maxBytes), state: 'too-large' };
    }
  } catch {
    return { bytes: Buffer.concat(pieces), state: 'cut' };
  }
  return { bytes: Buffer.concat(pieces), state: 'complete' };
}
