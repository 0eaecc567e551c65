/**
 * Form bodies: a JSON value written as application/x-www-form-urlencoded with the same key structure.
 *
 *   {Account: {email: 'a@b'}, ApiKeys: ['x']}   ─►   Account[email]=a%40b&ApiKeys[]=x
 */

/** Brackets and all else in names and values are percent-encoded. */
export function formOf(value: object): string {
  return pairsOf(value, '')
    .map(([name, text]) => `${escaped(name)}=${escaped(text)}`)
    .join('&');
}

/** The members of an object that was written as a form, and theirs; each is a string. */
export function objectOf(form: string): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(form)) {
    const [, outer = name, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    const within = object[outer];
    object[outer] = inner === undefined ? text : { ...(typeof within === 'object' && within), [inner]: text };
  }
  return object;
}

/** A space is written in both ways that forms have: the first one as a plus, all others as %20. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace('%20', '+');
}

function pairsOf(value: unknown, name: string): readonly (readonly [name: string, text: string])[] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(item, `${name}[]`));
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, member]) => pairsOf(member, name === '' ? key : `${name}[${key}]`));
}
