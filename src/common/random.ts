/**
 * Seeded random numbers. Every random choice of the program starts here.
 *
 * A generator hands out named streams; a stream depends on the seed and on its name alone, so that a
 * new consumer of chance in one place changes nothing that happens in another.
 */

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** An independent stream; the same name gives the same stream again, from its beginning. */
  stream(name: string): Random;
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number;
  /** True with the given probability (0 … 1). */
  chance(probability: number): boolean;
  /** One of the items. @throws RangeError when there is none */
  pick<T>(items: readonly T[]): T;
  /** `digits` lowercase hexadecimal digits. */
  hex(digits: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

const HEX_DIGITS = '0123456789abcdef';
const TWO_POW_32 = 0x1_0000_0000;

/** A generator for this seed; text and numbers are both fine as seeds. */
export function createRandom(seed: number | string): Random {
  const name = String(seed);
  const generator = xoroshiro128plus(hash32(name));
  const integer = (min: number, max: number): number => uniformInt(generator, min, max);
  const fraction = (): number => (integer(0, 0x7fffffff) + integer(0, 0x1fffff) / 0x200000) / 0x80000000;
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => HEX_DIGITS[integer(0, 15)]).join('');
  return {
    stream: (child) => createRandom(`${name}/${child}`),
    integer,
    fraction,
    chance: (probability) => fraction() < probability,
    pick(items) {
      const picked = items[integer(0, items.length - 1)];
      if (items.length === 0) throw new RangeError('nothing to pick from');
      return picked as (typeof items)[number];
    },
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${HEX_DIGITS[integer(8, 11)]}${hex(3)}-${hex(12)}`,
  };
}

/** FNV-1a over the UTF-16 units: spreads names over seeds; nothing secret depends on it. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % TWO_POW_32;
}
