/**
 * Pieces: a run as one piece for each check, with the exchanges that came with it. Pieces of several processes are
 * joined to one history, in which the positions of exchanges are those of a run in one process.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Exchange } from '../../wire/http-exchange.ts';
import { createHistory, type History } from '../context/history.ts';
import type { Judgement } from '../context/judgement.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import { runChecks, type RunOptions, type RunOutcome } from './runner.ts';

export interface Piece {
  readonly outcome: CheckOutcome;
  /** Where its exchanges began in the history of its process. */
  readonly first: number;
  readonly exchanges: readonly Exchange[];
}

/** What else a run found out. */
export type RunRemainder = Omit<RunOutcome, 'outcomes' | 'history'>;

/** Runs checks one by one. */
export async function runPieces(options: RunOptions, onPiece: (piece: Piece) => void): Promise<RunRemainder> {
  const history = createHistory();
  let first = 0;
  const onCheckEnded = (outcome: CheckOutcome): void => {
    onPiece({ outcome, first, exchanges: history.exchanges.slice(first) });
    first = history.exchanges.length;
  };
  const {
    outcomes: _outcomes,
    history: _history,
    ...remainder
  } = await runChecks({ ...options, history, onCheckEnded });
  return remainder;
}

export function joinPieces(pieces: readonly Piece[]): Pick<RunOutcome, 'outcomes'> & { readonly history: History } {
  const history = createHistory();
  const outcomes = pieces.map(({ outcome, first, exchanges }) => {
    const moved = movedBy(outcome, history.exchanges.length - first);
    for (const exchange of exchanges) history.add(exchange);
    return moved;
  });
  return { outcomes, history };
}

function movedBy(outcome: CheckOutcome, by: number): CheckOutcome {
  return {
    ...outcome,
    exchanges: outcome.exchanges.map((one) => ({ ...one, position: one.position + by })),
    met: outcome.met.map((one) => ({ ...one, exchange: one.exchange + by })),
    judgements: outcome.judgements.map((judgement) => judgementMovedBy(judgement, by)),
    ...(outcome.unmet && { unmet: mismatchMovedBy(outcome.unmet, by) }),
  };
}

function judgementMovedBy(judgement: Judgement, by: number): Judgement {
  const { mismatch } = judgement;
  return mismatch ? { ...judgement, mismatch: mismatchMovedBy(mismatch, by) } : judgement;
}

function mismatchMovedBy(mismatch: Mismatch, by: number): Mismatch {
  return mismatch.exchange === undefined ? mismatch : { ...mismatch, exchange: mismatch.exchange + by };
}
