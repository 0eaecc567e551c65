/**
 * Paired measurement: two servers, one core; a client on the other; rounds in turn.
 *
 *   A B A B A B …   each round a short closed-loop probe; the figure is the ratio pair by pair
 *
 * The machine is shared and noisy: a drift in its speed falls on both sides of a pair alike.
 */

import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';

const SERVER_CORE = '0';
const CLIENT_CORE = '1';

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts a script of servers/ on the server core and waits for the line that says where it listens. */
export async function startServer(
  script: string,
  args: readonly string[] = [],
  input = '',
): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(`./servers/${script}.ts`, import.meta.url));
  const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(20_000) })) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Keeps this process, the client, off the servers' core. */
export function pinClient(): void {
  execFileSync('taskset', ['-acp', CLIENT_CORE, String(process.pid)], { stdio: 'ignore' });
}

export interface Probe {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const CONNECTIONS = 32;

/** Requests a second of one closed-loop round. @throws Error when an answer was not 2xx */
export async function measure(url: string, probe: Probe, seconds: number): Promise<number> {
  const result = await autocannon({
    url: url + probe.path,
    method: probe.method ?? 'GET',
    connections: CONNECTIONS,
    duration: seconds,
    headers: probe.headers ?? {},
    ...(probe.body !== undefined && { body: probe.body }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}${probe.path}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`);
  }
  return result['2xx'] / result.duration;
}

export interface Pairing {
  /** Requests a second, median over the rounds. */
  readonly subject: number;
  readonly peer: number;
  /** Median of subject / peer, pair by pair. */
  readonly ratio: number;
}

export interface Side {
  readonly url: string;
  readonly probe: Probe;
}

/** Measures subject and peer in turn, after a warm-up of both. */
export async function measurePair(
  subject: Side,
  peer: Side,
  rounds: number,
  seconds: number,
): Promise<Pairing> {
  await measure(subject.url, subject.probe, 1);
  await measure(peer.url, peer.probe, 1);
  const pairs: { subject: number; peer: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({
      subject: await measure(subject.url, subject.probe, seconds),
      peer: await measure(peer.url, peer.probe, seconds),
    });
  }
  return {
    subject: median(pairs.map((pair) => pair.subject)),
    peer: median(pairs.map((pair) => pair.peer)),
    ratio: median(pairs.map((pair) => pair.subject / pair.peer)),
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
