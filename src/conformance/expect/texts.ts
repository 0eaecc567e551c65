/**
 * Texts: what is said in a body of which the specification does not show the shape.
 */

import { showValue } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Answer } from './answer.ts';
import { mismatchIn } from './response.ts';

/** Every text in a value, names of members included. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** Expects each of these texts somewhere in the body. */
export function expectTexts(answer: Answer, wanted: readonly string[]): Mismatch | undefined {
  const texts = textsIn(answer.value);
  const missing = wanted.find((text) => !texts.includes(text));
  return missing === undefined ? undefined : mismatchIn(answer, `${showValue(missing)} in it`);
}

/** Expects none of these texts anywhere in the body. */
export function expectNoTexts(answer: Answer, unwanted: readonly string[]): Mismatch | undefined {
  const found = textsIn(answer.value).find((text) => unwanted.includes(text));
  return found === undefined ? undefined : mismatchIn(answer, `nothing of ${showValue(found)}`);
}
