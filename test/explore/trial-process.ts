/**
 * Trial process: tries one mutant blind after the other, and sends what came of each.
 */

import { mutantWithId } from '../mutants/mutant-page.ts';
import { tryBlind } from './try-mutant-blind.ts';

export interface TrialOrder {
  readonly id: string;
  readonly seed: number;
  readonly limitMs: number;
  readonly mostShrinkPlays: number;
}

/** What stands in the table of a mutant. */
export interface TrialReply {
  readonly id: string;
  readonly days: number;
  /** Undefined where nothing was found in time. */
  readonly found?: {
    readonly signature: string;
    readonly afterMs: number;
    readonly steps: number;
    /** Whether the scenario fails on the mutant in the same way, and passes on the sound service. */
    readonly isShown: boolean;
  };
}

process.on('message', (order: TrialOrder) => void tryOne(order));
process.on('disconnect', () => process.exit());

async function tryOne({ id, ...options }: TrialOrder): Promise<void> {
  const { finding, days, foundMs = 0, isShown } = await tryBlind(mutantWithId(id), options);
  const found = finding && {
    signature: finding.signature,
    afterMs: Math.round(foundMs),
    steps: finding.day.steps.length,
    isShown,
  };
  process.send?.({ id, days, ...(found && { found }) } satisfies TrialReply);
}
