/**
 * Timestamps as the specification shows them: ISO 8601, UTC, milliseconds.
 */

export function formatTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
