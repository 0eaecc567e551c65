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
import { err } from '../screen/terminal.ts';

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
  const { name, baseUrl, apiKey, callbackHost, usePrinter } = service;
  const link = linkOf(service);
  const meeting = refuseUnfit(scenario, link, service).then(() => meet(scenario, service));
  const jobMessages = await orClose(service, meeting);
  return {
    target: { name, baseUrl, apiKey, link, callbackHost, jobMessages, ...(link.kind === 'none' && { usePrinter }) },
    service: killable(service),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/** A service that was started for the run, and can be started again. */
function killable({ program }: Target): KillableService | undefined {
  return program && { kill: () => program.kill(), restart: () => program.restart() };
}

async function refuseUnfit(scenario: LoadScenario, link: LinkKind, service: Target): Promise<void> {
  const { ensureProgramsFit, ensureSeen } = await import('../../load/plan/fitting-room.ts');
  const { refuseStoppedClock } = await import('../../conformance/run/stopped-clock.ts');
  if (link.kind === 'client') ensureProgramsFit(scenario);
  if (link.kind === 'none') ensureSeen(scenario, service.usePrinter);
  if (!service.timekeeper.moved) await refuseStoppedClock(service, runTag());
}

/** Says what will not be seen. @returns how the service spells the type of events of jobs, where that is asked */
async function meet({ webhooks }: LoadScenario, service: Target): Promise<string | undefined> {
  const { unseenOn } = await import('../../scenario/setup/sight.ts');
  const unseen = unseenOn(service);
  if (unseen !== undefined) err(unseen);
  if (webhooks === null) return undefined;
  const { acquaint } = await import('../../conformance/run/acquaintance.ts');
  const { dialect, problems } = await acquaint(service, ['message-types'], runTag());
  for (const problem of problems) err(problem);
  return dialect['message-types']?.['print job state'];
}

function runTag(): string {
  return createRandom(systemClock.now()).hex(8);
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

function linkOf({ client, linkName, link }: Target): LinkKind {
  if (linkName === 'websocket') return { kind: 'websocket' };
  if (linkName !== undefined) return { kind: 'module', file: path.resolve(linkName) };
  return client && link ? { kind: 'client', ...client } : { kind: 'none' };
}
