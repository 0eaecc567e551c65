/**
 * The parameters of a Digest Authorization header: `Digest username="a", nc=00000001, …`.
 */

const PARAMETER = /\s*([a-z0-9*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,|$)/iy;

/**
 * Parameters by name in lower case, quoting undone.
 *
 * @returns undefined for another scheme, a malformed list, or a name that occurs twice
 */
export function digestParameters(header: string): ReadonlyMap<string, string> | undefined {
  const scheme = /^digest\s+/i.exec(header);
  if (!scheme) return undefined;
  const found = new Map<string, string>();
  PARAMETER.lastIndex = scheme[0].length;
  while (PARAMETER.lastIndex < header.length) {
    const match = PARAMETER.exec(header);
    const name = match?.[1]?.toLowerCase();
    if (!match || name === undefined || found.has(name)) return undefined;
    found.set(name, match[3] ?? (match[2] ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return found;
}
