/**
 * A NATS server for tests, in a process of its own.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect } from '@nats-io/transport-node';

import { SERVER_PATH } from './machine-parts.ts';
import { soon } from './soon.ts';

const ENVIRONMENT = { ...process.env, PATH: SERVER_PATH };

export class NatsServer {
  readonly #port: number;
  readonly #folder: string;
  readonly #address: string;
  readonly #arguments: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, address: string, extra: readonly string[]) {
    this.#port = port;
    this.#address = address;
    this.#arguments = extra;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'platen-nats-'));
  }

  static async start({
    address = '127.0.0.1',
    extra = [],
  }: { address?: string; extra?: readonly string[] } = {}): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), address, extra);
    await server.run();
    return server;
  }

  get url(): string {
    return `nats://${this.#address}:${this.#port}`;
  }

  /** Starts it, with what it had stored before. */
  async run(): Promise<void> {
    const { hostname, port } = new URL(this.url);
    const flags = ['-js', '-sd', this.#folder, '-a', hostname, '-p', port, ...this.#arguments];
    this.#process = spawn('nats-server', flags, { env: ENVIRONMENT, stdio: 'ignore' });
    await soon(`nats-server on port ${port}`, '10s', () => answers(this.url));
  }

  /** Ends it without a word, as a power cut would. */
  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (!process || process.exitCode !== null) return;
    const ended = once(process, 'exit');
    process.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** True, or undefined to go on asking. */
async function answers(url: string): Promise<true | undefined> {
  try {
    const connection = await connect({ servers: url, timeout: 500, reconnect: false });
    await connection.close();
    return true;
  } catch (error) {
    return /auth/i.test(String(error)) ? true : undefined;
  }
}

/** A port of loopback that nothing listens at, for programs that cannot take any free one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
