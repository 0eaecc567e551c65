/**
 * platen diff: what changed between two runs of the checks.
 */

import type { Command } from 'commander';

import { EXIT, type ExitCode } from './exit-code.ts';
import { readRunRecord, recordFileOf } from './files/record-file.ts';
import { jsonOption } from './options/option-values.ts';
import { out, outJson } from './screen/terminal.ts';

export function diffCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('diff')
    .description('compare two runs of platen check; exit code 1 if something broke or is no longer checked')
    .argument('<before>', 'folder or run.json of the earlier run')
    .argument('<after>', 'folder or run.json of the later run')
    .addOption(jsonOption())
    .action(async (before: string, after: string, { json }: { readonly json?: true }) => {
      const { differenceOf, isWorse, renderDifference } = await import('../report/view/difference.ts');
      const [earlier, later] = [await readRunRecord(recordFileOf(before)), await readRunRecord(recordFileOf(after))];
      const difference = differenceOf(earlier, later);
      if (json) outJson(difference);
      else out(renderDifference(difference));
      finish(isWorse(difference) ? EXIT.failed : EXIT.good);
    });
}
