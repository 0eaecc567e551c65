/** Which endpoint a request is for. */

import type { Endpoint } from '../specification/clause.ts';
import { ENDPOINTS } from '../specification/endpoints.ts';

/** A set has a number in it, unlike `/printers/refresh`. Ahead: a search on both sides of it squares long sets. */
const SET = String.raw`(?=[^/?]*\d)[^/?]+`;

const PATTERNS = ENDPOINTS.map((endpoint) => {
  const { path, parts } = endpoint;
  const inPath = parts.reduce((text, { name, isSet }) => text.replace(`{${name}}`, isSet ? SET : '[^/?]+'), path);
  return { endpoint, pattern: new RegExp(String.raw`^${inPath}/?(\?|$)`) };
});

/**
 * The endpoint that a request is for; undefined for what the specification does not print. What reads like a set of
 * downloads is no name of an operating system, and stands further down.
 */
export function endpointFor(method: string, path: string): Endpoint | undefined {
  return PATTERNS.findLast(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint;
}
