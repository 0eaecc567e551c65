/**
 * Model agent: polls a backend for jobs and sends them to printers at port 9100, one after the other for each printer.
 *
 * It writes down that it begins to send, and what came of it. A job of which it cannot know whether it was printed is
 * reported as uncertain and never sent again; a report is repeated until it is taken.
 *
 *   node model-agent.ts API FOLDER FAULT NAME=HOST:PORT …
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface Job {
  readonly id: string;
  readonly document: string;
}

type Sent = 'done' | 'refused' | 'uncertain';

const [api = '', folder = '', fault = 'none', ...printers] = process.argv.slice(2);
const file = `${folder}/agent.log`;
const PAUSE_MS = 60;
const ANSWER_MS = 2_000;
const SEND_MS = 5_000;

/** What was written down of each job, the last word of it. */
const known = new Map<string, string>();
if (existsSync(file)) {
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) known.set(...wordsOf(line));
}
const refused = new Set<string>();
const lengths = new Set<string>();

function wordsOf(line: string): [string, string] {
  const [id = '', word = ''] = line.split(' ');
  return [id, word];
}

function note(id: string, word: string): void {
  known.set(id, word);
  appendFileSync(file, `${id} ${word}\n`);
}

async function call(path: string, state?: string): Promise<Response> {
  const body = state === undefined ? {} : { method: 'POST', body: JSON.stringify({ state }) };
  return fetch(api + path, { ...body, signal: AbortSignal.timeout(ANSWER_MS) });
}

async function report(id: string, state: string): Promise<void> {
  while (!(await isReported(id, state))) {
    if (fault === 'reports-once') return;
    await pause(PAUSE_MS);
  }
}

async function isReported(id: string, state: string): Promise<boolean> {
  const answer = await call(`/jobs/${id}/state`, state).catch(() => undefined);
  return answer?.ok === true;
}

/** A printer that ends the connection in good order has all of it. */
async function send(address: string, bytes: Buffer, limitMs = SEND_MS): Promise<Sent> {
  const [host = '', port] = address.split(':');
  const { promise, resolve } = Promise.withResolvers<Sent>();
  let outcome: Sent = 'refused';
  const socket = connect({ host, port: Number(port) }, () => {
    outcome = 'uncertain';
    if (fault === 'stops-half-way') void sendHalves(socket, bytes);
    else socket.end(bytes);
  });
  socket
    .on('error', () => undefined)
    .on('end', () => (outcome = 'done'))
    .on('close', () => resolve(outcome))
    .resume();
  void pause(limitMs).then(() => socket.destroy());
  return promise;
}

/** Asks between the halves whether the job is still wanted. */
async function sendHalves(socket: Socket, bytes: Buffer): Promise<void> {
  const middle = Math.floor(bytes.length / 2);
  socket.write(bytes.subarray(0, middle));
  const answer = await call('/next?printer=none').catch(() => undefined);
  if (answer?.status === 404) socket.write(bytes.subarray(middle));
  socket.end();
}

/** What became of the job; undefined while the printer takes no connection. */
async function print({ id, document }: Job, address: string): Promise<string | undefined> {
  const bytes = Buffer.from(document, 'base64');
  if (fault === 'skips-alike' && lengths.has(`${address} ${bytes.length}`)) return 'done';
  lengths.add(`${address} ${bytes.length}`);
  if (fault === 'done-before-sent') await report(id, 'done');
  if (fault !== 'notes-after-sending') note(id, 'sending');
  const sent = await send(address, bytes, fault === 'resends-when-slow' ? 300 : SEND_MS);
  if (sent === 'refused') return afterRefusal(id, bytes);
  if (sent === 'done') return 'done';
  if (fault === 'sends-again') return undefined;
  if (fault === 'resends-when-slow') return (await send(address, bytes)) === 'done' ? 'done' : 'uncertain';
  return fault === 'failed-when-uncertain' ? 'failed' : 'uncertain';
}

async function afterRefusal(id: string, bytes: Buffer): Promise<string | undefined> {
  note(id, 'queued');
  refused.add(id);
  if (fault === 'ignores-refusals') return 'done';
  if (fault === 'takes-another-printer') {
    const [other = ''] = addresses.toReversed();
    return (await send(other, bytes)) === 'done' ? 'done' : undefined;
  }
  return undefined;
}

/** One job, from what is known of it to its report. */
async function handle(job: Job, address: string): Promise<void> {
  const { id } = job;
  const noted = known.get(id);
  const word = fault === 'two-of-them' && noted === 'sending' ? undefined : noted;
  if (word === 'sending') note(id, 'uncertain');
  else if (word === undefined || word === 'queued') {
    const state = await print(job, address);
    if (state === undefined) return fault === 'sends-again' ? note(id, 'queued') : undefined;
    if (fault === 'prints-and-reports-in-one') return printAgainUntilReported(job, address, state);
    note(id, state);
  } else if (fault === 'reports-once') return;
  await report(id, known.get(id) ?? 'uncertain');
}

async function printAgainUntilReported(job: Job, address: string, state: string): Promise<void> {
  let last = state;
  while (!(await isReported(job.id, last))) last = (await print(job, address)) ?? last;
  note(job.id, last);
}

async function serve(name: string, address: string): Promise<void> {
  const given = new Set<string>();
  for (; ; await pause(PAUSE_MS)) {
    const answer = await call(`/next?printer=${name}`).catch(() => undefined);
    const job = answer?.ok ? ((await answer.json().catch(() => undefined)) as Job | undefined) : undefined;
    if (!job || given.has(job.id)) continue;
    if (fault === 'gives-up-silently' && refused.has(job.id)) continue;
    if (fault !== 'prints-the-next-one') {
      await handle(job, address);
      continue;
    }
    // A job that waits for its printer is passed by those that come later.
    given.add(job.id);
    void untilHandled(job, address);
    await report(job.id, 'done');
  }
}

async function untilHandled(job: Job, address: string): Promise<void> {
  while (known.get(job.id) === undefined || known.get(job.id) === 'queued') {
    await handle(job, address);
    await pause(10 * PAUSE_MS);
  }
}

process.stdout.write('polling\n');
const addresses = printers.map((printer) => printer.split('=')[1] ?? '');
for (const [index, printer] of printers.entries()) {
  void serve(printer.split('=')[0] ?? '', addresses[index] ?? '');
  if (fault === 'two-of-them') void serve(printer.split('=')[0] ?? '', addresses[index] ?? '');
}
