/**
 * Redirects between paths of a document host: a chain with a known number of hops, or a loop.
 *
 *   /bill ─► /bill/hop-1 ─► /bill/hop-2 ─► the document        three hops
 */

import { redirectTo, type Answer } from './reply.ts';

/** How the Location of each hop is written. */
type LocationForm = 'absolute' | 'relative';

export interface RedirectChain {
  /** Where the chain begins. */
  readonly from: string;
  /** Path or address the last hop leads to. */
  readonly to: string;
  /** Number of redirects until `to` is reached, at least 1. */
  readonly hops: number;
  readonly form: LocationForm;
  /** 301, 302, 303, 307 or 308; 302 unless given. */
  readonly status?: number;
}

/**
 * The answers that make the chain, by path.
 *
 * @param origin - base address that absolute locations begin with
 */
export function redirectChain(chain: RedirectChain, origin: string): ReadonlyMap<string, Answer> {
  const { from, to, hops, form, status = 302 } = chain;
  const stops = Array.from({ length: hops }, (_, hop) => (hop === 0 ? from : `${from}/hop-${hop}`));
  const locate = (path: string): string =>
    form === 'absolute' && path.startsWith('/') ? `${origin}${path}` : path;
  return new Map(
    stops.map((path, index) => [path, redirectTo(locate(stops[index + 1] ?? to), status)] as const),
  );
}
