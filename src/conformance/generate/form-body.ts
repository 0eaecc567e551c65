/**
 * Form bodies: a JSON value written as application/x-www-form-urlencoded with the same key structure.
 *
 *   {Account: {email: 'a@b'}, ApiKeys: ['x']}   ─►   Account[email]=a%40b&ApiKeys[]=x
 */

/** Brackets in names are percent-encoded in every second pair; all else in names and values is in each. */
export function formOf(value: object): string {
  return pairsOf(value, '')
    .map(([name, text], at) => `${at % 2 === 0 ? escaped(name) : bracketed(name)}=${escaped(text)}`)
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

/**
 * A space is written in both ways that forms have: the first one as a plus, all others as %20. So are escapes: every
 * second one has its digits in lower case.
 */
function escaped(text: string): string {
  let escapes = 0;
  return encodeURIComponent(text)
    .replace('%20', '+')
    .replaceAll(/%../g, (escape) => (escapes++ % 2 === 0 ? escape : escape.toLowerCase()));
}

const bracketed = (name: string): string =>
  name
    .split(/([[\]])/)
    .map((part) => (/[[\]]/.test(part) ? part : escaped(part)))
    .join('');

function pairsOf(value: unknown, name: string): readonly (readonly [name: string, text: string])[] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(item, `${name}[]`));
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, member]) => pairsOf(member, name === '' ? key : `${name}[${key}]`));
}
