/**
 * Draws: random numbers by index. The n-th draw for a purpose depends only on the seed, n and the purpose: any shard
 * can make it, in any order, and it allocates nothing.
 */

import { createRandom } from '../../common/random.ts';

/** 32 bits derived from a seed and a name. */
export function drawSeed(seed: number | string, name: string): number {
  return createRandom(seed).stream(name).integer(0, 0x7fffffff) | 0;
}

/** 32 random bits. */
export function draw32(seed: number, index: number, purpose: number): number {
  let bits = mix(seed ^ Math.imul(purpose + 1, 0x9e3779b9));
  bits = mix(bits ^ Math.imul(index + 1, 0x85ebca6b));
  return mix(bits + purpose) >>> 0;
}

/** An integer from 0 to below `count`, out of 32 bits. */
export function drawBelow(bits: number, count: number): number {
  return Math.floor((bits / 0x1_0000_0000) * count);
}

/** A bijection in which each bit of the result depends on every bit of the argument. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
