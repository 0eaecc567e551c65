/**
 * The service under test that the command line names.
 */

import path from 'node:path';

import { Option, type Command } from 'commander';

import { usageError } from '../../common/actionable-error.ts';
import { lastingLinkName, openLink } from '../../target/open-link.ts';
import type { ImageDescription } from '../../target/descriptor.ts';
import type { RemoteTargetOptions } from '../../target/remote.ts';
import { isLocal, type GivenKey, type GivenTarget, type Target } from '../../target/target.ts';
import { callbackHostOption, keyOption, linkOption, portNumber } from './option-values.ts';

export interface TargetFlags {
  readonly key: string;
  readonly secondKey?: string;
  readonly link?: string | undefined;
  readonly integratorKey?: string;
  readonly callbackHost?: string;
  readonly target?: string;
  readonly image?: string | undefined;
  readonly imagePort?: number;
  readonly allowWrites?: true;
  readonly seed?: number;
}

/** Adds the options that name the service. */
export function addTargetOptions(command: Command): Command {
  return command
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
    .option('--target <file>', 'descriptor of the service: see docs/target.md')
    .option('--image <name>', 'image of the service, to start in a container for the run')
    .option('--image-port <port>', 'port it listens on (default: the one that the image exposes)', portNumber)
    .option('--allow-writes', 'allow changes on a service that is not on this machine');
}

/**
 * The target: of a descriptor, at an address, from an image, or the reference service.
 *
 * @param signal - cancels the start of an image
 * @throws ActionableError when it cannot be opened, or the reason of the signal
 */
export async function openTarget(url: string | undefined, flags: TargetFlags, signal: AbortSignal): Promise<Target> {
  refuseContradictions(url, flags);
  const target = await findTarget(url, flags, signal);
  const isOurs = isLocal(target.baseUrl) || target.isDisposable === true;
  const linkName = target.linkName ?? (flags.link && lastingLinkName(flags.link));
  return { ...target, linkName, given: givenBy(flags), isReadOnly: !isOurs && flags.allowWrites !== true };
}

function givenBy({ target, imagePort, callbackHost, allowWrites, secondKey, integratorKey }: TargetFlags): GivenTarget {
  const keys: readonly (readonly [GivenKey, string | undefined])[] = [
    ['second', secondKey],
    ['integrator', integratorKey],
  ];
  return {
    ...(target !== undefined && { descriptor: path.resolve(target) }),
    ...(imagePort !== undefined && { imagePort }),
    ...(callbackHost !== undefined && { callbackHost }),
    ...(allowWrites && { allowWrites }),
    keys: keys.flatMap(([name, key]) => (key === undefined ? [] : [name])),
  };
}

function refuseContradictions(url: string | undefined, { image, imagePort, target }: TargetFlags): void {
  const place = image ?? imagePort;
  if (place !== undefined && url !== undefined) {
    throw usageError(`both an address and an image are given: ${url} and ${place}`, 'Give one of them.');
  }
  if (imagePort !== undefined && image === undefined && target === undefined) {
    throw usageError('--image-port is the port of an image', 'Give --image NAME too.');
  }
}

async function findTarget(url: string | undefined, flags: TargetFlags, signal: AbortSignal): Promise<Target> {
  const image = imageOf(flags);
  if (flags.target !== undefined) {
    const { describedTarget } = await import('../../target/described.ts');
    return describedTarget({ file: flags.target, environment: process.env, url, image, signal });
  }
  if (image.name !== undefined) {
    const { containerTarget } = await import('../../target/container.ts');
    return containerTarget({ ...(await accessOf(flags)), image: { ...image, name: image.name }, signal });
  }
  if (url === undefined) {
    const { embeddedTarget } = await import('../../target/embedded.ts');
    return embeddedTarget({ seed: flags.seed });
  }
  const { remoteTarget } = await import('../../target/remote.ts');
  return remoteTarget({ ...(await accessOf(flags)), url });
}

function imageOf({ image, imagePort }: TargetFlags): Partial<ImageDescription> {
  return { ...(image !== undefined && { name: image }), ...(imagePort !== undefined && { port: imagePort }) };
}

async function accessOf(flags: TargetFlags): Promise<Omit<RemoteTargetOptions, 'url'>> {
  const { key, secondKey, integratorKey, callbackHost, link } = flags;
  return {
    apiKey: key,
    secondApiKey: secondKey,
    integratorApiKey: integratorKey,
    callbackHost,
    link: link === undefined ? undefined : await openLink(link),
  };
}
