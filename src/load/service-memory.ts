/**
 * Service memory: what the process of a service on this machine holds, second by second, where Linux shows it.
 *
 *   address ─► port ─► /proc/net/tcp: the socket that listens ─► the process that has it ─► /proc/PID/status
 */

import { readlinkSync } from 'node:fs';

import { systemClock } from '../common/clock.ts';
import { isLoopback } from '../common/loopback.ts';
import { namesIn, textOf } from '../common/process-files.ts';

const LISTENS = '0A';
const EVERY_MS = 1_000;
const KIBIBYTE = 1_024;

export interface MemoryWatch {
  /** Bytes, from the start on; undefined where they could not be seen. */
  readonly end: () => readonly number[] | undefined;
}

/** Several processes that share a port, or another machine: nothing is seen. */
export function watchServiceMemory(baseUrl: string): MemoryWatch {
  const pid = isLoopback(baseUrl) ? processAt(baseUrl) : undefined;
  if (pid === undefined) return { end: () => undefined };
  const seen: number[] = [];
  const look = (): void => {
    const bytes = residentBytes(pid);
    if (bytes !== undefined) seen.push(bytes);
  };
  look();
  const beat = systemClock.beat(EVERY_MS, look);
  return {
    end: () => {
      beat.cancel();
      return seen;
    },
  };
}

function processAt(baseUrl: string): string | undefined {
  const { port, protocol } = new URL(baseUrl);
  const sockets = listeningAt(Number(port || (protocol === 'https:' ? 443 : 80)));
  if (sockets.size === 0) return undefined;
  const found = namesIn('/proc').filter((name) => /^\d+$/.test(name) && hasSocket(name, sockets));
  return found.length === 1 ? found[0] : undefined;
}

/** As `socket:[inode]`. */
function listeningAt(port: number): ReadonlySet<string> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => textOf(table).split('\n').slice(1));
  const found = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(ending) && state === LISTENS)
    .map((columns) => `socket:[${columns[9] ?? ''}]`);
  return new Set(found);
}

function hasSocket(pid: string, sockets: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).some((name) => {
    try {
      return sockets.has(readlinkSync(`${folder}/${name}`));
    } catch {
      return false;
    }
  });
}

function residentBytes(pid: string): number | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * KIBIBYTE;
}
