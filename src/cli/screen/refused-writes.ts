/**
 * Refused writes: with a key that may only read, nearly every check fails for that alone.
 */

import type { Exchange } from '../../wire/http-exchange.ts';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const FORBIDDEN = 403;
/** Fewer may be refused for what they ask. */
const LEAST_REFUSED = 5;

/** A sentence for people where no write was taken, and 403 was the usual answer. */
export function refusedWrites(exchanges: readonly Exchange[]): string | undefined {
  const writes = exchanges.filter(({ request }) => !READING.has(request.method));
  const refused = writes.filter(({ response }) => response.status === FORBIDDEN).length;
  const wereTaken = writes.some(({ response }) => response.status < 300);
  if (wereTaken || refused < LEAST_REFUSED || refused < writes.length / 2) return undefined;
  return `${refused} of ${writes.length} requests that change something got 403, and none succeeded: is the key read-only?`;
}
