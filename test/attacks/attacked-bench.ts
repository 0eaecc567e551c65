/**
 * Attacked bench: a workbench in a process of its own, seen from outside, and how long others wait for it meanwhile.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { within } from '../../src/common/waiter.ts';
import { startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { basic } from '../support/running-service.ts';

/** The longest that one request of an attack may take. */
const ANSWER_LIMIT = '30s';

export interface AskOptions {
  /** May name another Host. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** API key; none is sent unless given. */
  readonly key?: string;
}

export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export class AttackedBench implements AsyncDisposable {
  /** For files of an attack; goes with the bench. */
  readonly folder: string;
  readonly #workbench: RunningWorkbench;
  readonly #probe: ChildProcess;

  private constructor(workbench: RunningWorkbench, folder: string) {
    this.#workbench = workbench;
    this.folder = folder;
    const asked = [workbench.url, basic(workbench.apiKey)];
    this.#probe = fork(new URL('delay-probe.ts', import.meta.url), asked);
  }

  static async start(argv: readonly string[] = []): Promise<AttackedBench> {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-attacked-'));
    return new AttackedBench(await startWorkbench(['--limits', 'off', ...argv]), folder);
  }

  get url(): string {
    return this.#workbench.url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get key(): string {
    return this.#workbench.apiKey;
  }

  get pid(): number {
    return this.#workbench.pid;
  }

  /** A request as it is given: no header is added but Host, Content-Length and the key. */
  ask(method: string, target: string, options: AskOptions = {}): Promise<Asked> {
    return ask(this.url, method, target, options);
  }

  /** The same with the key of the account, and a body of JSON. */
  call(method: string, target: string, body?: unknown): Promise<Asked> {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return this.ask(method, target, { key: this.key, ...sent });
  }

  /** How long another request to the service waited at worst while `act` went on, in milliseconds. */
  async worstDelayMs(act: () => Promise<void>): Promise<number> {
    this.#probe.send('begin');
    await act();
    this.#probe.send('end');
    const [worstMs] = await within(once(this.#probe, 'message'), { description: 'the worst delay', limit: '60s' });
    return worstMs as number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#probe.kill('SIGKILL');
    await this.#workbench.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A request to any address; see AttackedBench.ask. */
export async function ask(url: string, method: string, target: string, options: AskOptions = {}): Promise<Asked> {
  const { headers = {}, body, key } = options;
  const { hostname, port, protocol } = new URL(url);
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const sent = send({
    hostname,
    port,
    method,
    path: target,
    agent: false,
    headers: {
      ...(key !== undefined && { authorization: basic(key) }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  // A server that has seen enough answers, and takes no more.
  sent.on('error', () => undefined);
  sent.end(body);
  const answered = async (): Promise<Asked> => {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: Buffer.concat(chunks).toString('utf8'),
    };
  };
  return within(answered(), { description: `the answer to ${method} ${target.slice(0, 80)}`, limit: ANSWER_LIMIT });
}
