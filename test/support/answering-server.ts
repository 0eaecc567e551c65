/**
 * A small service for tests of the load: takes submissions and gives them ids, in memory, and can be told to
 * misbehave.
 */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TakenJob {
  readonly id: number;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AnsweringServer extends AsyncDisposable {
  readonly url: string;
  readonly jobs: readonly TakenJob[];
  /** Method and path of every request but submissions. */
  readonly asked: readonly string[];
}

/** @param losesAnswerOf - whether the answer to the n-th submission, from 1, is lost on its way */
export async function answeringServer(losesAnswerOf: (n: number) => boolean = () => false): Promise<AnsweringServer> {
  const jobs: TakenJob[] = [];
  const asked: string[] = [];
  let submissions = 0;
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/printjobs') {
      asked.push(`${request.method} ${request.url}`);
      response.end('[]');
      return;
    }
    void textOf(request).then((text) => {
      const key = String(request.headers['x-idempotency-key']);
      if (jobs.some((job) => job.key === key)) return response.writeHead(409).end('{}');
      jobs.push({ id: jobs.length + 1, key, body: JSON.parse(text) as TakenJob['body'] });
      if (losesAnswerOf(++submissions)) return request.socket.destroy();
      return response.writeHead(201).end(String(jobs.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
