/**
 * Error message: what went wrong, in words, of anything that can be thrown.
 */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const FRAME = /^ {4}at /;

/**
 * The message, and line by line where it happened, for faults of the program itself; a line break within the message is
 * part of it.
 */
export function stackLines(error: unknown): readonly string[] {
  const lines = (error instanceof Error && error.stack ? error.stack : messageOf(error)).split('\n');
  return [lines.filter((line) => !FRAME.test(line)).join('\n'), ...lines.filter((line) => FRAME.test(line))];
}
