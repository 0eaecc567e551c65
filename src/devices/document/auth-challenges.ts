/**
 * Authentication challenges: what a server asks for with 401, read from its WWW-Authenticate headers.
 *
 *   Basic realm="a, b", Digest nonce="x", qop="auth"   one header may hold several
 *
 * Source: RFC 9110, 11.6.1.
 */

export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** Names in lower case, quoting undone. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A word, and what it is set to; a word that is set to nothing begins the next challenge. */
const ITEM = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy;

/** The challenges of all headers, in order; what cannot be read ends its header. */
export function readChallenges(headers: readonly string[]): Challenge[] {
  return headers.flatMap(readHeader);
}

function readHeader(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const [, name = '', quoted, plain] of header.matchAll(ITEM)) {
    const value = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1');
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
  }
  return challenges;
}
