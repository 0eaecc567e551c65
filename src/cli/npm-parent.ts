/**
 * The npm or npx that started this process. npm does not hand SIGTERM on to what it runs: a workbench that is started
 * with npx has to see by itself that npx is gone.
 *
 *   npx ─► sh -c 'platen start' ─► this process        (Linux; elsewhere only the parent itself is watched)
 */

import { readFileSync } from 'node:fs';

import { systemClock } from '../common/clock.ts';

const LOOK_EVERY_MS = 500;
/** npm, a shell, and perhaps a shell of the shell. */
const MOST_ANCESTORS = 3;
/** Bit of SIGINT in the masks of /proc: what a shell puts into the background ignores it. */
const SIGINT_BIT = 2n;

export interface ProcessFacts {
  readonly parent: number;
  readonly group: number;
  readonly commandLine: string;
  readonly ignoresInterrupts: boolean;
}

/** Calls back when the npm that started this process is gone; never when npm did not start it. */
export function onNpmGone(gone: () => void): void {
  const npm = startedByNpm() ? npmAbove() : undefined;
  if (npm === undefined) return;
  const watch = systemClock.beat(LOOK_EVERY_MS, () => {
    if (isAlive(npm)) return;
    watch.cancel();
    gone();
  });
}

function startedByNpm(): boolean {
  return (process.env['npm_execpath'] ?? process.env['npm_lifecycle_event']) !== undefined;
}

function npmAbove(): number | undefined {
  return factsOf(process.pid) === undefined ? process.ppid : npmAncestor(process.pid, factsOf);
}

/** Undefined when there is no npm above, and when this process was detached from it on purpose. */
export function npmAncestor(own: number, facts: (pid: number) => ProcessFacts | undefined): number | undefined {
  const self = facts(own);
  if (self === undefined || self.group === own || self.ignoresInterrupts) return undefined;
  let pid = self.parent;
  for (let step = 0; step < MOST_ANCESTORS; step++) {
    const ancestor = facts(pid);
    if (ancestor === undefined) return undefined;
    if (/\bnp[mx]\b/.test(ancestor.commandLine)) return pid;
    pid = ancestor.parent;
  }
  return undefined;
}

/** As Linux reports them; undefined elsewhere, and of processes that are gone. */
function factsOf(pid: number): ProcessFacts | undefined {
  try {
    const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
    // The name, in parentheses, may contain anything.
    const [, parent, group] = read('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ignored = /^SigIgn:\s*([0-9a-f]+)/m.exec(read('status'))?.[1] ?? '0';
    return {
      parent: Number(parent),
      group: Number(group),
      commandLine: read('cmdline').replaceAll('\0', ' '),
      ignoresInterrupts: (BigInt(`0x${ignored}`) & SIGINT_BIT) !== 0n,
    };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
