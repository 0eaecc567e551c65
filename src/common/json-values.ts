/**
 * JSON values: how many a text of JSON holds, before it is read. A text of four megabytes may hold a million, which
 * takes a second to read, and their number is known after a hundredth of that.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Each begins another value, except in an empty list or object. */
const SEPARATORS = new Set(Buffer.from(',[{'));

/** Whether a text of JSON holds more values than this; anything for a text that is not JSON. */
export function holdsMoreValuesThan(json: Uint8Array, most: number): boolean {
  let values = 0;
  let isInString = false;
  for (let at = 0; at < json.length && values <= most; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString && byte === BACKSLASH) at++;
    else if (!isInString && SEPARATORS.has(byte)) values++;
  }
  return values > most;
}
