// Starts the service, and ends it at SIGTERM. What it needs is told in its environment.
import { createServer } from 'node:http';
import { foundAccount } from './accounts.mjs';
import { handle } from './http.mjs';
import { rememberWaiting } from './jobs.mjs';
import { acceptLink, closeLinks } from './link.mjs';
import { acceptScaleFeed } from './scales.mjs';
import { startTimers } from './timers.mjs';
import { openStore, state } from './store.mjs';
import { refuseUpgrade } from './websocket.mjs';

const { PORT = '8080', DATA_DIR = '.', API_KEY = 'test-key', OTHER_KEY = 'other-key' } = process.env;

openStore(DATA_DIR);
if (state.accounts.size === 0) {
  foundAccount({ email: 'owner@shop.test', mayCreate: true, key: API_KEY });
  foundAccount({ email: 'neighbour@shop.test', mayCreate: false, key: OTHER_KEY });
}
rememberWaiting();
startTimers();

const server = createServer({ keepAliveTimeout: 20_000, requestTimeout: 0 }, (request, response) => {
  handle(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    response.destroy();
  });
});
server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => socket.destroy());
  const path = request.url.split('?')[0];
  if (path === '/link') return acceptLink(request, socket, head);
  if (path === '/stream/scales') return acceptScaleFeed(request, socket, head);
  return refuseUpgrade(socket, 404, 'NoSuchPath', 'nothing here speaks WebSocket');
});
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`at http://127.0.0.1:${PORT}\n`));

process.on('SIGTERM', () => {
  closeLinks();
  server.close();
  setTimeout(() => process.exit(0), 100);
});
