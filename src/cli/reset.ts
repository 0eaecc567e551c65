/**
 * platen reset: takes a running workbench back to its seed.
 */

import type { Command } from 'commander';
import { z } from 'zod';

import { controlJson, workbench, type RemoteOptions } from './remote/remote.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { controlTokenOption, keyOption, urlOption } from './options/option-values.ts';
import { out } from './screen/terminal.ts';

interface ResetFlags extends RemoteOptions {
  readonly quiet?: true;
}

export function resetCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('reset')
    .description('reset a running workbench to its seed: delete jobs, accounts and faults, and make the room anew')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(controlTokenOption())
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (flags: ResetFlags) => {
      await controlJson(workbench(flags).post('/reset', {}), z.object({ status: z.literal('ready') }), flags.url);
      if (!flags.quiet) out(`${flags.url} is back at its seed`);
      finish(EXIT.good);
    });
}
