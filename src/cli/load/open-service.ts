/**
 * Opens the service that a load is sent to: the one at the address, or a reference service of its own.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { systemClock } from '../../common/clock.ts';
import { createRandom } from '../../common/random.ts';
import { sumOf } from '../../common/sums.ts';
import type { LoadScenario } from '../../load/plan/load-scenario.ts';
import type { KillableService } from '../../load/room/chaos.ts';
import type { LinkKind, LoadTarget } from '../../load/shard/shard-messages.ts';
import type { Target } from '../../targets/target.ts';
import { findTarget, orClose, placeNamed, type TargetFlags } from '../options/open-target.ts';

export interface OpenService extends AsyncDisposable {
  readonly target: LoadTarget;
  /** The service, where it was started for the run. */
  readonly service: KillableService | undefined;
}

export type ServiceFlags = Pick<TargetFlags, 'key' | 'keysGiven' | 'link' | 'callbackHost' | 'target' | 'start'>;

/** @throws ActionableError when there is no service at the address */
export async function openService(
  scenario: LoadScenario,
  url: string | undefined,
  flags: ServiceFlags,
): Promise<OpenService> {
  if (placeNamed(url, flags) === undefined) return openOwnService(scenario);
  const service = await findTarget(url, flags, undefined, 'real');
  const { name, baseUrl, apiKey, client, linkName, callbackHost } = service;
  const isByProgram = client !== undefined && linkName === undefined;
  await orClose(service, refuseUnfit(isByProgram ? scenario : undefined, service));
  return {
    target: {
      name,
      baseUrl,
      apiKey,
      link: isByProgram ? { kind: 'client', ...client } : linkOf(linkName),
      callbackHost,
    },
    service: killable(service),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/** A service that was started for the run, and can be started again. */
function killable({ program }: Target): KillableService | undefined {
  return program && { kill: () => program.kill(), restart: () => program.restart() };
}

/** @param scenario - where client programs play its computers */
async function refuseUnfit(scenario: LoadScenario | undefined, service: Target): Promise<void> {
  const { ensureProgramsFit } = await import('../../load/plan/program-room.ts');
  const { refuseStoppedClock } = await import('../../conformance/run/stopped-clock.ts');
  if (scenario) ensureProgramsFit(scenario);
  if (!service.timekeeper.moved) await refuseStoppedClock(service, createRandom(systemClock.now()).hex(8));
}

/** The reference service in a process of its own; on a data file where the scenario kills it. */
async function openOwnService({ chaos, computers: templates }: LoadScenario): Promise<OpenService> {
  const { processTarget } = await import('../../targets/process.ts');
  const mustSurvive = chaos.some(({ what }) => what === 'service-killed');
  const folder = mustSurvive ? await mkdtemp(path.join(tmpdir(), 'platen-load-')) : undefined;
  const dataFile = folder === undefined ? {} : { dataFile: path.join(folder, 'service.db') };
  const computers = sumOf(templates, ({ count }) => count);
  const service = await processTarget({ limits: 'off', computers, ...dataFile });
  const { name, baseUrl, apiKey } = service;
  return {
    target: { name, baseUrl, apiKey, link: { kind: 'websocket' } },
    service,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function linkOf(link: string | undefined): LinkKind {
  if (link === undefined || link === 'websocket') return { kind: 'websocket' };
  return { kind: 'module', file: path.resolve(link) };
}
