/**
 * The service under test, as the command line names it.
 */

import type { Command } from 'commander';

import { isLocal, type Target } from '../target/target.ts';
import { linkNamed, linkOption } from './link-option.ts';
import { keyOption } from './option-values.ts';

export interface TargetFlags {
  readonly key: string;
  readonly secondKey?: string;
  readonly link?: string;
  readonly integratorKey?: string;
  readonly callbackHost?: string;
  readonly target?: string;
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
    .option('--callback-host <name>', 'name under which the service reaches this machine, for webhooks')
    .option('--target <file>', 'descriptor of the service: see docs/target.md')
    .option('--allow-writes', 'create, change and delete things on a service that is not on this machine');
}

/** The target that is meant: of a descriptor, at an address, or the reference service. */
export async function openTarget(url: string | undefined, flags: TargetFlags): Promise<Target> {
  const target = await findTarget(url, flags);
  const isReadOnly = !isLocal(target.baseUrl) && flags.allowWrites !== true;
  return { ...target, isReadOnly };
}

async function findTarget(url: string | undefined, flags: TargetFlags): Promise<Target> {
  if (flags.target !== undefined) {
    const { describedTarget } = await import('../target/described.ts');
    return describedTarget({ file: flags.target, environment: process.env, url });
  }
  if (url === undefined) {
    const { embeddedTarget } = await import('../target/embedded.ts');
    return embeddedTarget(flags.seed === undefined ? {} : { seed: flags.seed });
  }
  const { remoteTarget } = await import('../target/remote.ts');
  const { integratorKey, callbackHost } = flags;
  return remoteTarget({
    url,
    apiKey: flags.key,
    ...(flags.secondKey !== undefined && { secondApiKey: flags.secondKey }),
    ...(integratorKey !== undefined && { integratorApiKey: integratorKey }),
    ...(callbackHost !== undefined && { callbackHost }),
    ...(flags.link !== undefined && { link: await linkNamed(flags.link) }),
  });
}
