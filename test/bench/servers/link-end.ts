/**
 * The service's end of the link for memory measurements: welcomes, acknowledges, and counts how many
 * computers are on their way in at once. Prints `{url}` when it listens; `GET /` gives the count.
 */

import { createServer } from 'node:http';
import type { Socket } from 'node:net';

import { WebSocketServer } from 'ws';

import { portOf } from '../../../src/common/port-of.ts';
import { decodeComputerMessage, encodeMessage } from '../../../src/link/codec.ts';
import { LINK_PROTOCOLS } from '../../../src/link/messages.ts';

let connecting = 0;
let mostConnecting = 0;
let computers = 0;

const sockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  handleProtocols: () => LINK_PROTOCOLS[0],
});
const http = createServer((_request, response) => {
  response.end(JSON.stringify({ mostConnecting, computers }));
});
http.on('upgrade', (request, socket: Socket, head) => {
  mostConnecting = Math.max(mostConnecting, ++connecting);
  sockets.handleUpgrade(request, socket, head, (opened) => {
    opened.on('error', () => undefined);
    opened.on('message', (data, isBinary) => {
      const decoded = decodeComputerMessage(data, isBinary);
      if (!decoded.ok) throw new Error(decoded.error.what);
      const message = decoded.value;
      if (message.type === 'hello') {
        const computerId = ++computers;
        opened.send(encodeMessage({ type: 'welcome', computerId, accountId: 1, heartbeatMs: 600_000 }));
        return;
      }
      if (message.type === 'printers') connecting--;
      if (message.type !== 'ack') opened.send(encodeMessage({ type: 'ack', id: message.id }));
    });
  });
});
http.listen(0, '127.0.0.1', 1_024, () => {
  const port = portOf(http);
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
