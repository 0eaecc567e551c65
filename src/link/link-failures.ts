/**
 * Link failures: what went wrong on a socket, in the words of the port.
 *
 * Three sources: an error of the socket, an ordinary HTTP response instead of the upgrade, and the code
 * a connection was closed with. The messages are for people who look for a fault in a service.
 */

import { systemClock } from '../common/clock.ts';
import { inOneLine } from '../common/in-one-line.ts';
import { connectionTrouble } from '../common/connection-words.ts';
import { retryAfterMs } from '../common/retry-after.ts';
import type { LinkFailure } from './device-link.ts';
import { LINK_CLOSE_CODES, LINK_PROTOCOLS } from './messages.ts';

type Reason = LinkFailure['reason'];

/** An error of the socket before the upgrade was answered. */
export function connectFailure(error: Error, serviceUrl: string): LinkFailure {
  const code = codeOf(error);
  if (/subprotocol/i.test(error.message)) {
    const message = `${serviceUrl} speaks no version of the link in common with us (${LINK_PROTOCOLS.join(', ')}): ${error.message}`;
    return { reason: 'no-common-version', message };
  }
  if (code === undefined || /^(?:HPE_|WS_)/.test(code)) {
    const message = `${serviceUrl} did not answer the upgrade as a WebSocket server does: ${error.message}`;
    return { reason: 'protocol', message };
  }
  return { reason: 'unreachable', message: `cannot connect to ${serviceUrl}: ${connectionTrouble(error)}` };
}

/** An ordinary HTTP response to the upgrade. */
interface RefusingResponse {
  readonly status: number;
  /** As much of it as was read. */
  readonly body: string;
  readonly retryAfter: string | undefined;
}

const TOO_MANY = 429;
const PAUSE_MS = 1_000;

export function refusal({ status, body, retryAfter }: RefusingResponse, serviceUrl: string): LinkFailure {
  const said = errorText(body);
  const message = `${serviceUrl} refused the link with ${status}${said === '' ? '' : `: ${said}`}`;
  const askedMs = retryAfterMs(retryAfter, systemClock.now()) ?? (status === TOO_MANY ? PAUSE_MS : undefined);
  return { reason: reasonOfStatus(status), message, ...(askedMs !== undefined && { retryAfterMs: askedMs }) };
}

/** An error of a socket that was open. */
export function brokenFailure(error: Error): LinkFailure {
  const code = codeOf(error);
  if (code?.startsWith('WS_ERR'))
    return { reason: 'protocol', message: `the service broke WebSocket: ${error.message}` };
  return { reason: 'closed', message: `the connection broke: ${error.message}` };
}

/** The end of an open connection. `said` is the last error message of the service, if any. */
export function closeFailure(code: number, reason: string, said: string | undefined): LinkFailure {
  if (code === 1006 && said === undefined) return { reason: 'closed', message: 'the connection was cut' };
  const detail = [reason, said].filter((text) => text !== undefined && text !== '').join('; ');
  const message = `the service closed the link with ${code}${detail === '' ? '' : `: ${detail}`}`;
  return { reason: REASON_OF_CLOSE_CODE.get(code) ?? 'closed', message };
}

const REASON_OF_CLOSE_CODE: ReadonlyMap<number, Reason> = new Map<number, Reason>([
  [1002, 'protocol'],
  [1003, 'protocol'],
  [1007, 'protocol'],
  [1008, 'refused'],
  [1009, 'protocol'],
  [LINK_CLOSE_CODES.badMessage, 'protocol'],
  [LINK_CLOSE_CODES.noLongerWelcome, 'unauthorized'],
  [LINK_CLOSE_CODES.computerDeleted, 'refused'],
]);

const REASON_OF_STATUS: ReadonlyMap<number, Reason> = new Map<number, Reason>([
  [401, 'unauthorized'],
  [404, 'no-link'],
  [426, 'no-common-version'],
]);

function reasonOfStatus(status: number): Reason {
  return REASON_OF_STATUS.get(status) ?? 'refused';
}

/** The message of an error object, or the beginning of the text that came instead. */
function errorText(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message);
  } catch {
    // Not JSON: the text itself is the best there is.
  }
  return inOneLine(body).slice(0, 120);
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
