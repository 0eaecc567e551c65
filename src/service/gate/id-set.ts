/**
 * Sets of ids in paths: `1,3,5`. The order does not matter and repeated ids count once.
 */

import { badRequest } from './api-error.ts';

const POSITIVE_INTEGER = /^\s*0*([1-9]\d*)\s*$/;

/**
 * The distinct ids of a set, ascending.
 *
 * @param name - the placeholder, for the message
 * @throws ApiError 400 when an element is not a positive integer
 */
export function parseIdSet(text: string, name: string): readonly number[] {
  const ids = new Set<number>();
  for (const element of text.split(',')) ids.add(parseId(element, name));
  return [...ids].toSorted((a, b) => a - b);
}

/** @throws ApiError 400 when the text is not a positive integer */
export function parseId(text: string, name: string): number {
  const id = Number(POSITIVE_INTEGER.exec(text)?.[1]);
  if (Number.isSafeInteger(id)) return id;
  throw badRequest(`${name}: '${text.slice(0, 40)}' is not a positive integer`);
}
