/** Which endpoint a request is for. */

import type { Endpoint } from '../specification/clause.ts';
import { ENDPOINTS } from '../specification/endpoints.ts';

/** A set has a number in it, unlike `/printers/refresh`. Ahead: a search on both sides of it squares long sets. */
const SET = String.raw`(?=[^/?]*\d)[^/?]+`;

/** A printed segment comes before a placeholder. */
const PATTERNS = ENDPOINTS.toSorted((left, right) => left.parts.length - right.parts.length).map((endpoint) => {
  const { path, parts } = endpoint;
  const inPath = parts.reduce((text, { name, isSet }) => text.replace(`{${name}}`, isSet ? SET : '[^/?]+'), path);
  return { endpoint, pattern: new RegExp(String.raw`^${inPath}/?(\?|$)`) };
});

/** The endpoint that a request is for; undefined for what the specification does not print. */
export function endpointFor(method: string, path: string): Endpoint | undefined {
  return PATTERNS.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint;
}
