/**
 * The pacers by kind. A new one is a file and a line here.
 */

import { constant } from './constant.ts';
import type { Pacer, PacerMaker, PacerSettings } from './pacer.ts';
import { poisson } from './poisson.ts';
import { ramp } from './ramp.ts';
import { sine } from './sine.ts';
import { spike } from './spike.ts';
import { step } from './step.ts';
import { trace } from './trace.ts';

const PACERS: { readonly [Kind in PacerSettings['kind']]: PacerMaker<Kind> } = {
  constant,
  ramp,
  step,
  spike,
  sine,
  poisson,
  trace,
};

/** The pacer for a stream that lasts so long. */
export function createPacer<Kind extends PacerSettings['kind']>(
  settings: Extract<PacerSettings, { kind: Kind }>,
  durationMs: number,
): Pacer {
  const make: PacerMaker<Kind> = PACERS[settings.kind];
  return make(settings, durationMs);
}
