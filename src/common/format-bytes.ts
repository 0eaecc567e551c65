/**
 * Amounts of data as people read them: `817 B`, `1.4 KB`, `36 MB`, `2.5 GB`.
 */

const UNITS: readonly (readonly [string, number])[] = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
];

export function formatBytes(bytes: number): string {
  for (const [unit, size] of UNITS) if (bytes >= size) return `${Number((bytes / size).toFixed(1))} ${unit}`;
  return `${bytes} B`;
}
