/**
 * Page set: which pages of a document a `pages` option selects.
 *
 *   set  = item *("," item)          1,3     pages 1 and 3
 *   item = n | n"-"m | n"-" | "-"m | "-"     -5  up to page 5     4-  from page 4     -  all
 *
 * It is a set: the result ascends and names each page once, whatever the order of the items. A number
 * that names no page of the document, or a range that runs backwards, is an error: CUPS would pass over
 * it in silence, the specification says that it "produces an error".
 */

import { failure, success, type Outcome } from '../../common/outcome.ts';

const ITEM = /^(?:(\d+)|(\d*)-(\d*))$/;

/**
 * The selected page numbers, ascending, from 1.
 *
 * @param text - such as `1,3-` or `-5`
 * @param pageCount - pages of the document, at least 1
 * @returns the pages, or what is wrong with the text
 */
export function selectPages(text: string, pageCount: number): Outcome<number[], string> {
  const selected = new Set<number>();
  for (const item of text.split(',')) {
    const range = readItem(item.trim(), pageCount);
    if (!range.ok) return range;
    for (let page = range.value.first; page <= range.value.last; page++) selected.add(page);
  }
  return success([...selected].toSorted((a, b) => a - b));
}

interface PageRange {
  readonly first: number;
  readonly last: number;
}

function readItem(item: string, pageCount: number): Outcome<PageRange, string> {
  const match = ITEM.exec(item);
  if (!match) return failure(item === '' ? 'a page number is missing' : `'${item}' is not a page or page range`);
  const [, single, from, to] = match;
  const first = Number(single ?? (from || 1));
  const last = Number(single ?? (to || pageCount));
  const outside = [single ?? from, single ?? to].find((bound) => bound && !isPage(Number(bound), pageCount));
  if (outside) return failure(`page ${outside} is outside the document, which has ${counted(pageCount)}`);
  if (first > last) return failure(`'${item}' runs backwards`);
  return success({ first, last });
}

function isPage(page: number, pageCount: number): boolean {
  return page >= 1 && page <= pageCount;
}

function counted(pageCount: number): string {
  return pageCount === 1 ? '1 page' : `${pageCount} pages`;
}
