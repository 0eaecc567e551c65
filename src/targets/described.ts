/**
 * Described target: a service by its descriptor file, after the preflight.
 */

import path from 'node:path';

import { ActionableError } from '../common/actionable-error.ts';
import { durationMs } from '../common/duration.ts';
import { formatProblem } from '../common/problem.ts';
import { readTextFile } from '../common/given-file.ts';
import type { DeviceLink } from '../link/device-link.ts';
import type { ClientLink } from './client/client-link.ts';
import { printerNamed } from './account-printer.ts';
import {
  readDescriptor,
  type ClientDescription,
  type Declarable,
  type ImageDescription,
  type KeysGiven,
  type StartDescription,
  type TargetDescriptor,
} from './descriptor.ts';
import { createHook, type Hook } from './hook.ts';
import { MovedClock } from './moved-clock.ts';
import { openLink } from './open-link.ts';
import { remoteTarget, type RemoteTargetOptions } from './remote.ts';
import type { StartedTargetOptions } from './started.ts';
import { ServiceClient } from './service-client.ts';
import { capabilitiesOf, type Target } from './target.ts';

export interface DescribedTargetOptions {
  /** Path of the descriptor. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Wins over the address in the file. */
  readonly url?: string | undefined;
  /** Wins over the command in the file that starts the service. */
  readonly start?: string | undefined;
  /** Wins over that in the file. */
  readonly clock?: 'real' | undefined;
  /** Wins over the image in the file. */
  readonly image?: Partial<ImageDescription> | undefined;
  /** Win over the keys in the file. */
  readonly keys?: KeysGiven | undefined;
  /** Wins over the host in the file. */
  readonly callbackHost?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** By how much the clock of a service is moved to try the hook that moves it. */
const TRIAL_MS = 1;

/**
 * A target from a descriptor file.
 *
 * @throws ActionableError of kind usage with every problem of the file, else as remoteTarget does
 */
export async function describedTarget(options: DescribedTargetOptions): Promise<Target> {
  const { file } = options;
  const descriptor = await readFileOf(options);
  const folder = path.dirname(path.resolve(file));
  const { keys, rate, callback, waits, tolerance, hooks = {}, capabilities = {} } = descriptor;
  const linkName = linkNameOf(descriptor, folder);
  const client = descriptor.client && (await openClient(descriptor.client, folder));
  const reset = async (url: string): Promise<void> => {
    if (hooks.reset) await createHook('reset', hooks.reset, { folder, url })(0);
  };
  let advance: Hook | undefined;
  const moved = hooks.advanceClock && new MovedClock(async (ms) => advance?.(ms));
  const target = await openDescribed(originOf(descriptor, options, moved !== undefined), reset, {
    apiKey: keys.main,
    secondApiKey: keys.second,
    integratorApiKey: keys.integrator,
    requestsPerSecond: rate?.requestsPerSecond,
    callbackHost: options.callbackHost ?? callback?.host,
    isIntegrator: capabilities.integrator,
  });
  const close = async (): Promise<void> => {
    moved?.close();
    await client?.program.close();
    await target.close();
  };
  const prepare = async (): Promise<DeviceLink | undefined> => {
    await (client ? prove(client, target) : ensurePrinter(descriptor.use?.printer, target));
    advance = hooks.advanceClock && createHook('advanceClock', hooks.advanceClock, { folder, url: target.baseUrl });
    // A hook that does not work is better known now than by the checks that cannot be judged then.
    await moved?.timekeeper.elapse(TRIAL_MS);
    // A hook wins over what moves the time of a service that was started.
    return linkName === undefined
      ? client
      : openLink(linkName, moved?.clock ?? (target.timekeeper.moved && target.clock));
  };
  const link = await prepare().catch((error: unknown) => close().then(() => Promise.reject(error as Error)));
  const restart = hooks.restart && createHook('restart', hooks.restart, { folder, url: target.baseUrl });
  const declared = Object.entries(capabilities) as readonly (readonly [Declarable, boolean])[];
  return {
    ...target,
    link,
    linkName,
    client: descriptor.client && { client: descriptor.client, cwd: folder },
    waitsMs: waits === undefined ? undefined : durationMs(waits),
    toleranceMs: tolerance === undefined ? undefined : durationMs(tolerance),
    dialect: descriptor.dialect,
    usePrinter: descriptor.use && String(descriptor.use.printer),
    absent: declared.filter(([, isThere]) => !isThere).map(([name]) => name),
    contradictions: contradictionsOf(target, declared),
    ...(restart && { restart: () => restart(0) }),
    ...(moved && { clock: moved.clock, timekeeper: moved.timekeeper }),
    close,
  };
}

/** @throws ActionableError when the account has no printer of this name or id */
async function ensurePrinter(wanted: string | number | undefined, target: Target): Promise<void> {
  if (wanted === undefined) return;
  const client = new ServiceClient({ ...target, isPatient: true });
  try {
    const printers = await client.listAll('/printers').catch(unlessActionable);
    // A list that cannot be read is for the checks to report.
    if (!printers) return;
    if (printerNamed(printers, String(wanted))) return;
    const names = [...new Set(printers.map(({ name }) => `'${String(name)}'`))];
    throw new ActionableError(
      'usage',
      `use: the account has no printer '${wanted}'`,
      names.length === 0 ? 'It has none: connect a computer that has one.' : `It has ${names.join(', ')}.`,
    );
  } finally {
    await client.close();
  }
}

function unlessActionable(error: unknown): undefined {
  if (!(error instanceof ActionableError)) throw error;
}

type Origin =
  | { readonly url: string }
  | { readonly image: ImageDescription; readonly signal: AbortSignal | undefined }
  | (Pick<StartedTargetOptions, 'url' | 'clock' | 'cwd' | 'signal'> & { readonly start: StartDescription });

/** Where the service is: what the command line says wins, then a command in the file, then an image. */
function originOf(descriptor: TargetDescriptor, options: DescribedTargetOptions, hasHook: boolean): Origin {
  const { file, url, start: command, image, signal } = options;
  const start = command === undefined ? descriptor.start : { ...descriptor.start, command };
  if (start !== undefined && image?.name === undefined && (command !== undefined || url === undefined)) {
    const cwd = command === undefined ? path.dirname(path.resolve(file)) : process.cwd();
    return {
      start,
      url: url ?? descriptor.url,
      clock: hasHook ? 'real' : (options.clock ?? descriptor.clock),
      cwd,
      signal,
    };
  }
  if (url !== undefined) return { url };
  const { name, ...rest } = { ...descriptor.image, ...image };
  if (name !== undefined) return { image: { name, ...rest }, signal };
  if (rest.port !== undefined || descriptor.url === undefined) {
    throw new ActionableError('usage', `${file} names no image`, 'Name one there, or with --image NAME.');
  }
  return { url: descriptor.url };
}

async function openDescribed(
  place: Origin,
  reset: (url: string) => Promise<void>,
  access: Omit<RemoteTargetOptions, 'url' | 'link'>,
): Promise<Target> {
  // Loaded when needed: few targets are started.
  if ('start' in place) {
    const { startedTarget } = await import('./started.ts');
    return startedTarget({ ...access, ...place, prepare: reset });
  }
  if ('url' in place) {
    await reset(place.url.replace(/\/+$/, ''));
    return remoteTarget({ ...access, ...place });
  }
  // Loaded when needed: few targets are images.
  const { containerTarget } = await import('./container.ts');
  return containerTarget({ ...access, ...place, prepare: reset });
}

// Loaded when needed: few targets have a client program.
async function openClient(client: ClientDescription, cwd: string): Promise<ClientLink> {
  const { clientLink } = await import('./client/client-link.ts');
  return clientLink({ client, cwd });
}

async function prove(link: ClientLink, { baseUrl, apiKey }: Target): Promise<void> {
  const { tryClient } = await import('./client/client-link.ts');
  await tryClient(link, baseUrl, apiKey);
}

async function readFileOf({ file, environment, keys }: DescribedTargetOptions): Promise<TargetDescriptor> {
  const read = readDescriptor(await readTextFile(file, 'Name a target descriptor.'), environment, keys);
  if (read.ok) return read.value;
  throw new ActionableError(
    'usage',
    read.error.map((problem) => formatProblem(file, problem)),
    'docs/target.md describes target descriptors.',
  );
}

function linkNameOf({ link }: TargetDescriptor, folder: string): string | undefined {
  return typeof link === 'object' ? path.resolve(folder, link.module) : link;
}

/** What is declared of the target, and the capability that shows it. */
const FOUND_BY: Readonly<Partial<Record<Declarable, ReturnType<typeof capabilitiesOf>[number]>>> = {
  computer: 'link',
  'second-account': 'second-account',
  integrator: 'integrator',
  'child-account': 'child-account',
};

function contradictionsOf(target: Target, declared: readonly (readonly [Declarable, boolean])[]): readonly string[] {
  const brings = capabilitiesOf(target);
  return declared.flatMap(([name, isDeclared]) => {
    const capability = FOUND_BY[name];
    if (capability === undefined || brings.includes(capability) === isDeclared) return [];
    return isDeclared
      ? [`${name} is declared, and the target was found to lack it`]
      : [`${name} is declared to be missing, and the target was found to have it`];
  });
}
