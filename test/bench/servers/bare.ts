/**
 * The floor: a bare node:http server that answers every request with the same bytes.
 *
 * Usage: node bare.ts < {"status", "headers": [name, value, …], "body"}   prints {"url"} when ready.
 * A request body is read to its end first, as any server must.
 */

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { portOf } from '../../../src/common/port-of.ts';

interface Recorded {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
}

const recorded = JSON.parse(await text(process.stdin)) as Recorded;
const body = Buffer.from(recorded.body);
const server = createServer((request, response) => {
  request.on('data', () => undefined);
  request.on('end', () => {
    response.writeHead(recorded.status, recorded.headers);
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const port = portOf(server);
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
