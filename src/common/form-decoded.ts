/**
 * A form or a path as it is meant; what cannot be decoded, as it is.
 */

export function decoded(text: string, escaped = text): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return text;
  }
}

export function formDecoded(text: string): string {
  return decoded(text, text.replaceAll('+', ' '));
}
