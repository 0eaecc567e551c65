/**
 * Services by strangers: written in other languages from the documents alone. Each is started as a process, says in a
 * file where it is and which keys it has, and is then a target like any other, by its descriptor.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { keysOf } from '../../src/common/keys-of.ts';
import { realTimekeeper } from '../../src/common/timekeeper.ts';
import { eventually, within } from '../../src/common/waiter.ts';
import { describedTarget } from '../../src/targets/described.ts';
import type { Target } from '../../src/targets/target.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

interface StrangerProgram {
  /** Makes it ready in this folder, and returns the command that starts it. */
  readonly prepare: (folder: string) => readonly [program: string, ...argv: string[]];
}

const PROGRAMS = {
  python: {
    prepare: () => ['python3', path.join(HERE, 'python', 'service.py'), '--clock-control', '--ready-file'],
  },
  go: {
    prepare(folder) {
      const program = path.join(folder, 'service');
      const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], { cwd: path.join(HERE, 'go') });
      if (status !== 0) throw new Error(`go build: ${String(stderr)}`);
      return [program, '-clock-control', '-ready-file'];
    },
  },
} as const satisfies Readonly<Record<string, StrangerProgram>>;

export type Stranger = keyof typeof PROGRAMS;

export const STRANGERS = keysOf(PROGRAMS);

const readySchema = z.object({
  url: z.string(),
  apiKey: z.string(),
  secondApiKey: z.string(),
  singleApiKey: z.string(),
});

/** A service that runs, and what a descriptor needs to know of it. */
export interface RunningStranger {
  readonly url: string;
  readonly apiKey: string;
  /** The key of another Integrator Account, and of a Single Account. */
  readonly secondApiKey: string;
  readonly singleApiKey: string;
  readonly close: () => Promise<void>;
}

/** Starts the service as a process. */
export async function startProgram(stranger: Stranger): Promise<RunningStranger> {
  const folder = mkdtempSync(path.join(tmpdir(), `platen-stranger-${stranger}-`));
  const ready = path.join(folder, 'ready.json');
  const [program, ...argv] = PROGRAMS[stranger].prepare(folder);
  const child = spawn(program, [...argv, ready], { stdio: ['ignore', 'ignore', 'inherit'] });
  const close = async (): Promise<void> => {
    await endOf(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually({
      description: `the service in ${stranger}`,
      limit: '10s',
      timekeeper: realTimekeeper,
      probe: () => existsSync(ready) || undefined,
    });
    return { ...readySchema.parse(JSON.parse(readFileSync(ready, 'utf8'))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the service and opens it by its descriptor. */
export async function startStranger(stranger: Stranger): Promise<Target & AsyncDisposable> {
  const { url, apiKey, secondApiKey, singleApiKey, close } = await startProgram(stranger);
  try {
    const target = await describedTarget({
      file: path.join(HERE, `${stranger}.yaml`),
      environment: {
        STRANGER_URL: url,
        STRANGER_KEY: apiKey,
        STRANGER_SECOND_KEY: secondApiKey,
        STRANGER_SINGLE_KEY: singleApiKey,
      },
    });
    return {
      ...target,
      async [Symbol.asyncDispose]() {
        await target.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await within(exited, { description: 'the service to end', limit: '5s' }).catch(() => child.kill('SIGKILL'));
}
