/**
 * Process target: the reference service in a process of its own, on a data file, so that it can be killed
 * as a power cut kills it, and come back to what it had promised.
 *
 *   processTarget ─► child ── kill (SIGKILL) ──► gone ── restart: same port, same file ──► child
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { ActionableError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { parseAs } from '../common/json-value.ts';
import { nodeFlagsFor } from '../common/node-flags.ts';
import { siblingModule } from '../common/sibling-module.ts';
import { realTimekeeper } from '../common/timekeeper.ts';
import { within } from '../common/waiter.ts';
import { webSocketLink } from '../link/websocket-link.ts';
import type { Target } from './target.ts';

export interface ProcessTargetOptions {
  /** What the service leaves to chance follows from it. */
  readonly seed?: number | string;
  /** Without it the service forgets everything when it is killed. */
  readonly dataFile?: string;
  /** `off` counts no requests; `spec` by default. */
  readonly limits?: 'spec' | 'off';
  /** How many are to connect; few unless given. */
  readonly computers?: number;
}

/** A target that can be killed and started again. Its address stays the same. */
export interface ProcessTarget extends Target {
  /** Ends the service at once, with SIGKILL; does nothing when it is down. */
  kill(): Promise<void>;
  /** Starts it again; resolves when it answers. @throws ActionableError when it does not start */
  restart(): Promise<void>;
}

/** What the child prints once it is ready. */
const readySchema = z.object({ url: z.string(), apiKey: z.string(), secondApiKey: z.string() });
type Ready = z.infer<typeof readySchema>;

/**
 * A small young generation: at 500 jobs a second, to collect it stops the service for about a millisecond, some ten
 * times a second. One of the default size stops it for about ten milliseconds, once a second.
 */
const BUSY_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4'];

const START_LIMIT_MS = 30_000;
const END_LIMIT_MS = 5_000;

/** Starts the reference service as a process. @throws ActionableError when it does not start */
export async function processTarget(options: ProcessTargetOptions = {}): Promise<ProcessTarget> {
  const first = await startChild({ ...options, port: 0 });
  const { url, apiKey, secondApiKey } = first.ready;
  const port = Number(new URL(url).port);
  let child = first.child;
  // One after the other: a service that is being started is killed once it runs, and never runs twice.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const kill = (): Promise<void> => inTurn(() => endChild(child));
  return {
    name: 'reference service, in a process of its own',
    kind: 'embedded',
    baseUrl: url,
    apiKey,
    secondApiKey,
    isIntegrator: true,
    isDisposable: true,
    clock: systemClock,
    timekeeper: realTimekeeper,
    link: webSocketLink({ clock: systemClock }),
    kill,
    restart: () =>
      inTurn(async () => {
        await endChild(child);
        ({ child } = await startChild({ ...options, port }));
      }),
    close: () => inTurn(() => letEnd(child)),
  };
}

async function startChild({
  computers = 0,
  ...options
}: ProcessTargetOptions & { readonly port: number }): Promise<{ readonly child: ChildProcess; readonly ready: Ready }> {
  const module = fileURLToPath(siblingModule(import.meta.url, 'process-child'));
  const flags = nodeFlagsFor(computers, BUSY_NODE_FLAGS);
  const child = spawn(process.execPath, [...flags, module, JSON.stringify(options)], {
    // Its input says nothing: it ends with this process, however that ends, and takes the service with it.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    return { child, ready: await readyLine(child) };
  } catch (error) {
    await endChild(child);
    throw new ActionableError(
      'harness',
      `the reference service did not start as a process: ${messageOf(error)}`,
      'Look at what it printed above.',
      { cause: error },
    );
  }
}

async function readyLine(child: ChildProcess): Promise<Ready> {
  if (!child.stdout) throw new Error('it has no output');
  const line = once(createInterface({ input: child.stdout }), 'line');
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`it ended with ${code}`)));
  ended.catch(() => undefined);
  const [text] = (await within(Promise.race([line, ended]), {
    description: 'the first line of the service',
    limit: START_LIMIT_MS,
  })) as [string];
  const ready = parseAs(readySchema, text);
  if (!ready.ok) throw new Error(`it printed ${JSON.stringify(text)}: ${ready.error}`);
  return ready.value;
}

/** Closes its input, at which it stops in good order; kills it if it does not. */
async function letEnd(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await within(exited, { description: 'the service to end', limit: END_LIMIT_MS }).catch(() => endChild(child));
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
