/**
 * WebSocket upgrades: checked here, so that a bad one is refused as every other request is, with an error
 * object; the websocket library would send a page of text.
 */

import type { IncomingMessage } from 'node:http';

import { badRequest, upgradeRequired } from './api-error.ts';

const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSIONS = ['13', '8'];
const PROTOCOLS = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+(?:[ \t]*,[ \t]*[-!#$%&'*+.^_`|~0-9A-Za-z]+)*$/;

/** @throws ApiError 400 when a header is wrong, 426 for another version of the protocol */
export function checkWebSocketUpgrade({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw badRequest('a websocket is opened with GET');
  if (headers.upgrade?.toLowerCase() !== 'websocket') throw badRequest('Upgrade: must be websocket');
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    throw badRequest('Sec-WebSocket-Key: must be 16 bytes as base64');
  }
  if (!VERSIONS.includes(headers['sec-websocket-version'] ?? '')) {
    throw upgradeRequired('Sec-WebSocket-Version: must be 13', ['Sec-WebSocket-Version', VERSIONS.join(', ')]);
  }
  const protocols = headers['sec-websocket-protocol'];
  if (protocols !== undefined && !areDistinctTokens(protocols)) {
    throw badRequest('Sec-WebSocket-Protocol: must be different names, separated by commas');
  }
}

function areDistinctTokens(text: string): boolean {
  if (!PROTOCOLS.test(text)) return false;
  const tokens = text.split(',').map((token) => token.trim());
  return new Set(tokens).size === tokens.length;
}
