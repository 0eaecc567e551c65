/**
 * `platen worker` and `platen run --workers`, as processes that a test watches and kills.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { within } from '../../../src/common/waiter.ts';
import type { LoadRecord } from '../../../src/record/load-record.ts';
import { PROJECT } from '../../support/command-line.ts';
import type { Host } from './namespaces.ts';
import { soon } from '../../support/soon.ts';

const PLATEN = path.join(PROJECT, 'bin/platen.js');
export const SMALL_LOAD = path.join(PROJECT, 'test/distributed/support/small-load.yaml');

/** A command of platen under way. */
export class PlatenProcess {
  readonly #child: ChildProcess;
  #said = '';

  /** @param host - the one that it runs on; that of the test unless given */
  constructor(argv: readonly string[], host?: Host) {
    const command = [process.execPath, PLATEN, ...argv];
    const [program = '', ...rest] = host === undefined ? command : ['ip', 'netns', 'exec', host.namespace, ...command];
    this.#child = spawn(program, rest, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data) => (this.#said += String(data)));
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves once it said something that fits. */
  async heard(what: RegExp): Promise<RegExpExecArray> {
    return soon(
      `${this.#child.spawnargs.slice(2, 4).join(' ')} to say ${what.source}`,
      '60s',
      () => what.exec(this.#said) ?? undefined,
      { lastSeen: () => this.#said.slice(-500) },
    );
  }

  /** Its exit code, null when a signal ended it, and what it said until then. */
  async end(): Promise<{ readonly code: number | null; readonly said: string }> {
    return { code: await this.#code(), said: this.#said };
  }

  async #code(): Promise<number | null> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const ended = once(this.#child, 'exit');
    const [code] = await within(ended, {
      description: `an end after: ${this.#said.slice(-500)}`,
      limit: '90s',
    });
    return code as number | null;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#code();
  }
}

/** It waits longer for a coordinator than one that comes back takes to start on a busy machine. */
export function startWorker(natsUrl: string, name: string, host?: Host, extra: readonly string[] = []): PlatenProcess {
  const callback = host === undefined ? [] : ['--callback-host', host.address];
  const argv = ['worker', '--nats', natsUrl, '--name', name, '--once', '--lease', '20s', ...callback, ...extra];
  return new PlatenProcess(argv, host);
}

/** @param out - folder for the record; the small load unless another is given */
export function startRun(
  {
    url,
    natsUrl,
    workers,
    out,
    file = SMALL_LOAD,
  }: { url: string; natsUrl: string; workers: number; out: string; file?: string },
  extra: readonly string[] = [],
): PlatenProcess {
  const fleet = ['--nats', natsUrl, '--workers', String(workers), '--lease', '10s'];
  return new PlatenProcess(['run', file, url, ...fleet, '--no-calibration', '--out', out, ...extra]);
}

export function recordIn(out: string): LoadRecord {
  const file = path.join(out, 'run.json');
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  return JSON.parse(readFileSync(file, 'utf8')) as LoadRecord;
}
