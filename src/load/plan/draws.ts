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

/**
 * The fraction of this index in the van der Corput sequence: 0, 1/2, 1/4, 3/4, 1/8 … Every prefix is spread evenly. A
 * fleet spreads its devices by it, by global index: they never act in step, whichever part of it a process has.
 */
export function vanDerCorput(index: number): number {
  let bits = index >>> 0;
  bits = ((bits >>> 1) & 0x5555_5555) | ((bits & 0x5555_5555) << 1);
  bits = ((bits >>> 2) & 0x3333_3333) | ((bits & 0x3333_3333) << 2);
  bits = ((bits >>> 4) & 0x0f0f_0f0f) | ((bits & 0x0f0f_0f0f) << 4);
  bits = ((bits >>> 8) & 0x00ff_00ff) | ((bits & 0x00ff_00ff) << 8);
  bits = (bits >>> 16) | (bits << 16);
  return (bits >>> 0) / 0x1_0000_0000;
}
