/**
 * platen run --find-knee: plays a load at rising rates until a threshold breaks.
 */

import type { LoadResult, RunLoadOptions } from '../../load/run-load.ts';
import type { Knee } from '../../load/verdict/find-knee.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { err, out, outJson } from '../screen/terminal.ts';
import { keepResult, type OutputFlags } from './report-load.ts';

const ENDINGS: Readonly<Record<Knee['endedBy'], string>> = {
  found: 'the next step broke a threshold',
  generator: 'beyond it the generator itself was too late',
  interrupted: 'the search was interrupted',
  'most-steps': 'the search went no further',
};

export async function searchKnee(
  options: RunLoadOptions,
  stepMs: number,
  flags: OutputFlags,
): Promise<ExitCode> {
  const { findKnee } = await import('../../load/verdict/find-knee.ts');
  const { planLoad } = await import('../../load/plan/load-plan.ts');
  const { runLoad } = await import('../../load/run-load.ts');
  let last: LoadResult | undefined;
  const knee = await findKnee({
    scenario: options.scenario,
    stepMs,
    run: async (scenario) => {
      const calibrates = options.calibrates && last === undefined;
      last = await runLoad({ ...options, scenario, calibrates });
      return last.record;
    },
    peakRateOf: (scenario) => planLoad(scenario, options.seed).estimate.peakRate,
    onStep: ({ peakRate, record }) => {
      if (!flags.quiet) err(`${Math.round(peakRate)} /s  ${record.verdict}  ${record.reasons.join('; ')}`);
    },
    signal: options.stop,
  });
  if (last) await keepResult(last, options.runId, flags);
  show(knee, flags.json === true);
  if (knee.endedBy === 'interrupted') return EXIT.interrupted;
  return knee.best ? EXIT.good : EXIT.failed;
}

function show({ best, endedBy, steps }: Knee, json: boolean): void {
  if (json) outJson({ best: best && { factor: best.factor, peakRate: best.peakRate }, endedBy, steps });
  else if (best) out(`The knee: ${Math.round(best.peakRate)} requests a second (${ENDINGS[endedBy]}).`);
  else out(`No step kept every threshold (${ENDINGS[endedBy]}).`);
}
