/**
 * The service under test, as the command line names it.
 */

import type { Command } from 'commander';

import { ActionableError } from '../../common/actionable-error.ts';
import type { ImageDescription } from '../../target/descriptor.ts';
import type { RemoteTargetOptions } from '../../target/remote.ts';
import { isLocal, type Target } from '../../target/target.ts';
import { linkNamed, linkOption } from './link-option.ts';
import { callbackHostOption, keyOption, portNumber } from './option-values.ts';

export interface TargetFlags {
  readonly key: string;
  readonly secondKey?: string;
  readonly link?: string;
  readonly integratorKey?: string;
  readonly callbackHost?: string;
  readonly target?: string;
  readonly image?: string;
  readonly imagePort?: number;
  readonly allowWrites?: true;
  readonly seed?: number;
}

/** Adds the options that say which service is meant. */
export function addTargetOptions(command: Command): Command {
  return command
    .addOption(keyOption())
    .option('--second-key <key>', 'API key of another account, to see that accounts are kept apart')
    .option('--integrator-key <key>', 'API key of an Integrator Account, where --key is none')
    .addOption(linkOption())
    .addOption(callbackHostOption())
    .option('--target <file>', 'descriptor of the service: see docs/target.md')
    .option('--image <name>', 'image of the service, which is started in a container for the run')
    .option(
      '--image-port <port>',
      'port that it listens on (default: the one that the image exposes)',
      portNumber,
    )
    .option('--allow-writes', 'create, change and delete things on a service that is not on this machine');
}

/**
 * The target that is meant: of a descriptor, at an address, from an image, or the reference service.
 *
 * @param signal - gives the start of an image up
 * @throws ActionableError where it cannot be had, and the reason of the signal
 */
export async function openTarget(
  url: string | undefined,
  flags: TargetFlags,
  signal: AbortSignal,
): Promise<Target> {
  refuseContradictions(url, flags);
  const target = await findTarget(url, flags, signal);
  const isOurs = isLocal(target.baseUrl) || target.isDisposable === true;
  return { ...target, isReadOnly: !isOurs && flags.allowWrites !== true };
}

function refuseContradictions(url: string | undefined, { image, imagePort, target }: TargetFlags): void {
  const place = image ?? imagePort;
  if (place !== undefined && url !== undefined) {
    throw new ActionableError(
      'usage',
      `there are an address and an image: ${url} and ${place}`,
      'Name one of them.',
    );
  }
  if (imagePort !== undefined && image === undefined && target === undefined) {
    throw new ActionableError('usage', '--image-port is the port of an image', 'Say --image NAME too.');
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
    return embeddedTarget(flags.seed === undefined ? {} : { seed: flags.seed });
  }
  const { remoteTarget } = await import('../../target/remote.ts');
  return remoteTarget({ ...(await accessOf(flags)), url });
}

function imageOf({ image, imagePort }: TargetFlags): Partial<ImageDescription> {
  return {
    ...(image !== undefined && { name: image }),
    ...(imagePort !== undefined && { port: imagePort }),
  };
}

async function accessOf(flags: TargetFlags): Promise<Omit<RemoteTargetOptions, 'url'>> {
  const { integratorKey, callbackHost } = flags;
  return {
    apiKey: flags.key,
    ...(flags.secondKey !== undefined && { secondApiKey: flags.secondKey }),
    ...(integratorKey !== undefined && { integratorApiKey: integratorKey }),
    ...(callbackHost !== undefined && { callbackHost }),
    ...(flags.link !== undefined && { link: await linkNamed(flags.link) }),
  };
}
