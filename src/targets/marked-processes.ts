/**
 * Marked processes: all that a program has started, found by a variable of their environment even where they left its
 * group. Linux shows both; elsewhere nothing is found.
 */

import { readlinkSync } from 'node:fs';
import { namesIn, textOf } from '../common/process-files.ts';

/** The variable; its value tells one program from another. */
export const MARK = 'PLATEN_STARTED';

export function markedProcesses(value: string): readonly number[] {
  const isMarked = (pid: number): boolean => textOf(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${value}`);
  return namesIn('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isMarked(pid));
}

export function killMarked(value: string): void {
  for (const pid of markedProcesses(value)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone.
    }
  }
}

/** Whether none of their threads runs, or waits for a processor or a disk. */
export function areAsleep(pids: readonly number[]): boolean {
  return pids.every((pid) =>
    namesIn(`/proc/${pid}/task`).every((thread) => isAsleep(`/proc/${pid}/task/${thread}/stat`)),
  );
}

/** States of a thread, as Linux writes them. */
const BUSY: readonly string[] = ['R', 'D'];

/** The state follows the name of the program, which stands in brackets and may hold any. */
function isAsleep(file: string): boolean {
  const text = textOf(file);
  const at = text.lastIndexOf(')') + 2;
  return !BUSY.includes(text.slice(at, at + 1));
}

/** The state of a socket that takes connections, as Linux writes it. */
const LISTENS = '0A';

/** TCP ports that marked processes listen on. */
export function portsOfMarked(value: string): readonly number[] {
  const held = new Set(markedProcesses(value).flatMap(socketsOf));
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => textOf(file).split('\n').slice(1));
  const ports = lines.flatMap((line) => {
    const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/);
    return state === LISTENS && held.has(socket) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
  return [...new Set(ports)];
}

/** The sockets that a process holds, by their number. */
function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}

/** Nothing where it cannot be read: of another user, or gone. */
