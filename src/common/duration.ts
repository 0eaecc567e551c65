/**
 * Durations as people write them: `250ms`, `45s`, `1h30m`, `14d`. A bare number is milliseconds.
 */

/** Milliseconds, or a string such as `'14d'` or `'1h30m'`. */
export type Duration = number | string;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/y;

/** The strings that `parseDuration` takes, for a JSON Schema. */
export const DURATION_PATTERN = `^(?:${PART.source})+$`;

/**
 * A duration in milliseconds; undefined if the string is not one. Parts add up: `1h30m`. Negative and infinite numbers
 * are not durations.
 */
export function parseDuration(duration: Duration): number | undefined {
  if (typeof duration === 'number') return Number.isFinite(duration) && duration >= 0 ? duration : undefined;
  if (duration === '') return undefined;
  let totalMs = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < duration.length) {
    const match = PART.exec(duration);
    if (!match) return undefined;
    totalMs += Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN);
  }
  return totalMs;
}

/**
 * A duration in milliseconds.
 *
 * @throws RangeError when it is not a duration
 */
export function durationMs(duration: Duration): number {
  const parsed = parseDuration(duration);
  if (parsed === undefined) {
    throw new RangeError(`'${duration}' is not a duration; write for example 250ms, 45s, 1h30m or 14d`);
  }
  return parsed;
}

/** The furthest a clock is moved at once: all that is due on the way happens, and centuries would take hours. */
export const LONGEST_PASSING_MS = 366 * 86_400_000;
export const LONGEST_PASSING = 'must be at most 366d';

/**
 * As durationMs, of how far to move a clock.
 *
 * @throws RangeError also when that is too long
 */
export function passingMs(duration: Duration): number {
  const ms = durationMs(duration);
  if (ms > LONGEST_PASSING_MS) throw new RangeError(`'${duration}' is too long: it ${LONGEST_PASSING}`);
  return ms;
}

/** A duration for people: at most two units, `14d`, `1h 30m`, `1.25s`, `87ms`, `400µs`. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 1) return formatMicroseconds(ms * 1_000);
  if (Math.round(ms) < 1_000) return `${Math.round(ms)}ms`;
  const seconds = Number((ms / 1_000).toFixed(2));
  if (seconds < 60) return `${seconds}s`;
  const units = Object.entries(UNIT_MS).filter(([unit]) => unit !== 'ms');
  const parts: string[] = [];
  let restMs = Math.round(ms / 1_000) * 1_000;
  for (const [unit, sizeMs] of units.toReversed()) {
    const count = Math.floor(restMs / sizeMs);
    restMs -= count * sizeMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}

/** A short time for people, to three digits: `870µs`, `12.4ms`, `1.25s`. */
export function formatMicroseconds(us: number): string {
  if (us < 1_000) return `${Math.round(us)}µs`;
  if (us < 999_500) return `${Number((us / 1_000).toPrecision(3))}ms`;
  return `${Number((us / 1_000_000).toFixed(2))}s`;
}
