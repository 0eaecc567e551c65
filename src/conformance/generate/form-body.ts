/**
 * Form bodies: a JSON value written as application/x-www-form-urlencoded with the same key structure.
 *
 *   {Account: {email: 'a@b'}, ApiKeys: ['x']}   ─►   Account[email]=a%40b&ApiKeys[]=x
 */

/** Brackets and all else in names and values are percent-encoded. */
export function formOf(value: object): string {
  return pairsOf(value, '')
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&');
}

function pairsOf(value: unknown, name: string): readonly (readonly [name: string, text: string])[] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(item, `${name}[]`));
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, member]) => pairsOf(member, name === '' ? key : `${name}[${key}]`));
}
