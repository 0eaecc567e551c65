/**
 * Pagination: `limit`, `after`, `dir` of collection requests, and the Records-* headers of their answers.
 */

import { LIST_HEADERS } from '../../specification/headers.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Page, PageOf } from '../store/page.ts';
import { badRequest } from './api-error.ts';
import { parseId } from './id-set.ts';

/**
 * The page that a query asks for.
 *
 * @param limitMaximum - a larger limit is cut to this
 * @throws ApiError 400 for a limit or an id that is not a positive integer, or another `dir`
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

export function pageHeaders(page: Page, result: PageOf<unknown>): [string, string][] {
  return [
    [LIST_HEADERS.returned.name, String(result.items.length)],
    [LIST_HEADERS.offset.name, String(result.offset)],
    [LIST_HEADERS.limit.name, String(page.limit)],
    [LIST_HEADERS.total.name, String(result.total)],
  ];
}
