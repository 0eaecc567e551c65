/**
 * Whether a service has the link of docs/device-link.md, without connecting a computer: an upgrade that offers a
 * subprotocol which nothing speaks is answered with 426 and the names of those that the service speaks. One that
 * upgrades all the same has a link as well, which checks then judge.
 */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

import { basicAuthorization } from '../common/basic-authorization.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../link/messages.ts';

const LIMIT_MS = 5_000;
const OF_PROXIES = 'A proxy in front of it may not pass websockets on; --link none runs without the link.';
const OF_REFUSALS = `docs/device-link.md wants 426 and \`Sec-WebSocket-Protocol: ${LINK_PROTOCOLS[0]}\`; --link websocket connects them all the same.`;
/** Answers that a service without a link does not give, and what may be behind them. */
const DOUBTS: Readonly<Record<number, string>> = {
  400: OF_REFUSALS,
  426: OF_REFUSALS,
  502: OF_PROXIES,
  503: OF_PROXIES,
  504: OF_PROXIES,
};

/**
 * @param baseUrl - without a trailing slash
 * @param tell - takes a sentence for people where there may be a link nevertheless
 */
export async function hasWebSocketLink(
  baseUrl: string,
  apiKey: string,
  tell: (sentence: string) => void = () => undefined,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const request = (baseUrl.startsWith('https:') ? httpsRequest : httpRequest)(`${baseUrl}${LINK_PATH}`, {
    timeout: LIMIT_MS,
    agent: false,
    headers: {
      Authorization: basicAuthorization(apiKey),
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'cGxhdGVuIGxpbmsgcHJvYmU=',
      'Sec-WebSocket-Protocol': 'platen.link.probe',
    },
  });
  request.on('response', (response) => {
    const { statusCode = 0 } = response;
    const isThere = namesLink(response);
    if (!isThere && statusCode in DOUBTS) tell(hiddenLink(baseUrl, statusCode));
    resolve(isThere);
  });
  request.on('upgrade', () => resolve(true));
  for (const event of ['error', 'timeout', 'close']) request.on(event, () => resolve(false));
  request.end();
  try {
    return await promise;
  } finally {
    request.destroy();
  }
}

function hiddenLink(baseUrl: string, status: number): string {
  return `${baseUrl} answered ${status} to the upgrade to the device link, so no computers are connected. ${DOUBTS[status]}`;
}

function namesLink({ statusCode, headers }: IncomingMessage): boolean {
  const spoken = (headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/);
  return statusCode === 426 && LINK_PROTOCOLS.some((protocol) => spoken.includes(protocol));
}
