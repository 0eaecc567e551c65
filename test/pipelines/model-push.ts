/**
 * Model of a backend that pushes jobs over a websocket, and of the agent that it pushes them to: one program for both.
 *
 *   node model-push.ts backend PORT
 *   node model-push.ts agent ws://HOST:PORT PRINTER
 */

import { createServer } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import { WebSocket, WebSocketServer } from 'ws';

interface Job {
  readonly id: string;
  readonly content: string;
  status: string;
}

const [role, place = '', printer = ''] = process.argv.slice(2);
const jobs = new Map<string, Job>();

function serve(): void {
  const server = createServer((request, response) => {
    void (async () => {
      const key = String(request.headers['idempotency-key'] ?? request.url?.split('/')[2]);
      if (request.method === 'POST' && !jobs.has(key)) {
        const { content } = (await json(request)) as Job;
        jobs.set(key, { id: key, content, status: 'queued' });
        for (const agent of sockets.clients) agent.send(JSON.stringify(jobs.get(key)));
      }
      response.end(JSON.stringify(jobs.get(key) ?? {}));
    })();
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    for (const job of jobs.values()) if (job.status === 'queued') socket.send(JSON.stringify(job));
    socket.on('message', (data: Buffer) => {
      const { id, status } = JSON.parse(data.toString()) as Job;
      const job = jobs.get(id);
      if (job) job.status = status;
    });
    socket.on('error', () => undefined);
  });
  server.listen(Number(place), '127.0.0.1');
}

const known = new Set<string>();

async function follow(): Promise<void> {
  for (;;) {
    const socket = new WebSocket(place);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const { id, content } = JSON.parse(data.toString()) as Job;
      const isNew = !known.has(id);
      known.add(id);
      const printed = isNew ? print(Buffer.from(content, 'base64')) : Promise.resolve();
      void printed.then(() => socket.send(JSON.stringify({ id, status: 'done' })));
    });
    await new Promise((resolve) => socket.once('close', resolve));
    await pause(100);
  }
}

function print(bytes: Buffer): Promise<void> {
  const [host = '', port] = printer.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) }, () => socket.end(bytes));
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume();
  });
}

if (role === 'backend') serve();
else await follow();
