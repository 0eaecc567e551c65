/**
 * Sums over lists of records.
 */

export function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** The sums of several numbers that all items have, by name; zeros when there are no items. */
export function sumsOf<const Name extends string>(
  names: readonly Name[],
  items: readonly Readonly<Record<Name, number>>[],
): Record<Name, number> {
  const sums = names.map((name) => [name, sumOf(items, (item) => item[name])]);
  return Object.fromEntries(sums) as Record<Name, number>;
}
