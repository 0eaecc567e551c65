/**
 * Paired measurement: two servers, one core; a client on the other; rounds in turn.
 *
 *   A B A B A B …   each round a short closed-loop probe; the figure is the ratio pair by pair
 *
 * The machine is shared and noisy: a drift in its speed falls on both sides of a pair alike.
 */

import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';
import { request } from 'undici';
import { soon } from '../support/soon.ts';

const SERVER_CORE = '0';
const CLIENT_CORE = '1';

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts a script of servers/ on the server core and waits for the line that says where it listens. */
export async function startServer(script: string, args: readonly string[] = [], input = ''): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(`./servers/${script}.ts`, import.meta.url));
  const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(20_000) })) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { url, child, [Symbol.asyncDispose]: () => kill(child) };
}

/** Starts any other server on the server core and waits until it answers at `url`. */
export async function startPeer(command: readonly string[], url: string, readyPath: string): Promise<ServerProcess> {
  const child = spawn('taskset', ['-c', SERVER_CORE, ...command], { stdio: 'ignore' });
  await soon(`an answer of ${command.join(' ')}`, '60s', () => isAnswering(url + readyPath), { every: '200ms' });
  return { url, child, [Symbol.asyncDispose]: () => kill(child) };
}

async function isAnswering(url: string): Promise<true | undefined> {
  try {
    const { statusCode, body } = await request(url);
    await body.dump();
    return statusCode === 200 ? true : undefined;
  } catch {
    return undefined;
  }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Keeps this process, the client, off the servers' core. */
export function pinClient(): void {
  execFileSync('taskset', ['-acp', CLIENT_CORE, String(process.pid)], { stdio: 'ignore' });
}

/** Processor time a process has used so far, in microseconds: holds on a machine that others use too. */
export function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const MICROSECONDS_A_TICK = 10_000;
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_A_TICK;
}

export interface Probe {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const CONNECTIONS = 32;

interface Round {
  readonly requestsPerSecond: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly cpuPerRequest: number;
}

/** One closed-loop round. @throws Error when an answer was not 2xx */
async function measure({ server, probe }: Side, seconds: number): Promise<Round> {
  const cpuBefore = cpuMicroseconds(server.child.pid ?? 0);
  const result = await autocannon({
    url: server.url + probe.path,
    method: probe.method ?? 'GET',
    connections: CONNECTIONS,
    duration: seconds,
    headers: probe.headers ?? {},
    ...(probe.body !== undefined && { body: probe.body }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${server.url}${probe.path}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`);
  }
  const cpu = cpuMicroseconds(server.child.pid ?? 0) - cpuBefore;
  return { requestsPerSecond: result['2xx'] / result.duration, cpuPerRequest: cpu / result['2xx'] };
}

export interface Pairing {
  readonly subject: Round;
  readonly peer: Round;
  /** Median of the subject's throughput over the peer's, pair by pair. */
  readonly ratio: number;
  /** Median of the peer's processor time a request over the subject's, pair by pair. */
  readonly cpuRatio: number;
}

export interface Side {
  readonly server: ServerProcess;
  readonly probe: Probe;
}

/** Measures subject and peer in turn, after a warm-up of both. */
export async function measurePair(subject: Side, peer: Side, rounds: number, seconds: number): Promise<Pairing> {
  await measure(subject, 1);
  await measure(peer, 1);
  const pairs: { subject: Round; peer: Round }[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ subject: await measure(subject, seconds), peer: await measure(peer, seconds) });
  }
  const medianRound = (side: 'subject' | 'peer'): Round => ({
    requestsPerSecond: median(pairs.map((pair) => pair[side].requestsPerSecond)),
    cpuPerRequest: median(pairs.map((pair) => pair[side].cpuPerRequest)),
  });
  return {
    subject: medianRound('subject'),
    peer: medianRound('peer'),
    ratio: median(pairs.map((pair) => pair.subject.requestsPerSecond / pair.peer.requestsPerSecond)),
    cpuRatio: median(pairs.map((pair) => pair.peer.cpuPerRequest / pair.subject.cpuPerRequest)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One line about where the figures were taken. */
export function machineLine(): string {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`;
}
