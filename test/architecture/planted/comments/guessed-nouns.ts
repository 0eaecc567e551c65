/** Of all bodies together. */
export const LIMIT = 64;

/**
 * Gives way to another machine.
 *
 * Of two machines the one with the lesser records gives way.
 */
export function giveWay(): void {
  // A computer acknowledges a job as soon as it has it.
}

export interface Place {
  /** That of the descriptor: commands run there. */
  readonly folder: string;
  /** As UCUM has it. */
  readonly unit: string;
  /** The last of several repeated keys counts. */
  readonly key: string;
}

export function lastOf(keys: readonly string[]): string | undefined {
  // Of a repeated key the last one counts.
  return keys.at(-1);
}

// An array while it is empty, as the specification has it.
export const TAGS: readonly string[] = [];
