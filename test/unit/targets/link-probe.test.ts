/**
 * The question whether a service has the device link: what each answer to an upgrade is taken for, and what is said.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';

import { expect, it } from 'vitest';

import { portOf } from '../../../src/common/port-of.ts';
import { hasWebSocketLink } from '../../../src/targets/link-probe.ts';

const SPOKEN = 'Sec-WebSocket-Protocol: platen.link.v1';
const UPGRADED = 'Upgrade: websocket\r\nConnection: Upgrade';

it.each([
  ['426 Upgrade Required', SPOKEN, true, /^$/],
  ['101 Switching Protocols', UPGRADED, true, /^$/],
  ['101 Switching Protocols', `${UPGRADED}\r\n${SPOKEN}`, true, /^$/],
  ['200 OK', '', false, /^$/],
  ['404 Not Found', SPOKEN, false, /^$/],
  ['426 Upgrade Required', '', false, /wants 426 and `Sec-WebSocket-Protocol: platen\.link\.v1`/],
  ['400 Bad Request', '', false, /--link websocket connects them all the same/],
  ['502 Bad Gateway', '', false, /A proxy in front of it may not pass websockets on/],
])('takes %s with the headers %j for a link: %s', async (status, headers, expected, told) => {
  const server = createServer();
  server.on('upgrade', (_, socket) => socket.end(`HTTP/1.1 ${status}\r\n${headers || 'X: 1'}\r\n\r\n`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sentences: string[] = [];
  const url = `http://127.0.0.1:${portOf(server)}`;
  expect(await hasWebSocketLink(url, 'key', (sentence) => sentences.push(sentence))).toBe(expected);
  server.close();
  expect(sentences.join()).toMatch(told);
});

it('finds none where nothing listens', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  server.close();
  expect(await hasWebSocketLink(`http://127.0.0.1:${port}`, 'key')).toBe(false);
});
