/**
 * Request target: the path and query of a request line, taken apart.
 *
 * Lenient where real clients are sloppy: a trailing slash and a doubled leading slash do not matter,
 * and a space in a path segment may come as `%20` or `+`.
 */

import { badRequest } from './api-error.ts';

export interface RequestTarget {
  /** Decoded path segments; empty for `/`. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

const NO_QUERY = new URLSearchParams();

/** @throws ApiError 400 when a percent-encoding is broken */
export function parseRequestTarget(target: string): RequestTarget {
  const questionMark = target.indexOf('?');
  const path = questionMark === -1 ? target : target.slice(0, questionMark);
  const query = questionMark === -1 ? NO_QUERY : new URLSearchParams(target.slice(questionMark + 1));
  const segments = path.split('/').filter((segment) => segment !== '');
  return {
    segments: path.includes('%') || path.includes('+') ? segments.map(decodeSegment) : segments,
    query,
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment.replaceAll('+', ' '));
  } catch {
    throw badRequest(`the path segment '${segment}' is not a valid percent-encoding of UTF-8`);
  }
}
