/**
 * A workbench that is busier than a real one gets on a small machine: everything is passed on to a real one,
 * but its event feed, which tells of so many jobs and requests a second.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemClock } from '../../../src/common/clock.ts';
import type { JobSummary, TrafficEntry } from '../../../src/record/control-types.ts';
import { PageFiles } from '../../../src/workbench/page-files.ts';

export interface BusyWorkbench extends AsyncDisposable {
  readonly url: string;
  /** Tells of this many events a second for a while; returns the id of the last job of them. */
  tell(aSecond: number, seconds: number): Promise<number>;
}

const TICK_MS = 20;

export async function startBusyWorkbench(workbench: string, newestJobId: number): Promise<BusyWorkbench> {
  const page = new PageFiles();
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (page.serve(request, response)) return;
    if (request.url?.startsWith('/_platen/events')) listen(listeners, response);
    else void passOn(workbench, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let jobId = newestJobId;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell: (aSecond, seconds) =>
      new Promise((resolve) => {
        let told = 0;
        const beganMs = systemClock.now();
        const timer = systemClock.beat(TICK_MS, () => {
          const due = Math.min(aSecond * seconds, ((systemClock.now() - beganMs) / 1_000) * aSecond);
          for (; told < due; told += 1) {
            if (told % 2 === 0) jobId += 1;
            const text = told % 2 === 0 ? jobEvent(jobId) : requestEvent(told);
            for (const listener of listeners) listener.write(text);
          }
          if (told < aSecond * seconds) return;
          timer.cancel();
          resolve(jobId);
        });
      }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function listen(listeners: Set<ServerResponse>, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': listening\n\n');
  listeners.add(response);
  response.once('close', () => listeners.delete(response));
}

async function passOn(workbench: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/', headers } = request;
  const authorization = headers.authorization ?? '';
  const answer = await fetch(workbench + url, { headers: { 'x-platen-page': '1', authorization } });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function jobEvent(id: number): string {
  const job: JobSummary = {
    id,
    title: `Job ${id}`,
    printer: { id: 1, name: 'Laser' },
    computer: { id: 1, name: 'FRONT-DESK' },
    state: 'new',
    createdMs: 0,
    ageMs: 0,
    contentType: 'pdf_base64',
    source: null,
    qty: 1,
    sheets: 0,
    sides: 0,
    raw: false,
    accountId: 1,
  };
  return eventText('job', { job });
}

function requestEvent(id: number): string {
  const entry: TrafficEntry = {
    id,
    timeMs: 0,
    requestId: `request-${id}`,
    method: 'GET',
    path: '/printjobs',
    status: 200,
    durationMs: 1,
    accountId: 1,
    requestHeaders: {},
    requestBody: null,
    responseHeaders: {},
    responseBody: { text: 'x'.repeat(200), bytes: 200, cut: false },
    curl: null,
  };
  return eventText('request', { entry });
}

function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
