/**
 * Whether a service has the link of docs/device-link.md, without connecting a computer: an upgrade that offers a
 * subprotocol which nothing speaks is answered with 426 and the names of those that the service speaks.
 */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

import { basicAuthorization } from '../common/basic-authorization.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../link/messages.ts';

const LIMIT_MS = 5_000;
/** What a proxy answers for a service that it does not reach. */
const OF_PROXIES = [502, 503, 504];

/**
 * @param baseUrl - without a trailing slash
 * @param tell - takes a sentence for people where a proxy is in between that may hide the link
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
    if (OF_PROXIES.includes(statusCode)) tell(hiddenLink(baseUrl, statusCode));
    resolve(namesLink(response));
  });
  for (const event of ['upgrade', 'error', 'timeout', 'close']) request.on(event, () => resolve(false));
  request.end();
  try {
    return await promise;
  } finally {
    request.destroy();
  }
}

function hiddenLink(baseUrl: string, status: number): string {
  const answered = `${baseUrl} answered ${status} to the upgrade to the device link, so no computers are connected.`;
  return `${answered} A proxy in front of it may not pass websockets on; --link none runs without the link.`;
}

function namesLink({ statusCode, headers }: IncomingMessage): boolean {
  const spoken = (headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/);
  return statusCode === 426 && LINK_PROTOCOLS.some((protocol) => spoken.includes(protocol));
}
