/**
 * An address of this machine that is not loopback: what is bound to it counts as a machine elsewhere, and is as near.
 */

import { networkInterfaces } from 'node:os';

/** Undefined on a machine without a network. */
export function outerAddress(): string | undefined {
  const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return found.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
