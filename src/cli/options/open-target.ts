/**
 * The service under test that the command line names.
 */

import path from 'node:path';

import { Option, type Command } from 'commander';

import { usageError } from '../../common/actionable-error.ts';
import { systemClock } from '../../common/clock.ts';
import { isLoopback } from '../../common/loopback.ts';
import { createRandom } from '../../common/random.ts';
import type { MovedTimeTrial } from '../../conformance/run/moved-time-trial.ts';
import type { DeviceLink } from '../../link/device-link.ts';
import type { PlayedGiven } from '../../record/fields.ts';
import { lastingLinkName, openLink } from '../../targets/open-link.ts';
import type { ImageDescription, KeysGiven } from '../../targets/descriptor.ts';
import type { RemoteTargetOptions } from '../../targets/remote.ts';
import type { GivenKey, GivenTarget, Target } from '../../targets/target.ts';
import { err } from '../screen/terminal.ts';
import { callbackHostOption, keyOption, linkOption, portNumber, startOption, targetOption } from './option-values.ts';

export interface TargetFlags {
  readonly key: string;
  readonly secondKey?: string;
  readonly link?: string | undefined;
  readonly integratorKey?: string;
  readonly callbackHost?: string;
  readonly target?: string | undefined;
  /** On the command line itself: these win over a descriptor, which wins over the environment. */
  readonly keysGiven?: KeysGiven | undefined;
  readonly start?: string | undefined;
  readonly image?: string | undefined;
  readonly imagePort?: number;
  readonly allowWrites?: true;
  readonly seed?: number | string | undefined;
}

export function addTargetOptions(command: Command): Command {
  return addTargetOption(command)
    .addOption(keyOption())
    .addOption(
      new Option('--second-key <key>', 'API key of another account, to check that accounts are isolated').env(
        'PLATEN_SECOND_API_KEY',
      ),
    )
    .addOption(
      new Option('--integrator-key <key>', 'API key of an Integrator Account, if --key is not one').env(
        'PLATEN_INTEGRATOR_API_KEY',
      ),
    )
    .addOption(linkOption())
    .addOption(callbackHostOption())
    .option('--image <name>', 'image of the service, to start in a container for the run')
    .option('--image-port <port>', 'port it listens on (default: the one that the image exposes)', portNumber)
    .option('--allow-writes', 'allow changes on a service that runs on another machine');
}

const KEY_OPTIONS = { main: 'key', second: 'secondKey', integrator: 'integratorKey' } as const;

/** Adds `--target`, and notes which keys stand on the command line beside it. */
export function addTargetOption(command: Command): Command {
  return command
    .addOption(targetOption())
    .addOption(startOption())
    .hook('preAction', (_, action) => {
      const given = Object.entries(KEY_OPTIONS).filter(([, option]) => action.getOptionValueSource(option) === 'cli');
      const keysGiven = Object.fromEntries(
        given.map(([name, option]) => [name, String(action.getOptionValue(option))]),
      );
      action.setOptionValue('keysGiven', keysGiven);
    });
}

/**
 * The target: of a descriptor, at an address, from an image, or the reference service.
 *
 * @param signal - cancels the start of an image
 * @throws ActionableError when it cannot be opened, or the reason of the signal
 */
export async function openTarget(url: string | undefined, flags: TargetFlags, signal: AbortSignal): Promise<Target> {
  refuseContradictions(url, flags);
  const target = await findTarget(url, flags, signal, 'moved-in-part');
  const isOurs = isLoopback(target.baseUrl) || target.isDisposable === true;
  const unusedPrinter = await unusedPrinterOf(target);
  return { ...target, unusedPrinter, given: givenBy(url, flags), isReadOnly: !isOurs && flags.allowWrites !== true };
}

/** The name of a printer that a descriptor could let checks use. */
async function unusedPrinterOf(target: Target): Promise<string | undefined> {
  const hasWay = target.link !== undefined || target.usePrinter !== undefined || target.absent?.includes('computer');
  if (hasWay) return undefined;
  const { printerOf } = await import('../../targets/account-printer.ts');
  return orClose(target, printerOf(target));
}

function givenBy(url: string | undefined, flags: TargetFlags): GivenTarget {
  const { target, start, image, link, imagePort, callbackHost, allowWrites, keysGiven } = flags;
  const { secondKey, integratorKey } =
    target === undefined
      ? flags
      : {
          secondKey: keysGiven?.second,
          integratorKey: keysGiven?.integrator,
        };
  const keys: readonly (readonly [GivenKey, string | undefined])[] = [
    ['second', secondKey],
    ['integrator', integratorKey],
  ];
  return {
    ...(target !== undefined && {
      descriptor: path.resolve(target),
      ...(url !== undefined && { url }),
      ...(image !== undefined && { image }),
      ...(link !== undefined && { link: givenLink(link) }),
    }),
    ...startGiven(url, start),
    ...(imagePort !== undefined && { imagePort }),
    ...(callbackHost !== undefined && { callbackHost }),
    ...(allowWrites && { allowWrites }),
    keys: keys.flatMap(([name, key]) => (key === undefined ? [] : [name])),
  };
}

/** The same of commands that play scenarios, which take less. */
export function playedGiven(url: string | undefined, { target, start, link, callbackHost }: TargetFlags): PlayedGiven {
  return {
    ...(target !== undefined && { descriptor: target, ...(url !== undefined && { url }) }),
    ...startGiven(url, start),
    ...(link !== undefined && { link: givenLink(link) }),
    ...(callbackHost !== undefined && { callbackHost }),
  };
}

/** With the address at which it listens, if that was said. */
function startGiven(url: string | undefined, start: string | undefined): Pick<GivenTarget, 'start' | 'url'> {
  if (start === undefined) return {};
  return { start, ...(url !== undefined && { url }) };
}

/** What the command line names, or undefined: then it is the reference service. */
export function placeNamed(
  url: string | undefined,
  { target, start, image }: Pick<TargetFlags, 'target' | 'start' | 'image'>,
): string | undefined {
  return start ?? url ?? target ?? image;
}

/** Tells how a service ended that platen started, if it did so by itself. */
export function tellLost({ program }: Pick<Target, 'program'>): void {
  const [end = '', ...lines] = program?.lost ?? [];
  if (end !== '') err([`The service ended by itself: ${end}.`, ...lines]);
}

function givenLink(link: string): string {
  return link === NO_LINK ? link : lastingLinkName(link);
}

function refuseContradictions(url: string | undefined, { image, imagePort, start, target }: TargetFlags): void {
  if (start !== undefined && image !== undefined) {
    throw usageError(`both a command and an image are given: ${start} and ${image}`, 'Give one of them.');
  }
  const place = image ?? imagePort;
  if (place !== undefined && url !== undefined) {
    throw usageError(`both an address and an image are given: ${url} and ${place}`, 'Give one of them.');
  }
  if (imagePort !== undefined && image === undefined && target === undefined) {
    throw usageError('--image-port is the port of an image', 'Give --image NAME too.');
  }
}

/** For `--link`: no computers. */
const NO_LINK = 'none';

/**
 * The service with its link: that of the command line, or of the descriptor, or platen's own where it has that.
 *
 * @param time - of a service that is started
 */
export async function findTarget(
  url: string | undefined,
  flags: TargetFlags,
  signal?: AbortSignal,
  time: StartedTime = 'moved',
): Promise<Target> {
  const isModule = flags.link !== undefined && !['websocket', NO_LINK].includes(flags.link);
  // First, so that a mistake in it shows before anything is asked of the service.
  const foreign = isModule && flags.link !== undefined ? await openLink(flags.link) : undefined;
  const opening = { foreign, signal, clock: time === 'real' ? time : undefined };
  const target = await openLinked(url, flags, opening);
  for (const remark of target.remarks ?? []) err(remark);
  if (!target.program || !target.timekeeper.moved?.isKnown) return target;
  const { whyNot, remarks } = await orClose(target, tryTime(target));
  for (const remark of remarks) err(remark);
  const { unfollowed } = target.timekeeper.moved;
  const isFit = whyNot === undefined && (time === 'moved-in-part' || unfollowed.size === 0);
  if (isFit) return target;
  err(`The service runs on real time${whyNot === undefined ? '' : `: ${whyNot}`}.`);
  await target.close();
  return openLinked(url, flags, { ...opening, clock: 'real' });
}

async function tryTime(target: Target): Promise<MovedTimeTrial> {
  const { tryMovedTime } = await import('../../conformance/run/moved-time-trial.ts');
  return tryMovedTime(target, createRandom(systemClock.now()).hex(8));
}

/** `moved-in-part`: also where some of its timers do not follow, since what they show can be left out. */
type StartedTime = 'real' | 'moved' | 'moved-in-part';

interface Opening {
  readonly signal: AbortSignal | undefined;
  /** A link that the command line named. */
  readonly foreign?: DeviceLink | undefined;
  /** Given where the time of a service that was started cannot be moved. */
  readonly clock?: 'real' | undefined;
}

async function openLinked(
  url: string | undefined,
  flags: TargetFlags,
  { foreign, signal, clock }: Opening,
): Promise<Target> {
  const target = await openPlace(url, flags, { signal, clock });
  const linkName = await orClose(target, linkNameOf(target, flags));
  if (flags.link === NO_LINK) return { ...target, link: undefined, linkName };
  // It has one of its own, with the clock of its descriptor.
  if (linkName === target.linkName) return target;
  const link = linkName === undefined ? undefined : (foreign ?? (await openLink(linkName, target.clock)));
  return { ...target, link, linkName };
}

/** Closes the target where what is asked of it before a run fails. @throws what that throws */
export async function orClose<Value>(target: Target, asked: Promise<Value>): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    await target.close();
    throw error;
  }
}

async function linkNameOf(target: Target, { link }: TargetFlags): Promise<string | undefined> {
  if (link === NO_LINK || target.kind === 'embedded') return undefined;
  if (link !== undefined) return lastingLinkName(link);
  // A descriptor that says what to do without a computer wants none.
  const wantsNone = target.usePrinter !== undefined || target.absent?.includes('computer');
  const isOfProgram = target.link?.program !== undefined;
  if (target.linkName !== undefined || wantsNone || isOfProgram) return target.linkName;
  const { hasWebSocketLink } = await import('../../targets/link-probe.ts');
  return (await hasWebSocketLink(target.baseUrl, target.apiKey, err)) ? 'websocket' : undefined;
}

async function openPlace(
  url: string | undefined,
  flags: TargetFlags,
  { signal, clock }: Pick<Opening, 'signal' | 'clock'>,
): Promise<Target> {
  const image = imageOf(flags);
  if (flags.target !== undefined) {
    const { describedTarget } = await import('../../targets/described.ts');
    const { refusePipeline } = await import('../explore-pipeline.ts');
    const { target: file, start, keysGiven: keys, callbackHost } = flags;
    await refusePipeline(file);
    return describedTarget({ file, environment: process.env, url, start, clock, image, keys, callbackHost, signal });
  }
  if (flags.start !== undefined) {
    const { startedTarget } = await import('../../targets/started.ts');
    const { start: command } = flags;
    return startedTarget({ ...accessOf(flags), start: { command }, cwd: process.cwd(), url, clock, signal });
  }
  if (image.name !== undefined) {
    const { containerTarget } = await import('../../targets/container.ts');
    return containerTarget({ ...accessOf(flags), image: { ...image, name: image.name }, signal });
  }
  if (url === undefined) {
    const { embeddedTarget } = await import('../../targets/embedded.ts');
    return embeddedTarget({ seed: flags.seed });
  }
  const { remoteTarget } = await import('../../targets/remote.ts');
  return remoteTarget({ ...accessOf(flags), url });
}

function imageOf({ image, imagePort }: TargetFlags): Partial<ImageDescription> {
  return { ...(image !== undefined && { name: image }), ...(imagePort !== undefined && { port: imagePort }) };
}

function accessOf({ key, secondKey, integratorKey, callbackHost }: TargetFlags): Omit<RemoteTargetOptions, 'url'> {
  return { apiKey: key, secondApiKey: secondKey, integratorApiKey: integratorKey, callbackHost };
}
