/**
 * Embedded target: the reference service in this process, on a virtual clock unless real time is asked for,
 * with nothing in its room. It is reached over a real port, as any other target.
 */

import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { systemClock, type Clock } from '../common/clock.ts';
import { realTimekeeper, virtualTimekeeper, type Timekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';
import { webSocketLink } from '../link/websocket-link.ts';
import { start } from '../workbench/start.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Target } from './target.ts';

export interface EmbeddedTargetOptions {
  /** What the service leaves to chance follows from it. */
  readonly seed?: number | string | undefined;
  /** `virtual` unless given. */
  readonly clock?: 'virtual' | 'real' | undefined;
  /** Everything is kept in a file while it runs, which costs time: a service in memory cannot be restarted. */
  readonly isRestartable?: boolean | undefined;
  /** Begins the name of the folder of that file: another process can remove it if this one is killed. */
  readonly dataName?: string | undefined;
}

/** Files that Linux keeps in memory: a service that is killed in play alone needs no disk. */
const MEMORY_FOLDER = '/dev/shm';
/** Several times what is written in a scenario; some containers have less. */
const ENOUGH_BYTES = 32 * 1024 * 1024;
const DATA_NAME = 'platen-service';

interface DataFolder {
  readonly file: string;
  remove(): void;
}

/** It goes with the process at the latest. */
function makeDataFolder(name: string): DataFolder {
  const folder = mkdtempSync(path.join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), `${name}-`));
  const removeAll = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAll);
  return {
    file: path.join(folder, 'service.db'),
    remove() {
      process.off('exit', removeAll);
      removeAll();
    },
  };
}

/** A name that no other process gives to its data. */
export function newDataName(): string {
  return `${DATA_NAME}-${randomBytes(8).toString('hex')}`;
}

/** Removes what services of that `dataName` have left. */
export function removeDataOf(dataName: string): void {
  for (const place of [MEMORY_FOLDER, tmpdir()].filter((one) => existsSync(one))) {
    const left = readdirSync(place).filter((name) => name.startsWith(`${dataName}-`));
    for (const name of left) rmSync(path.join(place, name), { recursive: true, force: true });
  }
}

function hasMemoryFolder(): boolean {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Starts the reference service as a target; `close` ends it. @throws ActionableError as `start` does */
export async function embeddedTarget(options: EmbeddedTargetOptions = {}): Promise<Target> {
  const virtual = options.clock === 'real' ? undefined : new VirtualClock();
  const clock: Clock = virtual ?? systemClock;
  const timekeeper: Timekeeper = virtual ? virtualTimekeeper(virtual) : realTimekeeper;
  const folder = options.isRestartable ? makeDataFolder(options.dataName ?? DATA_NAME) : undefined;
  const dataFile = folder?.file;
  const workbench = await start({ port: 0, clock: virtual ?? 'real', room: 'none', seed: options.seed, dataFile });
  return {
    name: 'reference service',
    kind: 'embedded',
    baseUrl: workbench.url,
    apiKey: workbench.apiKey,
    secondApiKey: workbench.secondApiKey,
    isIntegrator: true,
    isDisposable: true,
    clock,
    requestsPerSecond: DEFAULT_REQUESTS_PER_SECOND,
    timekeeper,
    link: webSocketLink({ clock }),
    ...(folder !== undefined && { restart: async () => workbench.restartService() }),
    async close() {
      await workbench.close();
      folder?.remove();
    },
  };
}
