/**
 * Called commands: the command line in a process that stays, since one of its own takes half a second before it begins.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { within } from '../../src/common/waiter.ts';
import { cleanEnvironment } from '../support/command-line.ts';

export interface Called {
  readonly code: number;
  /** What it wrote to standard output and to standard error. */
  readonly text: string;
}

export interface CommandCall {
  readonly argv: readonly string[];
  readonly cwd: string;
}

interface Callee {
  readonly child: ChildProcess;
  readonly ended: Promise<readonly [Called]>;
}

let callee: Callee | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Calls the command line, one call after the other. */
export function called(call: CommandCall): Promise<Called> {
  const next = last.then(() => callNow(call));
  last = next.catch(() => undefined);
  return next;
}

async function callNow(call: CommandCall): Promise<Called> {
  const { child, ended } = (callee ??= startCallee());
  child.send(call);
  const description = `the end of platen ${call.argv.join(' ')}`;
  const [answer] = await within(Promise.race([once(child, 'message'), ended]), { description, limit: '60s' });
  // Who listens holds the channel, and with it this process.
  child.channel?.unref();
  return answer as Called;
}

function startCallee(): Callee {
  const child = fork(new URL('command-process.ts', import.meta.url), {
    env: cleanEnvironment({ PLATEN_API_KEY: 'key-of-the-caller' }),
  });
  // It ends with this process, which it must not keep.
  child.unref();
  child.channel?.unref();
  const ended = once(child, 'exit').then(([code]) => {
    callee = undefined;
    return [{ code: Number(code), text: 'the process ended' }] as const;
  });
  return { child, ended };
}
