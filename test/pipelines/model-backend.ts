/**
 * Model backend: a small print queue that an agent polls. It answers when a job is on its disk, knows the key of a job
 * again, and hands out the oldest job of a printer that has not ended.
 *
 *   node model-backend.ts PORT FILE [FAULT]
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

interface Job {
  readonly id: string;
  readonly key: string;
  readonly printer: string;
  readonly document: string;
  state: string;
}

const [port, file = '', fault = 'none'] = process.argv.slice(2);
const ENDED = ['done', 'failed', 'uncertain'];
const BATCH_MS = 400;

const jobs = new Map<string, Job>();
const keys = new Map<string, string>();
if (existsSync(file)) {
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) recall(JSON.parse(line) as Job);
}

function recall(job: Job): void {
  if (job.printer === undefined) return void keys.set(job.key, job.id);
  jobs.set(job.id, job);
  if (fault !== 'keys-in-memory') keys.set(job.key, job.id);
}

function keep(job: Partial<Job>): void {
  appendFileSync(file, `${JSON.stringify(job)}\n`);
}

async function submit(key: string, asked: { readonly printer: string; readonly document: string }): Promise<Job> {
  const known = jobs.get(keys.get(key) ?? '');
  const id = fault === 'no-keys' ? undefined : keys.get(key);
  if (id !== undefined) return known ?? { id, key, ...asked, state: 'queued' };
  const job = { id: String(jobs.size + 1), key, ...asked, state: 'queued' };
  keys.set(key, job.id);
  if (fault === 'key-before-job') {
    keep({ id: job.id, key });
    await pause(BATCH_MS);
  }
  jobs.set(job.id, job);
  if (fault === 'jobs-in-batches') void pause(BATCH_MS).then(() => keep(job));
  else keep(job);
  return job;
}

function next(printer: string): Job | undefined {
  const open = [...jobs.values()].filter((job) => job.printer === printer && !ENDED.includes(job.state));
  const offered = fault === 'hands-out-once' ? open.filter(({ state }) => state === 'queued') : open;
  const job = fault === 'newest-first' ? offered.at(-1) : offered[0];
  if (job) setState(job, 'printing');
  return job;
}

function setState(job: Job, state: string): void {
  job.state = state;
  keep(job);
}

interface Asked {
  readonly printer: string;
  readonly document: string;
  readonly state: string;
}

const server = createServer((request, response) => void respond(request, response));
server.listen(Number(port), '127.0.0.1');

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '/', headers } = request;
  const { pathname, searchParams } = new URL(url, 'http://backend');
  const asked = method === 'POST' ? ((await json(request)) as Asked) : undefined;
  const answer = (status: number, body: unknown = {}): void =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (pathname === '/jobs' && asked) return answer(201, await submit(String(headers['idempotency-key']), asked));
  if (pathname === '/next') {
    const job = next(searchParams.get('printer') ?? '');
    return job ? answer(200, job) : answer(404);
  }
  const job = jobs.get(pathname.split('/')[2] ?? '');
  if (!job) return answer(404);
  if (asked) setState(job, asked.state);
  return answer(200, { id: job.id, state: job.state });
}
