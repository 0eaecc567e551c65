/**
 * platen diff: what changed from one run of the checks to another.
 */

import type { Command } from 'commander';

import { EXIT, type ExitCode } from './exit-code.ts';
import { readRunRecord } from './files/read-run-record.ts';
import { jsonOption } from './options/option-values.ts';
import { out, outJson } from './screen/terminal.ts';

export function diffCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('diff')
    .description('compare two runs of platen check: 1 when something broke, or is checked no more')
    .argument('<before>', 'run.json of the one')
    .argument('<after>', 'run.json of the other')
    .addOption(jsonOption())
    .action(async (before: string, after: string, { json }: { readonly json?: true }) => {
      const { differenceOf, isWorse, renderDifference } = await import('../report/check/diff.ts');
      const difference = differenceOf(readRunRecord(before), readRunRecord(after));
      if (json) outJson(difference);
      else out(renderDifference(difference));
      finish(isWorse(difference) ? EXIT.failed : EXIT.good);
    });
}
