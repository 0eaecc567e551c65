/**
 * Outcome: everything that a check left behind when it ended.
 */

import type { WireFailure } from '../../wire/http-exchange.ts';
import type { Check } from '../check.ts';
import type { Judgement, NumberedExchange } from '../context/judgement.ts';
import type { MetDeviation } from '../context/reader.ts';
import type { Traffic } from '../context/traffic.ts';
import type { Conclusion } from './conclude.ts';

/** Why a failure does not count, who looks after it, and until when: `2026-12-31`. */
export interface Excuse {
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
}

export interface CheckOutcome extends Conclusion {
  readonly check: Check;
  readonly judgements: readonly Judgement[];
  /** The exchanges of the check with their positions in the history of the run. */
  readonly exchanges: readonly NumberedExchange[];
  readonly wireFailures: readonly WireFailure[];
  /** What it met of how the service does things otherwise than printed. */
  readonly met: readonly MetDeviation[];
  readonly traffic: Traffic;
  /** When it began, on the scale of its exchanges. */
  readonly startMs: number;
  readonly notes: readonly string[];
  /** Clauses that a client program did not show; its notes say so too. */
  readonly unseen: readonly string[];
  /** What could not be removed after the check; its notes say so too. */
  readonly leftBehind: readonly string[];
  /** How long it let time go by, on the clock of the target. */
  readonly waitedMs: number;
  /** What a failure is recognised by in another run; see signatureOf. */
  readonly signature?: string;
  /** The failure is known, and does not count. */
  readonly known?: Excuse;
  /** The stack of an exception that was not a verdict. */
  readonly stack?: string;
  /** It is inconclusive since something came too late: at another time it may not. */
  readonly isTooLate?: true;
  readonly durationMs: number;
}
