/**
 * Step: one move of a sequence, as data.
 */

/** What a move is about: numbers of things, or of choices. */
export type MoveArguments = Readonly<Record<string, number | readonly number[]>>;

/** One move of a sequence, as it stands in a file. */
export interface Step {
  readonly move: string;
  readonly with: MoveArguments;
}
