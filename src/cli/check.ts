/**
 * platen check: does a service keep its word?
 */

import type { Command } from 'commander';

import { EXIT, type ExitCode } from './exit-code.ts';

export function checkCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('check')
    .description('check a service against the specification')
    .argument('[url]', 'address of the service (default: the reference service, on a virtual clock)')
    .action(() => finish(EXIT.good));
}
