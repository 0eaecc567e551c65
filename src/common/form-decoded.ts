/**
 * A form or a path as it is meant; what cannot be decoded, as it is.
 */

export function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
