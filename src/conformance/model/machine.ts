/**
 * Machine: a part of the service as a handful of moves, and what it should be after each of them.
 *
 *   move ─► is it possible now? ─► send it ─► compare with the model ─► move the model on
 *
 * Moves are data: a sequence of them stands in a file as it is, and is played again from there. They name
 * things by their number in the order in which they were made, counted round: what job 7 is follows from
 * how many there are when the move is played, so that a sequence stays playable when it is made shorter.
 */

import type * as fc from 'fast-check';

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import type { CheckContext } from '../context/context.ts';
import type { MoveArguments, Step } from '../context/judgement.ts';

/** What a move showed of a clause: kept where there is no mismatch. */
export type Ruling = readonly [clause: ClauseId, mismatch: Mismatch | undefined];

export interface Move<World> {
  readonly draw: fc.Arbitrary<MoveArguments>;
  /** Whether it can be made now; always unless given. Changes nothing. */
  readonly isPossible?: (world: World, given: MoveArguments) => boolean;
  /** Makes it, says what was found out, and moves the model on. */
  readonly play: (world: World, given: MoveArguments) => Promise<readonly Ruling[]>;
}

export interface Machine<World extends object> {
  readonly moves: Readonly<Record<string, Move<World>>>;
  /** Played before any that is drawn: it judges each clause of the check at least once. */
  readonly opening: readonly Step[];
  /** A world of its own for one sequence. */
  readonly begin: (context: CheckContext) => Promise<World>;
  /** Gives back what a later sequence would miss. */
  readonly end?: (world: World) => Promise<void>;
}

/** A number that a move was given; 0 where it was not. */
export function one(given: MoveArguments, name: string): number {
  const value = given[name];
  return typeof value === 'number' ? value : 0;
}

/** Numbers that a move was given. */
export function several(given: MoveArguments, name: string): readonly number[] {
  const value = given[name];
  return Array.isArray(value) ? (value as readonly number[]) : [];
}

/** The thing with this number, counted round; undefined when there are no things. */
export function pick<Thing>(things: readonly Thing[], number: number): Thing | undefined {
  return things[number % things.length];
}
