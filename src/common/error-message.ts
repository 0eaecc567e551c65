/**
 * Error message: what went wrong, in words, of anything that can be thrown.
 */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** With the place in the code, for faults of the program itself. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
