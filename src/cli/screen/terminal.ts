/**
 * Terminal: where a command writes, and the only place that does. Results go to stdout, everything about the run to
 * stderr. It takes lines, never text with line breaks or escape sequences: written.ts makes those.
 */

import { styleText } from 'node:util';

import type { Line } from '../../report/terminal/line.ts';
import { written, writtenAnnotation, type Annotation } from '../../report/terminal/written.ts';

/** A line or several. */
export type Lines = Line | readonly Line[];

export function out(lines: Lines): void {
  write(process.stdout, lines);
}

export function err(lines: Lines): void {
  write(process.stderr, lines);
}

/** One JSON document, and nothing else, on stdout. */
export function outJson(value: unknown): void {
  outDocument(JSON.stringify(value, undefined, 2));
}

/** A document that has line breaks of its own: JSON, a script, a page of help. */
export function outDocument(text: string): void {
  out(text.replace(/\n$/, '').split('\n'));
}

/** With --json, stdout holds one JSON document and nothing else. */
export function annotate(annotations: readonly Annotation[], isJson: boolean): void {
  const stream = isJson ? process.stderr : process.stdout;
  stream.write(annotations.map((one) => `${writtenAnnotation(one)}\n`).join(''));
}

function write(stream: NodeJS.WriteStream, lines: Lines): void {
  stream.write(written(isList(lines) ? lines : [lines], { color: usesColor(stream) }));
}

function isList(lines: Lines): lines is readonly Line[] {
  return Array.isArray(lines);
}

/** Whether it is a terminal that shows colours; honours NO_COLOR, FORCE_COLOR and TERM=dumb. */
export function usesColor(stream: NodeJS.WriteStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}

/** @param onLost - hears once of an error of standard output */
export function watchOutput(onLost: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.once('error', onLost);
  // One for each later write.
  process.stdout.on('error', () => undefined);
}
