/**
 * Pagination: `limit`, `after`, `dir` of collection requests, and the Records-* headers of their answers.
 */

import { LIMITS } from '../../spec/limits.ts';
import { badRequest } from './api-error.ts';
import { parseId } from './id-set.ts';

export interface Page {
  readonly limit: number;
  /** Continue behind this id, in the direction of `dir`; undefined starts at the end that comes first. */
  readonly after: number | undefined;
  readonly dir: 'asc' | 'desc';
}

/**
 * The page that a query asks for.
 *
 * @param limitMaximum - a larger limit is cut to this
 * @throws ApiError 400 for a limit or an id that is no positive integer, or another `dir`
 */
export function parsePage(query: URLSearchParams, limitMaximum: number): Page {
  const limit = query.get('limit') ?? '';
  const after = query.get('after') ?? '';
  const dir = query.get('dir') ?? '';
  if (dir !== '' && dir !== 'asc' && dir !== 'desc') {
    throw badRequest(`dir: '${dir.slice(0, 40)}' is neither asc nor desc`);
  }
  return {
    limit: limit === '' ? LIMITS.pageSize.value : Math.min(parseId(limit, 'limit'), limitMaximum),
    after: after === '' ? undefined : parseId(after, 'after'),
    dir: dir === '' ? 'desc' : dir,
  };
}

export interface PageOf<T> {
  readonly items: readonly T[];
  /** Records before the page, in its direction. */
  readonly offset: number;
  /** Records in the whole collection. */
  readonly total: number;
}

/** Cuts a page out of records that are sorted by ascending id. */
export function cutPage<T extends { readonly id: number }>(ascending: readonly T[], page: Page): PageOf<T> {
  const ordered = page.dir === 'asc' ? ascending : ascending.toReversed();
  const { after } = page;
  const isBehind = (item: T): boolean =>
    after === undefined || (page.dir === 'asc' ? item.id > after : item.id < after);
  const first = ordered.findIndex(isBehind);
  const offset = first === -1 ? ordered.length : first;
  return { items: ordered.slice(offset, offset + page.limit), offset, total: ordered.length };
}

export function pageHeaders(page: Page, result: PageOf<unknown>): [string, string][] {
  return [
    ['Records-Returned', String(result.items.length)],
    ['Records-Returned-Offset', String(result.offset)],
    ['Records-Returned-Limit', String(page.limit)],
    ['Records-Total', String(result.total)],
  ];
}
