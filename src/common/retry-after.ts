/** Retry-After: how long a service asks a caller to wait, in seconds or until a date (RFC 9110, 10.2.3). */

/** In milliseconds from now; undefined where the header says nothing that can be read. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const askedMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(askedMs) ? undefined : Math.max(0, askedMs);
}
