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
  /** One of the items. @throws RangeError when the list is empty */
  pick<T>(items: readonly T[]): T;
  /** `digits` lowercase hexadecimal digits. */
  hex(digits: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

const HEX_DIGITS = '0123456789abcdef';

export function createRandom(seed: number | string): Random {
  return new SeededRandom(String(seed));
}

/** There is one for each device of a room: it costs next to nothing until it is drawn from. */
class SeededRandom implements Random {
  readonly #name: string;
  #generator: ReturnType<typeof xoroshiro128plus> | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  stream(child: string): Random {
    return new SeededRandom([this.#name, child].join('/'));
  }

  integer(min: number, max: number): number {
    this.#generator ??= xoroshiro128plus(hash32(this.#name));
    return uniformInt(this.#generator, min, max);
  }

  fraction(): number {
    return (this.integer(0, 0x7fffffff) + this.integer(0, 0x1fffff) / 0x200000) / 0x80000000;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('there is nothing to pick from');
    return items[this.integer(0, items.length - 1)] as T;
  }

  hex(digits: number): string {
    let text = '';
    for (let digit = 0; digit < digits; digit++) text += HEX_DIGITS[this.integer(0, 15)];
    return text;
  }

  uuid(): string {
    const [first, second, third] = [this.hex(8), this.hex(4), `4${this.hex(3)}`];
    const fourth = `${HEX_DIGITS[this.integer(8, 11)]}${this.hex(3)}`;
    // Joined, not added up: a string that is a tree of its parts takes ten times the memory.
    return [first, second, third, fourth, this.hex(12)].join('-');
  }
}

/**
 * FNV-1a over the UTF-16 units, then the last mixing of MurmurHash3: without it, names that differ in their
 * last letter have seeds that are near each other, and so have their first draws. Nothing secret depends on it.
 */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
