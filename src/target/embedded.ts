/**
 * Embedded target: the reference service in this process, on a virtual clock unless real time is asked for,
 * with nothing in its room. It is reached over a real port, as any other target.
 */

import { mkdtemp, rm } from 'node:fs/promises';
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
}

/** Starts the reference service as a target; `close` ends it. @throws ActionableError as `start` does */
export async function embeddedTarget(options: EmbeddedTargetOptions = {}): Promise<Target> {
  const virtual = options.clock === 'real' ? undefined : new VirtualClock();
  const clock: Clock = virtual ?? systemClock;
  const timekeeper: Timekeeper = virtual ? virtualTimekeeper(virtual) : realTimekeeper;
  const folder = options.isRestartable ? await mkdtemp(path.join(tmpdir(), 'platen-service-')) : undefined;
  const dataFile = folder && path.join(folder, 'service.db');
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
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
