/**
 * platen client: connects the printers and scales of this machine to a service, through CUPS and hidraw, until it is
 * stopped.
 */

import { hash } from 'node:crypto';
import { homedir, hostname } from 'node:os';
import path from 'node:path';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { foundAt } from '../common/named-place.ts';
import { programPath } from '../common/program-path.ts';
import { addressOf } from '../common/service-address.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { explainLink } from './remote/link-trouble.ts';
import { interruption } from './interruption.ts';
import { filled, keyOption } from './options/option-values.ts';
import { out } from './screen/terminal.ts';

interface ClientFlags {
  readonly key: string;
  readonly name?: string;
  readonly data?: string;
  readonly scales?: string | true;
  readonly allowHost: readonly string[];
  readonly quiet?: true;
}

export function clientCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('client')
    .description('connect the printers and scales of this machine to a service, through CUPS, until stopped')
    .argument('<url>', 'address of the service')
    .addOption(keyOption())
    .option('--name <name>', 'name of this computer in the service (default: its host name)')
    .option(
      '--data <folder>',
      'where to record which jobs were printed (default: one under ~/.local/state/platen)',
      filled,
    )
    .option('--scales [folder]', 'publish the weights of USB scales: hidraw* in this folder (default: /dev)', filled)
    .option('--allow-host <host...>', 'fetch documents from these hosts too, not only from loopback', [])
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (url: string, flags: ClientFlags) => finish(await run(url.replace(/\/+$/, ''), flags)));
}

async function run(serviceUrl: string, flags: ClientFlags): Promise<ExitCode> {
  const { key, name: computerName = hostname(), scales, allowHost: allowedHosts, quiet } = flags;
  addressOf(serviceUrl, 'a service', 'Write for example http://127.0.0.1:8631');
  ensureLp();
  if (typeof scales === 'string' && !foundAt(scales)?.isDirectory()) {
    throw usageError(`there is no folder ${scales}`, 'Name the folder of the devices with --scales, such as /dev.');
  }
  const stopped = interruption();
  const { PrintClient } = await import('../client/print-client.ts');
  const client = new PrintClient({
    serviceUrl,
    key,
    computerName,
    folder: flags.data ?? defaultFolder(serviceUrl, computerName),
    allowedHosts,
    scales: scales === true ? '/dev' : scales,
    say: quiet ? () => undefined : out,
  });
  await client.run(stopped).catch((error: unknown) => explainLink('this computer', serviceUrl, error));
  return EXIT.good;
}

/** @throws ActionableError when it is not installed */
function ensureLp(): void {
  if (programPath('lp') !== undefined) return;
  const packages = 'apt-get install cups cups-client cups-filters';
  throw usageError('there is no lp on this machine, so it cannot print', packages);
}

function defaultFolder(url: string, name: string): string {
  const { XDG_STATE_HOME: state = path.join(homedir(), '.local', 'state') } = process.env;
  return path.join(state, 'platen', `client-${hash('sha256', `${url} ${name}`).slice(0, 12)}`);
}
