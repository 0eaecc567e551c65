/**
 * Ids: lists of records in an answer, and bare arrays of ids.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Answer } from './answer.ts';
import { recordIds } from './records.ts';
import { expectBody, mismatchIn } from './response.ts';

/** Expects an array of objects that each have an id. */
export function expectRecords(answer: Answer): Mismatch | undefined {
  return expectBody(answer, 'an array of objects with ids', (value) => recordIds(value) !== undefined);
}

/** Expects records with exactly these ids, in this order. */
export function expectIds(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  const seen = recordIds(answer.value);
  if (!seen) return expectRecords(answer);
  if (sameIds(seen, ids)) return undefined;
  return mismatchIn(answer, `records ${showIds(ids)}`, `records ${showIds(seen)}`);
}

/** Expects a bare array of exactly these ids, in any order. */
export function expectIdArray(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  const seen = answer.value;
  if (Array.isArray(seen) && sameIds(inOrder(seen), inOrder(ids))) return undefined;
  return mismatchIn(answer, `an array of the ids ${showIds(ids)}, each once`);
}

export function sameIds(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

function inOrder(ids: readonly unknown[]): readonly unknown[] {
  return ids.toSorted((a, b) => Number(a) - Number(b));
}

/** Long lists by their ends: `[109, 108 … 10] (100)`. */
function showIds(ids: readonly unknown[]): string {
  if (ids.length <= 12) return `[${ids.join(', ')}]`;
  return `[${ids.slice(0, 3).join(', ')} … ${ids.slice(-3).join(', ')}] (${ids.length} of them)`;
}
