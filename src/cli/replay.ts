/**
 * platen replay: the failures of a run once more, with its seed. Are they still there?
 */

import type { Command } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import type { CheckOutcome } from '../conformance/check.ts';
import type { RunRecord } from '../report/run-record.ts';
import { EXIT, exitCodeFrom, type ExitCode } from './exit-code.ts';
import { interruption } from './interruption.ts';
import { addTargetOptions, openTarget, type TargetFlags } from './open-target.ts';
import { readRunRecord } from './read-run-record.ts';
import { err, out, table } from './terminal.ts';

export function replayCommand(program: Command, finish: (code: ExitCode) => void): void {
  const command = program
    .command('replay')
    .description('run the failures of a stored run again, with its seed: FIXED, FAILED or FLAKY')
    .argument('<run>', 'run.json of a run of platen check')
    .argument('[check]', 'id of one check; without it all that failed')
    .option('--url <url>', 'address of the service (default: that of the run)');
  addTargetOptions(command).action(
    async (file: string, id: string | undefined, flags: TargetFlags & { readonly url?: string }) => {
      finish(await replay(readRunRecord(file), id, flags));
    },
  );
}

async function replay(
  record: RunRecord,
  id: string | undefined,
  flags: TargetFlags & { readonly url?: string },
): Promise<ExitCode> {
  const ids = idsToRepeat(record, id);
  if (ids.length === 0) {
    out('nothing failed in this run');
    return EXIT.good;
  }
  const { runConformance } = await import('../conformance/run-conformance.ts');
  const interrupted = interruption();
  const { seed } = record;
  const isOfFile = flags.target !== undefined;
  const url = flags.url ?? (record.target.kind === 'remote' && !isOfFile ? record.target.baseUrl : undefined);
  const target = await openTarget(url, { ...flags, seed });
  try {
    const result = await runConformance({ target, seed, ids, signal: interrupted });
    out(table(result.outcomes.map((outcome) => [wordFor(outcome), outcome.check.id, outcome.message])));
    err(`seed ${seed}, ${target.name}`);
    return interrupted.aborted ? EXIT.interrupted : exitCodeFrom(result.exitCode);
  } finally {
    await target.close();
  }
}

function idsToRepeat({ checks }: RunRecord, id: string | undefined): readonly string[] {
  if (id === undefined) {
    return checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'flaky').map((check) => check.id);
  }
  if (checks.some((check) => check.id === id)) return [id];
  throw new ActionableError('usage', `the run has no check ${id}`, 'See run.json for those that it has.');
}

function wordFor({ verdict }: CheckOutcome): string {
  if (verdict === 'fail') return 'FAILED';
  if (verdict === 'flaky') return 'FLAKY';
  return verdict === 'pass' || verdict === 'observed' || verdict === 'warn' ? 'FIXED' : 'NOT JUDGED';
}
