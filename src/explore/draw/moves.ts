/**
 * Moves: what may happen on a day, by kind. Each is one line of a day, or a few that belong together. A kind is what
 * `--without` names, and what a day may leave out whole.
 */

import { ACCOUNT_MOVES } from './account-moves.ts';
import { JOB_MOVES } from './job-moves.ts';
import { ROOM_MOVES } from './room-moves.ts';
import { SCALE_MOVES } from './scale-moves.ts';
import type { Moves } from './draft.ts';
import { SUBMISSION_MOVES } from './submission-moves.ts';
import { WEBHOOK_MOVES } from './webhook-moves.ts';

/** What a day may be about. */
export const FAMILIES = [
  { ...JOB_MOVES, ...SUBMISSION_MOVES },
  ROOM_MOVES,
  WEBHOOK_MOVES,
  ACCOUNT_MOVES,
  SCALE_MOVES,
] as const;

export const MOVES: Moves = Object.assign({}, ...FAMILIES);

export const MOVE_KINDS: readonly string[] = Object.keys(MOVES);
