/**
 * Search terms: how a filter is written in the search for jobs: `state:error`, `printer:"Office MFP"`.
 */

export function termOf(field: string, value: string): string {
  return /^[\w-]+$/.test(value) ? `${field}:${value}` : `${field}:"${value}"`;
}

export function hasTerm(search: string, term: string): boolean {
  return termsOf(search).includes(term);
}

/** The search with the term, in place of any other of its field; without it where it had it. */
export function toggled(search: string, field: string, term: string): string {
  const others = termsOf(search).filter((one) => !one.startsWith(`${field}:`));
  return (hasTerm(search, term) ? others : [...others, term]).join(' ');
}

function termsOf(search: string): readonly string[] {
  return search.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
}
