/**
 * Format: times and amounts as people read them. Times are UTC, as in the answers of the service.
 */

const SPANS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** `3 min`, the largest unit alone; `now` below a second. */
export function formatAge(ms: number): string {
  for (const [unit, sizeMs] of SPANS) if (ms >= sizeMs) return `${Math.floor(ms / sizeMs)} ${unit}`;
  return 'now';
}

/** `12:00:45.120` */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** `2026-01-01 12:00:45` */
export function formatDateTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** `1 sheet`, `2 sheets` */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Longer strings in JSON are documents in base64. */
const MOST_SHOWN_CHARACTERS = 400;
const BEGINNING_CHARACTERS = 60;

/** JSON laid out for people, long strings cut; anything else unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_, value: unknown) => shortened(value), 2);
  } catch {
    return text;
  }
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MOST_SHOWN_CHARACTERS) return value;
  return `${value.slice(0, BEGINNING_CHARACTERS)}… (${count(value.length, 'character')})`;
}
