/**
 * Judgement: what a check found out about one clause, and the exchanges it saw on the way.
 */

import type { LinkClauseId } from '../../link/link-clauses.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import type { GapId } from '../../specification/gaps.ts';
import type { Exchange } from '../../wire/http-exchange.ts';

/** What a check speaks of: a clause, or a gap that it only observes. */
export type JudgedId = ClauseId | LinkClauseId | GapId;

/** Without a mismatch the clause was kept. */
export interface Judgement {
  readonly clause: JudgedId;
  readonly mismatch?: Mismatch;
  /** What the service did, where the specification leaves it open. */
  readonly observation?: string;
  /** What was wrong is a deviation of the service that another clause prints: its id. */
  readonly countedIn?: string;
  /** When it was found broken, on the scale of exchanges. */
  readonly atMs?: number;
}

/** An exchange and its position in the history of the run. */
export interface NumberedExchange {
  readonly position: number;
  readonly exchange: Exchange;
  /** How long its check had let time go by until then, on the clock of the target. */
  readonly waitedMs: number;
}
