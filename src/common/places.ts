/**
 * Places: where something stands in an answer whose shape the specification does not show, written with dots.
 *
 *   {"ApiKeys": {"own": "k1"}}   k1 ─► `ApiKeys.own`        "k1"   k1 ─► `.`
 *   [{"of": "own", "is": "k1"}]  k1 ─► `of=own.is`: of a list, the element that has this there
 */

/** The whole value. */
const WHOLE = '.';

/** Every string and number in a value, with its place. */
export function leavesOf(value: unknown, at = WHOLE): readonly (readonly [place: string, leaf: string | number])[] {
  if (typeof value === 'string' || typeof value === 'number') return [[at, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, at === WHOLE ? name : `${at}.${name}`));
}

/** The first place of this string or number. */
export function placeOf(value: unknown, wanted: string | number): string | undefined {
  return leavesOf(value).find(([, leaf]) => leaf === wanted)?.[0];
}

/** What stands at a place; undefined where nothing does. */
export function valueAt(value: unknown, place: string): unknown {
  if (place === WHOLE) return value;
  return place.split('.').reduce<unknown>(memberOf, value);
}

function memberOf(value: unknown, name: string): unknown {
  const [key = '', wanted] = name.split('=');
  if (Array.isArray(value) && wanted !== undefined) return value.find((one) => memberOf(one, key) === wanted);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
