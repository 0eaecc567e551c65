/**
 * Timestamps as services write them.
 *
 *   2026-11-23T00:23:38.835Z, 20261123T002338,835+01   ISO 8601: extended or basic, with any offset or none
 *   2026-11-23 00:23:38+00                             a datetime of a database
 *   Mon, 23 Nov 2026 00:23:38 +0000                    RFC 2822
 *   1795393418835, 1795393418                          since the epoch
 */

const ISO_8601 =
  /^(\d{4})(-?)(\d\d)\2(\d\d)T(\d\d)(:?)(\d\d)\6(\d\d)(?:[.,](?<fraction>\d+))?(?:Z|(?<hours>[+-]\d\d)(?::?(?<minutes>\d\d))?)?$/;
const RFC_2822 = /^([A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d(\.\d+)? (GMT|UTC|[+-]\d{4})$/;

/** Milliseconds since the epoch, in UTC unless it says otherwise; undefined when it is not a timestamp in ISO 8601. */
export function timestampMs(value: unknown): number | undefined {
  const found = typeof value === 'string' ? ISO_8601.exec(value) : null;
  if (!found) return undefined;
  const [, year, , month, day, hour, , minute, second] = found;
  const { fraction = '0', hours = '+00', minutes = '00' } = found.groups ?? {};
  return parsed(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${hours}:${minutes}`);
}

/** A time in 1973 in milliseconds, or in the year 5138 in seconds. */
const LEAST_MS = 1e11;

/**
 * As timestampMs, of what is not printed as ISO 8601: a blank before the time, small letters, RFC 2822, and a number of
 * milliseconds or of seconds since the epoch will do.
 */
export function datetimeMs(value: unknown): number | undefined {
  if (typeof value === 'number') return value < LEAST_MS ? value * 1_000 : value;
  if (typeof value !== 'string') return undefined;
  return RFC_2822.test(value) ? parsed(value) : timestampMs(value.replace(' ', 'T').toUpperCase());
}

function parsed(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

const ZONE_MS = 2 * 3_600_000;

/** The same time in ISO 8601 as a clock two hours east of Greenwich shows it. */
export function inAnotherZone(ms: number): string {
  return new Date(ms + ZONE_MS).toISOString().replace('Z', '+02:00');
}
