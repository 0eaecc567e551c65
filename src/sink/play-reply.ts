/**
 * Puts a reply on the wire, well-formed or not, and lets its delays pass on the sink's clock.
 *
 * Virtual time waits while bytes are on their way and goes on during delays, pauses and hangs.
 */

import type { ServerResponse } from 'node:http';
import { holding, sleep, type Clock, type Hold } from '../common/clock.ts';
import type { Answer, Reply } from './reply.ts';

/** Statuses whose answers have neither body nor length. */
const BODILESS = new Set([204, 304]);

/** `sent`: handed to the network as planned; `peer-gone`: the connection ended first. */
export type ReplyEnd = 'sent' | 'peer-gone';

/**
 * Resolves when the last byte was handed over, or the peer is gone; for a hang, when the peer is gone.
 *
 * @param stall - announces that the reply is late on purpose
 * @throws the signal's reason when it aborts during a delay or a pause
 */
export async function playReply(
  reply: Reply,
  response: ServerResponse,
  clock: Clock,
  signal: AbortSignal,
  stall: () => Hold,
): Promise<ReplyEnd> {
  if (reply.delayMs > 0) await during(stall, () => sleep(clock, reply.delayMs, signal));
  if (response.destroyed) return 'peer-gone';
  if (reply.kind === 'hang') {
    await during(stall, () => eitherEvent(response, ['close']));
    return 'peer-gone';
  }
  if (reply.kind === 'reset') {
    response.req.socket.resetAndDestroy();
    return 'sent';
  }
  return playAnswer(reply, response, clock, signal, stall);
}

async function during(stall: () => Hold, wait: () => Promise<void>): Promise<void> {
  const stalled = stall();
  try {
    await wait();
  } finally {
    stalled.release();
  }
}

async function playAnswer(
  reply: Answer,
  response: ServerResponse,
  clock: Clock,
  signal: AbortSignal,
  stall: () => Hold,
): Promise<ReplyEnd> {
  const what = 'a reply of a sink on its way';
  const [first, rest] = reply.pauseMs > 0 ? halves(reply.body) : [reply.body, []];
  await holding(clock, what, async () => {
    writeHead(reply, response);
    await writePieces(response, first);
  });
  if (reply.pauseMs > 0) await during(stall, () => sleep(clock, reply.pauseMs, signal));
  return holding(clock, what, async () => {
    await writePieces(response, rest);
    return reply.claimedBytes === null ? end(response) : endConnection(response);
  });
}

function writeHead(reply: Answer, response: ServerResponse): void {
  const headers = [...reply.headers];
  if (reply.framing === 'content-length' && !BODILESS.has(reply.status)) {
    headers.push(['Content-Length', String(reply.claimedBytes ?? byteLength(reply.body))]);
  }
  if (reply.claimedBytes !== null) headers.push(['Connection', 'close']);
  response.writeHead(reply.status, headers.flat());
  response.flushHeaders();
}

async function writePieces(response: ServerResponse, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (piece.length > 0 && !response.write(piece)) await eitherEvent(response, ['drain', 'close']);
  }
}

async function end(response: ServerResponse): Promise<ReplyEnd> {
  if (response.destroyed) return 'peer-gone';
  const finished = eitherEvent(response, ['finish', 'close']);
  response.end();
  await finished;
  return response.writableFinished ? 'sent' : 'peer-gone';
}

/** Flushes what was written and closes, whatever length was promised. */
async function endConnection(response: ServerResponse): Promise<ReplyEnd> {
  if (response.destroyed) return 'peer-gone';
  const closed = eitherEvent(response, ['close']);
  response.req.socket.destroySoon();
  await closed;
  return 'sent';
}

function halves(body: readonly Uint8Array[]): [readonly Uint8Array[], readonly Uint8Array[]] {
  const whole = Buffer.concat(body);
  const middle = Math.floor(whole.length / 2);
  return [[whole.subarray(0, middle)], [whole.subarray(middle)]];
}

function byteLength(body: readonly Uint8Array[]): number {
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

/** Resolves at the first of the events; no listener is left. */
function eitherEvent(response: ServerResponse, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const onEvent = (): void => {
      for (const event of events) response.off(event, onEvent);
      resolve();
    };
    for (const event of events) response.on(event, onEvent);
  });
}
