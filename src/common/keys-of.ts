/**
 * The keys of a table, with their types: for tables of literals, which have no keys but those of their type.
 */

export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}
