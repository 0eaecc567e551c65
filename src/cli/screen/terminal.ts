/**
 * Terminal: where a command writes. Results go to stdout, everything about the run to stderr.
 */

import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** In color if the stream supports it; honours NO_COLOR, FORCE_COLOR and redirection. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}

export function out(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One JSON document, and nothing else, on stdout. */
export function outJson(value: unknown): void {
  out(JSON.stringify(value, undefined, 2));
}

export function err(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Columns as wide as their widest cell, two spaces apart; the last one is not padded. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)).join('  ');
  return rows.map((row) => (indent + line(row)).trimEnd()).join('\n');
}
