/**
 * Timestamps: ISO 8601 in UTC. Seconds may carry any number of fractional digits; how many the
 * specification promises differs from field to field.
 */

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;
const ISO_8601_UTC_MS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Milliseconds since the epoch, or undefined when the value is not a timestamp. */
export function timestampMs(value: unknown): number | undefined {
  if (typeof value !== 'string' || !ISO_8601.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Whether it is ISO 8601 in UTC with milliseconds, as a computer's createTimestamp must be. */
export function isUtcWithMilliseconds(value: unknown): boolean {
  return typeof value === 'string' && ISO_8601_UTC_MS.test(value) && timestampMs(value) !== undefined;
}
