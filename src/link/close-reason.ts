/**
 * Close reason: the text that goes with a WebSocket close code. The protocol has room for 123 bytes; with a
 * longer one, ws throws.
 */

const CLOSE_REASON_MAX_BYTES = 123;

/** The text, cut between two characters to what a close frame can carry. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= CLOSE_REASON_MAX_BYTES) return text;
  let end = CLOSE_REASON_MAX_BYTES;
  while (isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

/** Whether a byte of UTF-8 is inside a character, not its first. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
