/**
 * Request name: how a message names a request, `GET /printers/7`. A path of hundreds of ids keeps its two ends; all of
 * it stands in the evidence.
 */

const MOST = 160;
const END = 50;

interface NamedRequest {
  readonly method: string;
  readonly path: string;
}

export function requestName({ method, path }: NamedRequest): string {
  const shown = path.length <= MOST ? path : `${path.slice(0, MOST - END)}…${path.slice(-END)}`;
  return `${method} ${shown}`;
}

/** The same for requests that differ in ids, numbers and inputs alone. */
export function requestKind({ method, path }: NamedRequest): string {
  return `${method} ${path.replace(/\?.*/, '').replaceAll(/[^/]*\d[^/]*/g, '#')}`;
}
