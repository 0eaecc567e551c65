/**
 * The processes of a fleet, as a test starts, watches and kills them.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { soon } from '../../support/soon.ts';

const PROGRAM = fileURLToPath(new URL('fleet-process.ts', import.meta.url));

export interface ShardOutcome {
  readonly shard: number;
  /** Whether its record was handed in. */
  readonly whole: boolean;
  readonly finding: string;
}

/** A line that a process said. */
export interface Said {
  readonly atMs: number;
  readonly line?: string;
  readonly began?: number;
  readonly lateMs?: number;
  readonly stopped?: number;
  readonly ended?: boolean;
  readonly shard?: number;
  readonly progress?: { readonly nowMs: number };
  readonly ends?: readonly ShardOutcome[];
}

export class FleetProcess {
  readonly said: Said[] = [];
  readonly #child: ChildProcess;
  #errors = '';

  /** @param namespace - of the network it runs in; that of the test unless given */
  private constructor(argv: readonly string[], namespace?: string) {
    const command = [process.execPath, PROGRAM, ...argv];
    const [program = '', ...rest] = namespace === undefined ? command : ['ip', 'netns', 'exec', namespace, ...command];
    this.#child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stderr?.on('data', (data) => (this.#errors += String(data)));
    if (this.#child.stdout) {
      createInterface(this.#child.stdout).on('line', (line) => this.said.push(JSON.parse(line) as Said));
    }
  }

  static worker(url: string, name: string, namespace?: string): FleetProcess {
    return new FleetProcess(['worker', url, name], namespace);
  }

  /** One that takes part in run after run. */
  static lastingWorker(url: string, name: string): FleetProcess {
    return new FleetProcess(['stay', url, name]);
  }

  static coordinator(url: string, runId: string, workers: number, durationMs: number): FleetProcess {
    return new FleetProcess(['coordinate', url, runId, String(workers), String(durationMs)]);
  }

  static resumer(url: string, runId: string): FleetProcess {
    return new FleetProcess(['resume', url, runId]);
  }

  /** The first line that fits, once it was said. */
  heard(description: string, fits: (said: Said) => boolean): Promise<Said> {
    return soon(description, '30s', () => this.said.find(fits), {
      lastSeen: () => `${JSON.stringify(this.said.at(-1))} ${this.#errors}`,
    });
  }

  /** What became of the shards, as a coordinator tells it at its end. */
  async ends(): Promise<readonly ShardOutcome[]> {
    return (await this.heard('the end of the run', ({ ends }) => ends !== undefined)).ends ?? [];
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
