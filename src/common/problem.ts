/**
 * Problem: something wrong with a file, where it stands, and what was probably meant.
 */

export interface Problem {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** Where in the file: `steps[2].submit.printer`; empty for the file as a whole. */
  readonly at: string;
  readonly message: string;
}

/** Keys and positions on the way to a value. */
export type Path = readonly PropertyKey[];

/** `['steps', 2, 'submit']` → `steps[2].submit`. */
export function formatPath(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

/** `file:3:7: steps[2].submit.printer: …`, the form that editors and terminals turn into a link. */
export function formatProblem(file: string, { line, column, at, message }: Problem): string {
  return `${file}:${line}:${column}: ${at === '' ? '' : `${at}: `}${message}`;
}
