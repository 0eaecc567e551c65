/**
 * Error message: what went wrong, in words, of anything that can be thrown.
 */

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
