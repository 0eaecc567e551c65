/**
 * Reads the room of a file for days that are drawn: as it stands there, once it is known to be a room.
 */

import path from 'node:path';

import { parse } from 'yaml';

import { usageError } from '../../common/actionable-error.ts';
import { formatProblem } from '../../common/problem.ts';
import { readRoom } from '../../scenario/format/read-scenario.ts';
import type { RawRoom } from './raw-day.ts';

/** @throws ActionableError with every mistake in it */
export function loadRawRoom(file: string, text: string, allowed: readonly string[] = []): RawRoom {
  const read = readRoom(text, path.dirname(file), allowed);
  if (!read.ok) {
    const problems = read.error.map((problem) => formatProblem(file, problem));
    throw usageError(`the room has mistakes\n${problems.join('\n')}`, 'Fix them; docs/scenarios.md describes rooms.');
  }
  if (read.value.computers.length === 0) throw usageError(`the room of ${file} has no computer`, 'Give it one.');
  const given: unknown = parse(text);
  // Read as a room before: names are those that its devices have.
  return given === 'default' ? rawRoomOf(read.value.description) : (given as RawRoom);
}

function rawRoomOf({ computers }: { readonly computers: readonly object[] }): RawRoom {
  return { computers: computers as RawRoom['computers'] };
}
