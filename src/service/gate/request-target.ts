/**
 * Request target: the path and query of a request line, taken apart.
 *
 * Lenient where real clients are sloppy: a trailing slash and a doubled leading slash do not matter,
 * and a space in a path segment may come as `%20` or `+`. A whole address (`http://host/path`), which a
 * client sends that takes the service for its proxy, is read as its path.
 */

import { badRequest } from './api-error.ts';

export interface RequestTarget {
  /** Decoded path segments; empty for `/`. */
  readonly segments: readonly string[];
  /** The path has a slash at its end, as if an empty segment followed. */
  readonly endsOpen: boolean;
  readonly query: URLSearchParams;
}

const NO_QUERY = new URLSearchParams();
const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;

/** @throws ApiError 400 when a percent-encoding is broken */
export function parseRequestTarget(target: string): RequestTarget {
  const origin = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM, '');
  const questionMark = origin.indexOf('?');
  const path = questionMark === -1 ? origin : origin.slice(0, questionMark);
  const query = questionMark === -1 ? NO_QUERY : new URLSearchParams(origin.slice(questionMark + 1));
  const segments = path.split('/').filter((segment) => segment !== '');
  return {
    segments: path.includes('%') || path.includes('+') ? segments.map(decodeSegment) : segments,
    endsOpen: path.endsWith('/'),
    query,
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment.replaceAll('+', ' '));
  } catch {
    throw badRequest(`the path segment '${segment.slice(0, 40)}' is not a valid percent-encoding of UTF-8`);
  }
}
