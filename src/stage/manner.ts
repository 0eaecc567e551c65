/**
 * Manner: a kind of deviation, how it is found in an answer and how the answer is read in spite of it.
 */

import type { AnswerView } from './answer-view.ts';
import type { Deviation } from './deviation.ts';

/** Further requests with the credentials of the one that is read. */
export interface Ask {
  /** What a GET answers; undefined where nothing came. */
  get(path: string): Promise<Pick<AnswerView, 'value' | 'headers'> | undefined>;
  /** The account object of the caller, which may be as it was a while ago. */
  account(): Promise<unknown>;
}

export interface Found {
  readonly deviation: Deviation;
  /** The answer as the specification prints it; the same where nothing can be read in its place. */
  /** The answer alone does not show it: it is read so where it is known. */
  readonly isHidden?: true;
  readonly read: (view: AnswerView, ask: Ask) => AnswerView | Promise<AnswerView>;
}

/** What an answer does otherwise than printed. */
export type Manner = (view: AnswerView) => readonly Found[];
