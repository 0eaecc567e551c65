/**
 * The names of reporters, on their own: a command line knows them before it loads any.
 */

/** `terminal` writes no file; `github` annotates beside what it writes. */
export const REPORTER_NAMES = [
  'terminal',
  'json',
  'ndjson',
  'junit',
  'ctrf',
  'github',
  'html',
  'pdf',
  'badge',
] as const;

export type ReporterName = (typeof REPORTER_NAMES)[number];

/** What a run leaves when nothing else is asked for. */
export const DEFAULT_REPORTERS: readonly ReporterName[] = ['json', 'junit'];
