/**
 * Kill rounds: a service with a data file is killed with SIGKILL under load, again and again.
 *
 *   start ─► check what the rounds before left ─► load with jobs and webhooks ─► SIGKILL ─► start …
 *
 * Each job answered with 201 must be there after the restart, its idempotency key must still be refused, and
 * its event must reach the receiver, once or twice.
 *
 * Usage: node test/crash/kill-rounds.ts [--rounds 200] [--seed 1]   exits 1 when anything was lost
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Pool } from 'undici';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { createRandom, type Random } from '../../src/common/random.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../src/sink/webhook-receiver.ts';
import { basic, FIRST_KEY } from '../support/running-service.ts';
import { soon } from '../support/soon.ts';

/** Rounds on one data file, before a new one is begun. */
const ROUNDS_A_FILE = 10;
const WRITERS = 16;
const SERVER = fileURLToPath(new URL('../bench/servers/reference.ts', import.meta.url));

export interface KillReport {
  readonly rounds: number;
  accepted: number;
  lostJobs: number;
  forgottenKeys: number;
  forgottenEvents: number;
  eventsBeyondTwo: number;
}

/** Jobs that were accepted on one data file, by idempotency key. */
type Accepted = Map<string, number>;

export async function killRounds(rounds: number, seed: number): Promise<KillReport> {
  const report: KillReport = {
    rounds,
    accepted: 0,
    lostJobs: 0,
    forgottenKeys: 0,
    forgottenEvents: 0,
    eventsBeyondTwo: 0,
  };
  const random = createRandom(seed);
  for (let done = 0; done < rounds; done += ROUNDS_A_FILE) {
    await roundsOnOneFile(Math.min(ROUNDS_A_FILE, rounds - done), random, report);
  }
  return report;
}

async function roundsOnOneFile(rounds: number, random: Random, report: KillReport): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-kill-'));
  await using receiver = await startWebhookReceiver({ clock: systemClock });
  const accepted: Accepted = new Map();
  for (let round = 0; round <= rounds; round++) {
    await using server = await startServer(join(folder, 'service.db'));
    const pool = new Pool(server.url, { connections: WRITERS });
    if (round === 0) await addWebhook(pool, receiver);
    else await verify(pool, accepted, report, random);
    if (round === rounds) await verifyEvents(receiver, accepted, report);
    else await loadUntilKilled(pool, server.child, accepted, random);
    await pool.destroy();
  }
  report.accepted += accepted.size;
  await rm(folder, { recursive: true });
}

interface Started extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startServer(dataFile: string): Promise<Started> {
  const child = spawn(process.execPath, [SERVER, dataFile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(20_000),
  })) as [string];
  return {
    url: (JSON.parse(line) as { url: string }).url,
    child,
    [Symbol.asyncDispose]: () => kill(child),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function call(
  pool: Pool,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  key?: string,
): Promise<[number, unknown]> {
  const response = await pool.request({
    method,
    path,
    headers: { authorization: basic(FIRST_KEY), ...(key !== undefined && { 'x-idempotency-key': key }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return [response.statusCode, JSON.parse(await response.body.text())];
}

async function addWebhook(pool: Pool, receiver: WebhookReceiver): Promise<void> {
  const messages = ['print job state'];
  await call(pool, 'POST', '/webhook', { url: `${receiver.url}/events`, secret: '', messages });
}

/** Writers submit jobs as fast as they are answered; at a random moment the service is killed. */
async function loadUntilKilled(pool: Pool, child: ChildProcess, accepted: Accepted, random: Random): Promise<void> {
  const writers = Array.from({ length: WRITERS }, () => writeUntilRefused(pool, accepted, random));
  await sleep(systemClock, random.integer(20, 200));
  await kill(child);
  await Promise.all(writers);
}

async function writeUntilRefused(pool: Pool, accepted: Accepted, random: Random): Promise<void> {
  const job = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };
  for (;;) {
    const key = random.uuid();
    try {
      const [status, id] = await call(pool, 'POST', '/printjobs', job, key);
      if (status === 201) accepted.set(key, id as number);
    } catch {
      // The service was killed: whether this one was accepted is unknown, and nothing is claimed for it.
      return;
    }
  }
}

async function verify(pool: Pool, accepted: Accepted, report: KillReport, random: Random): Promise<void> {
  const ids = [...accepted.values()];
  for (let start = 0; start < ids.length; start += 500) {
    const chunk = ids.slice(start, start + 500);
    const [, jobs] = await call(pool, 'GET', `/printjobs/${chunk.join(',')}?limit=500`);
    report.lostJobs += chunk.length - (jobs as unknown[]).length;
  }
  const keys = [...accepted.keys()];
  for (let index = 0; index < Math.min(50, keys.length); index++) {
    const key = random.pick(keys);
    const job = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };
    const [status] = await call(pool, 'POST', '/printjobs', job, key);
    if (status !== 409) report.forgottenKeys++;
  }
}

/** After the last restart every event still queued arrives; none arrives more than twice. */
async function verifyEvents(receiver: WebhookReceiver, accepted: Accepted, report: KillReport): Promise<void> {
  const missing = (): number => {
    const seen = deliveriesOfNewJobs(receiver);
    return [...accepted.values()].filter((id) => !seen.has(id)).length;
  };
  await soon('the events of all accepted jobs', '15s', () => (missing() === 0 ? true : undefined), {
    every: '100ms',
  }).catch(() => undefined);
  report.forgottenEvents += missing();
  for (const count of deliveriesOfNewJobs(receiver).values()) if (count > 2) report.eventsBeyondTwo++;
}

function deliveriesOfNewJobs(receiver: WebhookReceiver): Map<number, number> {
  const seen = new Map<number, number>();
  for (const { events } of receiver.log.entries) {
    if (!events.ok) continue;
    for (const event of events.value as { data: { printJobId: number; state: string } }[]) {
      const { printJobId, state } = event.data;
      if (state === 'new') seen.set(printJobId, (seen.get(printJobId) ?? 0) + 1);
    }
  }
  return seen;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
  });
  const report = await killRounds(Number(values.rounds), Number(values.seed));
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  const { lostJobs, forgottenKeys, forgottenEvents, eventsBeyondTwo } = report;
  process.exitCode = lostJobs + forgottenKeys + forgottenEvents + eventsBeyondTwo > 0 ? 1 : 0;
}
