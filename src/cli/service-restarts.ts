/**
 * Service restarts: notices that the service at an address was restarted. It may be away, or answer with 5xx, for a
 * moment; one that is back between two looks has let go of a connection that it had said it would keep.
 */

import http from 'node:http';
import https from 'node:https';

import { LOOK_EVERY_MS, pause } from './watching.ts';

const ANSWER_LIMIT_MS = 2_000;

/** What one look has seen. */
interface Look {
  readonly isThere: boolean;
  /** Whether the service said that it keeps the connection. */
  readonly isKept: boolean;
  /** Whether it had kept that of the look before. */
  readonly wasKept: boolean;
}

const AWAY: Look = { isThere: false, isKept: false, wasKept: false };

/**
 * Waits until the service at this address has been restarted, or the signal aborts.
 *
 * @param begun - from now on a restart is noticed
 */
export async function restartOf(baseUrl: string, stopped: AbortSignal, begun: () => void): Promise<void> {
  const { Agent, get } = baseUrl.startsWith('https:') ? https : http;
  using looking = new DisposableStack();
  const agent = looking.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (one) => one.destroy());
  const look = (): Promise<Look> => {
    const { promise, resolve } = Promise.withResolvers<Look>();
    const request = get(`${baseUrl}/ping`, { agent, timeout: ANSWER_LIMIT_MS, signal: stopped }, (response) => {
      const { statusCode = 500, httpVersion, headers } = response;
      const isKept = httpVersion === '1.1' && !/\bclose\b/i.test(headers.connection ?? '');
      response.on('error', () => resolve(AWAY)).resume();
      response.on('end', () => resolve({ isThere: statusCode < 500, isKept, wasKept: request.reusedSocket }));
    });
    request.on('timeout', () => request.destroy()).on('error', () => resolve(AWAY));
    return promise;
  };
  let before = await look();
  begun();
  while (!stopped.aborted) {
    await pause(LOOK_EVERY_MS, stopped);
    const now = await look();
    if (now.isThere && (!before.isThere || (before.isKept && !now.wasKept))) return;
    before = now;
  }
}
