/**
 * A page of a collection: which records a caller asks for, and what the collection holds of them.
 */

export interface Page {
  readonly limit: number;
  /** Continues after this id, in the direction of `dir`; undefined begins at the end that comes first. */
  readonly after: number | undefined;
  readonly dir: 'asc' | 'desc';
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
  const { after, dir, limit } = page;
  const ordered = dir === 'asc' ? ascending : ascending.toReversed();
  const follows = ({ id }: T): boolean => after === undefined || (dir === 'asc' ? id > after : id < after);
  const first = ordered.findIndex(follows);
  const offset = first === -1 ? ordered.length : first;
  return { items: ordered.slice(offset, offset + limit), offset, total: ordered.length };
}
