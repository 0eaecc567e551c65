/**
 * Starts a planted service as a process of its own, and meets it as explore meets any service.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../../src/common/clock.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { remoteTarget } from '../../src/targets/remote.ts';
import type { Target } from '../../src/targets/target.ts';
import type { PlantedReply } from './planted-service.ts';

const SERVICE = fileURLToPath(new URL('planted-service.ts', import.meta.url));

export interface Planted extends PlantedReply, Disposable {}

/** @param mutants - names of what is broken */
export async function startPlanted(mutants: readonly string[]): Promise<Planted> {
  const child = fork(SERVICE, mutants, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [reply] = (await once(child, 'message')) as [PlantedReply];
  return { ...reply, [Symbol.dispose]: () => child.disconnect() };
}

export async function targetOf({ url, apiKey, secondApiKey }: PlantedReply): Promise<Target> {
  const link = webSocketLink({ clock: systemClock });
  return { ...(await remoteTarget({ url, apiKey, secondApiKey, link })), linkName: 'websocket' };
}
