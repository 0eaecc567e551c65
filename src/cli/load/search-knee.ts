/**
 * platen run --find-knee: plays a load at rising rates until the service no longer sustains them.
 */

import { formatMicroseconds } from '../../common/duration.ts';
import type { LoadResult, RunLoadOptions } from '../../load/run-load.ts';
import type { Knee, KneeStep } from '../../load/verdict/find-knee.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { err, out, outJson } from '../screen/terminal.ts';
import { keepResult, type OutputFlags } from './report-load.ts';

export async function searchKnee(options: RunLoadOptions, stepMs: number, flags: OutputFlags): Promise<ExitCode> {
  const [{ findKnee, percent }, { describeKnee, formatRate }] = await Promise.all([
    import('../../load/verdict/find-knee.ts'),
    import('./describe-knee.ts'),
  ]);
  const { planLoad } = await import('../../load/plan/load-plan.ts');
  const { runLoad } = await import('../../load/run-load.ts');
  let steps = 0;
  let last: LoadResult | undefined;
  let best: LoadResult | undefined;
  const knee = await findKnee({
    scenario: options.scenario,
    stepMs,
    run: async (scenario) => {
      const calibrates = options.calibrates && last === undefined;
      // Idempotency keys and accounts are named after the run, and each step needs its own.
      const runId = `${options.runId}-${++steps}`;
      const { record, ...result } = await runLoad({ ...options, runId, scenario, calibrates });
      last = { ...result, record: { ...record, runId: options.runId } };
      return record;
    },
    peakRateOf: (scenario) => planLoad(scenario, options.seed).estimate.peakRate,
    onStep: (step) => {
      if (step.record.verdict === 'pass' && step.reasons.length === 0) best = last;
      if (!flags.quiet) err(lineOf(step, formatRate(step.peakRate), percent(step.goodShare)));
    },
    signal: options.stop,
  });
  // The last step of a search that found no knee shows best what limits it.
  const kept = best ?? last;
  const files = kept && (await keepResult(kept, options.runId, flags));
  if (flags.json) outJson(forPrograms(knee));
  else out(describeKnee(knee));
  if (files && !flags.json && !(flags.quiet && knee.best))
    err(`Reports of ${best ? 'the knee' : 'the last step'}: ${files.join(', ')}`);
  if (knee.endedBy === 'interrupted') return EXIT.interrupted;
  return knee.best ? EXIT.good : EXIT.failed;
}

function lineOf({ record, reasons }: KneeStep, rate: string, good: string): string {
  const times = record.streams.map(
    ({ name, response: { p50Us, p99Us } }) =>
      `${name} p50 ${formatMicroseconds(p50Us)} p99 ${formatMicroseconds(p99Us)}`,
  );
  const word = reasons.length > 0 ? reasons.join('; ') : record.verdict;
  return [`${rate} /s`, `good ${good}`, ...times, word].join('  ');
}

function forPrograms({ best, broken, endedBy, steps }: Knee): object {
  return { best: best && rateOf(best), broken: broken && rateOf(broken), endedBy, steps };
}

const rateOf = ({ factor, peakRate }: KneeStep): object => ({ factor, peakRate });
