/**
 * Baseline pages: what a proof found, as a table under reports/baseline that is committed and compared.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = new URL('../../reports/baseline/', import.meta.url);

export interface BaselinePage {
  readonly title: string;
  /** What writes the page. */
  readonly command: string;
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function renderBaselinePage({ title, command, about, columns, rows }: BaselinePage): string {
  return [
    `# ${title}`,
    '',
    `<!-- Written by \`${command}\`. -->`,
    '',
    about,
    '',
    tableRow(columns),
    tableRow(columns.map(() => '---')),
    ...rows.map(tableRow),
    '',
  ].join('\n');
}

export function writeBaselinePage(name: string, page: BaselinePage): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(name, FOLDER), renderBaselinePage(page));
}

/** The line of the committed page that starts with a text; empty without one. */
export function readBaselineLine(name: string, start: string): string {
  return linesOf(name).find((line) => line.startsWith(start)) ?? '';
}

/** The cells of the committed table, without its head. */
export function readBaselineRows(name: string): readonly (readonly string[])[] {
  const table = linesOf(name)
    .filter((line) => line.startsWith('| '))
    .slice(2);
  return table.map((line) => line.slice(2, -2).split(' | '));
}

function linesOf(name: string): readonly string[] {
  return readFileSync(new URL(name, FOLDER), 'utf8').split('\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '/').replaceAll('\n', ' ')).join(' | ')} |`;
}
