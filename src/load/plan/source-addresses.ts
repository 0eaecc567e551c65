/**
 * Source addresses: where the connections of a load come from.
 *
 * A local address has some 28,000 ports for one destination, and ports linger after each close. So at most 5,000
 * computers share one address. Loopback has as many as needed, from 127.0.0.1 up; there fewer share one, because other
 * loads of this machine take ports of the same addresses, and Linux looks for a free port through half of them all as
 * soon as that half is taken: at 14,000 connections each one more costs milliseconds.
 */

import { usageError } from '../../common/actionable-error.ts';

const COMPUTERS_PER_ADDRESS = 5_000;
const COMPUTERS_PER_LOOPBACK_ADDRESS = 1_000;

/**
 * The addresses that the computers of a plan connect from, in turn by global index.
 *
 * @param given - those of the scenario; when empty, as many of loopback as needed
 * @returns an empty list when the system chooses
 * @throws ActionableError when there are too few
 */
export function sourceAddresses(
  computers: number,
  serviceUrl: string,
  given: readonly string[] = [],
): readonly string[] {
  const needed = Math.ceil(computers / COMPUTERS_PER_ADDRESS);
  if (Math.max(1, given.length) >= needed) return given;
  const { hostname } = new URL(serviceUrl);
  if (given.length === 0 && hostname.startsWith('127.')) {
    return loopback(Math.ceil(computers / COMPUTERS_PER_LOOPBACK_ADDRESS));
  }
  throw usageError(
    `${computers} computers need ${needed} source addresses, and there ${given.length > 1 ? `are ${given.length}` : 'is one'}`,
    `Name ${needed} addresses of this machine under traffic.sources, or use fewer computers.`,
  );
}

/** The first `count` addresses of loopback. */
export function loopback(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `127.0.${Math.floor(index / 250)}.${(index % 250) + 1}`);
}
