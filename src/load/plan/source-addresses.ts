/**
 * Source addresses: where connections of a load come from.
 *
 * A local address has some 28,000 ports for one destination, of which some linger after each close. So
 * at most 5,000 computers share one. On loopback there are as many as are needed, 127.0.0.1 and up.
 */

import { ActionableError } from '../../common/actionable-error.ts';

export const COMPUTERS_PER_ADDRESS = 5_000;

/**
 * The addresses that the computers of a plan connect from, in turn by their global index.
 *
 * @param given - those that the scenario names; none: as many of loopback as are needed
 * @returns none when the system is to choose
 * @throws ActionableError when there are too few
 */
export function sourceAddresses(
  computers: number,
  serviceUrl: string,
  given: readonly string[] = [],
): readonly string[] {
  const needed = Math.max(1, Math.ceil(computers / COMPUTERS_PER_ADDRESS));
  const { hostname } = new URL(serviceUrl);
  if (given.length === 0 && hostname.startsWith('127.')) return loopback(needed);
  if (Math.max(1, given.length) >= needed) return given;
  throw new ActionableError(
    'usage',
    `${computers} computers need ${needed} source addresses, and there ${given.length > 1 ? `are ${given.length}` : 'is one'}`,
    `Name ${needed} addresses of this machine under traffic.sources, or use fewer computers.`,
  );
}

/** The first `count` addresses of loopback. */
export function loopback(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `127.0.${Math.floor(index / 250)}.${(index % 250) + 1}`);
}
