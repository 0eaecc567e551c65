/**
 * Query parameters of a page, each present or not, with `after` at, between and beyond the ids.
 */

import * as fc from 'fast-check';

export interface PageInput {
  readonly limit?: number | undefined;
  /** Null is written as an empty value. */
  readonly after?: number | null | undefined;
  readonly dir?: 'asc' | 'desc' | undefined;
}

/** Pages of a collection with these ids; `after` is one of them where a service refuses any other. */
export function pageParameters(ids: readonly number[], unlisted: 'taken' | 'refused'): fc.Arbitrary<PageInput> {
  const near = ids.flatMap((id) => [id - 1, id, id + 1]).filter((id) => id > 0);
  const around = unlisted === 'taken' ? near : ids;
  return fc.record(
    {
      limit: fc.integer({ min: 1, max: Math.min(100, ids.length + 2) }),
      after: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...around) }, fc.constant(null)),
      dir: fc.constantFrom('asc', 'desc'),
    },
    { requiredKeys: [] },
  );
}

/** `?limit=2&after=&dir=asc`, or nothing. */
export function pageQuery(page: PageInput): string {
  const parameters = Object.entries(page)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value ?? ''}`);
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

/** What the specification says is on the page, given all ids of the collection. */
export function pageOf(ids: readonly number[], { limit = 100, after, dir = 'desc' }: PageInput): number[] {
  const ordered = ids.toSorted((left, right) => (dir === 'asc' ? left - right : right - left));
  const rest = ordered.filter((id) => isBehind(id, after, dir));
  return rest.slice(0, limit);
}

/** Whether an id comes after `after` in this direction; without `after`, every id does. */
export function isBehind(id: number, after: PageInput['after'], dir: 'asc' | 'desc'): boolean {
  if (after === undefined || after === null) return true;
  return dir === 'asc' ? id > after : id < after;
}
