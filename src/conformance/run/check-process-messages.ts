/**
 * What a run and a process that takes a part of its checks say to each other.
 */

import type { Ending } from '../../record/words.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import type { Piece, RunRemainder } from './pieces.ts';

export interface CheckOrder {
  /** The ids of the checks to run. */
  readonly ids: readonly string[];
  readonly seed: number;
  readonly strict: boolean;
  readonly runTag: string;
}

/** A check has functions, which no message can hold. */
export interface SentPiece extends Omit<Piece, 'outcome'> {
  readonly id: string;
  readonly outcome: Omit<CheckOutcome, 'check'>;
}

export type ToCheckProcess =
  | { readonly type: 'begin'; readonly order: CheckOrder }
  /** Begin no further check. */
  | { readonly type: 'stop'; readonly endedBy: Ending };

export type FromCheckProcess =
  | { readonly type: 'ended'; readonly piece: SentPiece }
  | { readonly type: 'done'; readonly remainder: RunRemainder }
  | { readonly type: 'broke'; readonly message: string };
