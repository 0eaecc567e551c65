/**
 * Models of what is raced for, as if one request came after the other: a name that can be used once, and
 * a limited number of places.
 */

import type { SequentialModel } from './linearizability.ts';

/** One key, used by submissions; what was made with it is counted afterwards. */
export type OnceInput = { readonly kind: 'use' } | { readonly kind: 'count' };
export type OnceOutput = { readonly accepted: boolean } | { readonly count: number };

/** The first use is accepted, every other one refused; the count is the number accepted. */
export const ONCE: SequentialModel<number, OnceInput, OnceOutput> = {
  initial: 0,
  nameOf: String,
  next(used, _, output) {
    if (output === undefined) return 1;
    if ('count' in output) return output.count === used ? used : undefined;
    if (output.accepted) return used === 0 ? 1 : undefined;
    return used === 1 ? 1 : undefined;
  },
};

export type PlacesInput = 'take' | 'count';
export type PlacesOutput = { readonly accepted: boolean } | { readonly count: number };

/** `most` places, some taken: taking is accepted while one is free, and refused only when none is. */
export function places(most: number, taken: number): SequentialModel<number, PlacesInput, PlacesOutput> {
  return {
    initial: taken,
    nameOf: String,
    next(now, _, output) {
      const isFull = now >= most;
      // What got no answer may have been refused as well: that changes nothing.
      if (output === undefined) return isFull ? now : now + 1;
      if ('count' in output) return output.count === now ? now : undefined;
      if (output.accepted) return isFull ? undefined : now + 1;
      return isFull ? now : undefined;
    },
  };
}

export type RegisterInput = { readonly kind: 'write'; readonly value: string } | { readonly kind: 'read' };
/** What was read; of a write that it was taken. */
export type RegisterOutput = { readonly value: string | undefined } | 'written';

/** A read shows what was written last. */
export function register(initial: string): SequentialModel<string, RegisterInput, RegisterOutput> {
  return {
    initial,
    nameOf: (value) => value,
    next(value, input, output) {
      if (input.kind === 'write') return input.value;
      return typeof output === 'object' && output.value !== value ? undefined : value;
    },
  };
}
