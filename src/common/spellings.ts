/**
 * Spellings: how a text may be written where it cannot stand as it is, in a header, an address or a body.
 */

/** The text as it is, percent-encoded, as in a form, in JSON, in base64 and in hexadecimal digits; each once. */
export function spellingsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const base64 = bytes.toString('base64');
  const hex = bytes.toString('hex');
  const inAddresses = [encodeURIComponent(text.toWellFormed()), new URLSearchParams([['', text]]).toString().slice(1)];
  return [
    ...new Set([
      text,
      JSON.stringify(text).slice(1, -1),
      ...inAddresses.flatMap((encoded) => [encoded, encoded.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase())]),
      base64,
      base64.replace(/=+$/, ''),
      bytes.toString('base64url'),
      hex,
      hex.toUpperCase(),
    ]),
  ];
}
