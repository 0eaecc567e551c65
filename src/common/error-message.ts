/**
 * Error message: what went wrong, in words, of anything that can be thrown.
 */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** With the place in the code, for faults of the program itself. */
function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const FRAME = /^ {4}at /;

/** The same line by line; a line break within the message is part of it. */
export function stackLines(error: unknown): readonly string[] {
  const lines = stackOf(error).split('\n');
  return [lines.filter((line) => !FRAME.test(line)).join('\n'), ...lines.filter((line) => FRAME.test(line))];
}
