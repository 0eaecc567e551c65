/**
 * Headers as pairs of name and value, in their original case and in the order of the message.
 */

export type HeaderPair = readonly [name: string, value: string];

/** Values of a header, any case of its name, in the order they came. */
export function headerValues(headers: readonly HeaderPair[], name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}
